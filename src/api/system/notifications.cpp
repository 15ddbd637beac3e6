// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "api/gateway/connection.h"
#include "api/gateway/live_batch.h"
#include "api/gateway/message_reader.h"
#include "api/gateway/socket_hub.h"
#include "api/rows.h"
#include "core/notification.h"

namespace hearth::api {
namespace {

// Not another person's.
bool is_for(const core::Item& item, std::string_view user_id) {
  const json::value* const whose = item.fields.if_contains(core::kNoteUser);
  return !whose || (whose->is_string() && whose->get_string() == user_id);
}

json::object answer(const core::Item& item) {
  json::object object = item.fields;
  object.erase(core::kNoteUser);
  object["notification_id"] = item.id;
  return object;
}

std::string event_of(std::string_view type, json::object notifications) {
  return base::to_json(json::object{{"type", type}, {"notifications", std::move(notifications)}});
}

// The item's present form is sent, so a later change may arrive early, and then once more.
class NotificationSubscription final : public LiveSubscription {
 public:
  using LiveSubscription::deliver;
  NotificationSubscription(std::int64_t id, core::View home, std::string user_id, SocketHub::Listener listener)
      : id_(id), home_(std::move(home)), user_id_(std::move(user_id)), listener_(std::move(listener)) {}

  void deliver(LiveBatch& batch, http::WebSocket& socket) override {
    for (const core::EventPtr& event : batch.events()) {
      const core::RegistryChange* const change = event->registry_change.get();
      if (event->sequence <= listener_.start() || !change || change->collection != core::kNotifications) continue;
      if (!home_.receives(*event)) continue;
      const auto registry = home_.registry();
      const auto all = registry.items_of(core::kNotifications);
      const auto found = std::ranges::find(all, change->id, &core::Item::id);
      const core::Item* const item = found == all.end() ? nullptr : *found;
      if (item && !is_for(*item, user_id_)) continue;
      const char* const type = !item ? "removed" : item->revision == 1 ? "added" : "updated";
      json::object shown, by_id;
      if (item)
        shown = answer(*item);
      else
        shown["notification_id"] = change->id;
      by_id[change->id] = std::move(shown);
      if (!socket.send(event_message(id_, event_of(type, std::move(by_id))))) return;
    }
  }

 private:
  const std::int64_t id_;
  const core::View home_;
  const std::string user_id_;
  const SocketHub::Listener listener_;
};

CommandResult get_notifications(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  json::array list;
  const auto registry = call.home.registry();
  for (const core::Item* const item : registry.items_of(core::kNotifications))
    if (is_for(*item, call.caller->user->id.str())) list.push_back(answer(*item));
  return base::to_json(list);
}

void subscribe_notifications(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (auto room = call.connection.may_subscribe(); !room) return reply.send(std::unexpected(room.error()));
  // Listening begins before the list is read: nothing is lost, and what happens between is told twice.
  core::EventFilter filter;
  filter.types.insert(std::string(core::event_type::kCollectionUpdated));
  auto listener = call.connection.sockets().listen(std::move(filter), call.connection.worker());
  json::object current;
  const auto registry = call.home.registry();
  for (const core::Item* const item : registry.items_of(core::kNotifications))
    if (is_for(*item, call.caller->user->id.str())) current[item->id] = answer(*item);
  reply.send("null");
  call.connection.send_event(call.id, event_of("current", std::move(current)));
  call.connection.subscribe(
      call.id, std::make_unique<NotificationSubscription>(call.id, call.home, std::string(call.caller->user->id.str()),
                                                          std::move(listener)));
}

}  // namespace

constexpr Command kNotificationCommandRows[] = {
    {"persistent_notification/get", Access::user, get_notifications, Durable::no},
    {"persistent_notification/subscribe", Access::user, subscribe_notifications, Durable::no},
};
constexpr Commands kNotificationCommands = kNotificationCommandRows;

}  // namespace hearth::api
