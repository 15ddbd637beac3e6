// SPDX-License-Identifier: Apache-2.0
// todo/item/*: what is on a to-do list; all fail with not_found.
#include <algorithm>

#include "api/gateway/connection.h"
#include "api/gateway/live_batch.h"
#include "api/gateway/message_reader.h"
#include "api/gateway/socket_hub.h"
#include "api/rows.h"
#include "core/values/entity_id.h"
#include "domains/lists/todo_items.h"

namespace hearth::api {
namespace {

constexpr std::string_view kTodo = "todo";

// As todo.get_items answers them.
std::string items_of_list(const core::ReadableRegistry& registry, const std::string& collection) {
  json::array items;
  for (const core::Item* const item : domains::todo::in_order(registry.items_of(collection)))
    items.push_back(domains::todo::shown(*item));
  return base::to_json(json::object{{"items", std::move(items)}});
}

// The collection of the list, which keeps its name if the entity gets another id. Fails with not_found.
CommandResult collection_of_list(const CommandCall& call, std::string_view entity_id) {
  const auto registry = call.home.registry();
  const core::RegisteredEntity* const entity = registry.find_entity(core::lower_case(entity_id));
  if (!entity || entity->domain() != kTodo)
    return std::unexpected(CommandError(command_error::kNotFound, "There is no such to-do list."));
  return core::collection_of(kTodo, entity->id);
}

// Of the list that the command names.
CommandResult read_collection(const CommandCall& call) {
  std::string id;
  MessageReader in(call.message);
  in.required("entity_id", id);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  return collection_of_list(call, id);
}

class TodoSubscription final : public LiveSubscription {
 public:
  using LiveSubscription::deliver;
  TodoSubscription(std::int64_t id, core::View home, std::string collection, SocketHub::Listener listener)
      : id_(id), home_(std::move(home)), collection_(std::move(collection)), listener_(std::move(listener)) {}

  void deliver(LiveBatch& batch, http::WebSocket& socket) override {
    const bool news = std::ranges::any_of(batch.events(), [this](const core::EventPtr& event) {
      const core::RegistryChange* const change = event->registry_change.get();
      return event->sequence > listener_.start() && change && change->collection == collection_ &&
             home_.receives(*event);
    });
    if (news) socket.send(event_message(id_, items_of_list(home_.registry(), collection_)));
  }

 private:
  const std::int64_t id_;
  const core::View home_;
  const std::string collection_;
  const SocketHub::Listener listener_;
};

CommandResult list_todo_items(const CommandCall& call) {
  const auto collection = read_collection(call);
  if (!collection) return std::unexpected(collection.error());
  return items_of_list(call.home.registry(), *collection);
}

void subscribe_todo_items(const CommandCall& call, CommandReply reply) {
  auto collection = read_collection(call);
  if (!collection) return reply.send(std::unexpected(collection.error()));
  if (auto room = call.connection.may_subscribe(); !room) return reply.send(std::unexpected(room.error()));
  core::EventFilter filter;
  filter.types.insert(std::string(core::event_type::kCollectionUpdated));
  auto listener = call.connection.sockets().listen(std::move(filter), call.connection.worker());
  const std::string items = items_of_list(call.home.registry(), *collection);
  reply.send("null");
  call.connection.send_event(call.id, items);
  call.connection.subscribe(
      call.id, std::make_unique<TodoSubscription>(call.id, call.home, std::move(*collection), std::move(listener)));
}

// As the service todo.move_item, which checks the rights.
void move_todo_item(const CommandCall& call, CommandReply reply) {
  std::string id, uid;
  std::optional<std::string> previous;
  MessageReader in(call.message);
  in.required("entity_id", id);
  in.required("uid", uid);
  in.optional("previous_uid", previous);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (const auto list = collection_of_list(call, id); !list) return reply.send(std::unexpected(list.error()));
  core::ServiceRequest request{.domain = std::string(kTodo),
                               .service = "move_item",
                               .data = {{"entity_id", core::lower_case(id)}, {"item", uid}},
                               .context = call.context()};
  if (previous) request.data["previous"] = *previous;
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  call.home.call(std::move(request), [shared](const base::Result<core::CallOutcome>& outcome) {
    if (outcome)
      shared->send("null");
    else
      shared->send(std::unexpected(CommandError(outcome.error())));
  });
}

}  // namespace

constexpr Command kTodoCommandRows[] = {
    {"todo/item/list", Access::user, list_todo_items, Durable::no, &kAsksElsewhere},
    {"todo/item/subscribe", Access::user, subscribe_todo_items, Durable::no, &kSubscribesElsewhere},
    {"todo/item/move", Access::control, move_todo_item, Durable::registry, &kControlsElsewhere},
};
constexpr Commands kTodoCommands = kTodoCommandRows;

}  // namespace hearth::api
