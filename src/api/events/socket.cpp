// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "api/events/event_type.h"
#include "api/gateway/connection.h"
#include "api/gateway/live_batch.h"
#include "api/gateway/message_reader.h"
#include "api/gateway/socket_hub.h"
#include "api/rows.h"

namespace hearth::api {
namespace {

// Events that callers without administrator's rights may hear: all that a page needs to stay up to date (websocket.md).
constexpr std::string_view kOpenEvents[] = {
    "area_registry_updated",
    "category_registry_updated",
    "collection_updated",
    "component_loaded",
    "core_config_updated",
    "device_registry_updated",
    "entity_registry_updated",
    "floor_registry_updated",
    "label_registry_updated",
    "lovelace_updated",
    "panels_updated",
    "recorder_5min_statistics_generated",
    "recorder_hourly_statistics_generated",
    "repairs_issue_registry_updated",
    "service_registered",
    "service_removed",
    "shopping_list_updated",
    "state_changed",
    "themes_updated",
};

class EventSubscription final : public LiveSubscription {
 public:
  using LiveSubscription::deliver;
  EventSubscription(std::int64_t id, core::View home, core::EventFilter filter, SocketHub::Listener listener)
      : id_(id), home_(std::move(home)), filter_(std::move(filter)), listener_(std::move(listener)) {}

  void deliver(LiveBatch& batch, http::WebSocket& socket) override {
    if (home_.rights().reads_all())
      send(batch.events_for(id_, filter_, listener_.start()), socket);
    else
      send(batch.events_for(id_, filter_, listener_.start(), home_), socket);
  }

 private:
  static void send(const LiveBatch::Messages& messages, http::WebSocket& socket) {
    for (const http::MessagePtr& message : messages) {
      if (!socket.send(message)) return;
    }
  }

  const std::int64_t id_;
  const core::View home_;
  const core::EventFilter filter_;
  const SocketHub::Listener listener_;
};

// Fails with unauthorized.
CommandResult subscribe_events(const CommandCall& call) {
  std::string type = "*";
  MessageReader in(call.message);
  in.optional("event_type", type);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (!call.home.rights().administer() && !is_open_event(type)) {
    return std::unexpected(CommandError(command_error::kUnauthorized, "Only administrators may hear these events."));
  }
  if (auto room = call.connection.may_subscribe(); !room) return std::unexpected(room.error());
  core::EventFilter filter;
  if (type != "*") filter.types.insert(std::move(type));
  auto listener = call.connection.sockets().listen(filter, call.connection.worker());
  call.connection.subscribe(
      call.id, std::make_unique<EventSubscription>(call.id, call.home, std::move(filter), std::move(listener)));
  return "null";
}

// Ends a subscription of any kind. Fails with not_found.
CommandResult unsubscribe_events(const CommandCall& call) {
  std::int64_t subscription = 0;
  MessageReader in(call.message);
  in.required("subscription", subscription, 1);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (!call.connection.unsubscribe(subscription)) {
    return std::unexpected(CommandError(command_error::kNotFound, "Subscription not found."));
  }
  return "null";
}

CommandResult fire_event(const CommandCall& call) {
  std::string type;
  json::object data;
  bool remote = false;  // from another hub: who mirrors this one must not send it on
  MessageReader in(call.message);
  in.required("event_type", type);
  in.optional("event_data", data);
  in.optional("remote", remote);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (auto checked = check_event_type(type); !checked) return std::unexpected(checked.error());
  std::string text = base::to_json(data);
  if (auto fits = core::check_event_data(text.size(), call.home.limits()); !fits) return std::unexpected(fits.error());
  const core::Context context = call.context();
  const auto fired =
      call.home.fire(type, std::move(text), remote ? core::Origin::remote : core::Origin::local, context);
  if (!fired) return std::unexpected(fired.error());
  std::string result = R"({"context":)";
  core::write_json(result, context);
  return result += '}';
}

}  // namespace

bool is_open_event(std::string_view type) {
  return std::ranges::find(kOpenEvents, type) != std::end(kOpenEvents);
}

constexpr Command kEventCommandRows[] = {
    {"subscribe_events", Access::user, subscribe_events, Durable::no},
    {"unsubscribe_events", Access::any, unsubscribe_events, Durable::no},
    {"fire_event", Access::admin_fire, fire_event, Durable::no},
};
constexpr Commands kEventCommands = kEventCommandRows;

}  // namespace hearth::api
