// SPDX-License-Identifier: Apache-2.0
// The alerts that the caller may read, and which of them the caller has snoozed.
#include <algorithm>
#include <map>
#include <optional>

#include "api/gateway/connection.h"
#include "api/gateway/live_batch.h"
#include "api/gateway/message_reader.h"
#include "api/gateway/socket_hub.h"
#include "api/rows.h"
#include "base/text/timestamp.h"

namespace hearth::api {
namespace {

using SnoozeEnd = std::optional<base::Timestamp>;

json::value text_or_null(const std::string& text) {
  return text.empty() ? json::value(nullptr) : json::value(text);
}

json::object to_object(const core::Alert& alert, SnoozeEnd snoozed_until) {
  return {{"alert_id", alert.id},
          {"kind", alert.rule->kind},
          {"grade", core::to_string(alert.rule->grade)},
          {"entity_id", alert.entity_id},
          {"device_id", text_or_null(alert.device_id)},
          {"area_id", text_or_null(alert.area_id)},
          {"since", base::to_string(alert.since)},
          {"snoozed_until", snoozed_until ? json::value(base::to_string(*snoozed_until)) : json::value(nullptr)}};
}

json::array list_of(const core::View& home, std::string_view user_id) {
  json::array list;
  for (const core::AlertPtr& alert : home.alerts())
    list.push_back(to_object(*alert, home.snoozed_until(user_id, *alert)));
  return list;
}

// Sends the whole list, and then the differences.
class AlertSubscription final : public LiveSubscription {
 public:
  using LiveSubscription::deliver;
  AlertSubscription(std::int64_t id, core::View home, std::string user_id, SocketHub::Listener listener)
      : id_(id), home_(std::move(home)), user_id_(std::move(user_id)), listener_(std::move(listener)) {}

  json::object whole() { return {{"alerts", changed()}}; }

  void deliver(LiveBatch& batch, http::WebSocket& socket) override {
    const bool any = std::ranges::any_of(batch.events(), [&](const core::EventPtr& event) {
      if (event->sequence <= listener_.start() || event->by_client) return false;
      if (event->type == core::event_type::kAlertUpdated) return true;
      return event->registry_change && event->registry_change->collection == core::kAlertSnoozes;
    });
    if (!any) return;
    const auto former = shown_;
    json::object event;
    json::array list = changed(), removed;
    for (const auto& [alert_id, shown] : former)
      if (!shown_.contains(alert_id)) removed.emplace_back(alert_id);
    if (!list.empty()) event["changed"] = std::move(list);
    if (!removed.empty()) event["removed"] = std::move(removed);
    if (!event.empty()) static_cast<void>(socket.send(event_message(id_, base::to_json(event))));
  }

 private:
  struct Shown {
    core::AlertPtr alert;
    SnoozeEnd snoozed_until;
  };
  using ById = std::map<std::string, Shown, std::less<>>;

  // The alerts that differ from what the client has.
  json::array changed() {
    json::array list;
    ById now;
    for (core::AlertPtr& alert : home_.alerts()) {
      const SnoozeEnd snoozed_until = home_.snoozed_until(user_id_, *alert);
      const auto known = shown_.find(alert->id);
      if (known == shown_.end() || known->second.snoozed_until != snoozed_until || *known->second.alert != *alert)
        list.push_back(to_object(*alert, snoozed_until));
      now.emplace(alert->id, Shown{alert, snoozed_until});
    }
    shown_ = std::move(now);
    return list;
  }

  const std::int64_t id_;
  const core::View home_;
  const std::string user_id_;
  const SocketHub::Listener listener_;
  ById shown_;
};

std::string user_of(const CommandCall& call) {
  return std::string(call.caller->user->id.str());
}

CommandResult list_alerts(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  return base::to_json(json::object{{"alerts", list_of(call.home, user_of(call))}});
}

void subscribe_alerts(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (auto room = call.connection.may_subscribe(); !room) return reply.send(std::unexpected(room.error()));
  // Listening begins before the list is read: nothing is lost.
  core::EventFilter filter;
  filter.types = {std::string(core::event_type::kAlertUpdated), std::string(core::event_type::kCollectionUpdated)};
  auto subscription = std::make_unique<AlertSubscription>(
      call.id, call.home, user_of(call), call.connection.sockets().listen(std::move(filter), call.connection.worker()));
  reply.send("null");
  call.connection.send_event(call.id, base::to_json(subscription->whole()));
  call.connection.subscribe(call.id, std::move(subscription));
}

base::Result<std::vector<std::string>> read_ids(const CommandCall& call) {
  std::optional<std::vector<std::string>> ids;
  MessageReader in(call.message);
  in.optional("alert_ids", ids);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (!ids || ids->empty()) return base::fail(base::ErrorCode::invalid, "alert_ids: expected the ids of alerts");
  if (auto few = core::check_entries("alert_ids", ids->size(), call.home.limits()); !few)
    return std::unexpected(few.error());
  return std::move(*ids);
}

CommandResult done(const base::Result<void>& result) {
  if (!result) return std::unexpected(result.error());
  return "null";
}

CommandResult snooze_alerts(const CommandCall& call) {
  const auto ids = read_ids(call);
  if (!ids) return std::unexpected(CommandError(command_error::kInvalidFormat, ids.error().message));
  return done(call.home.snooze(user_of(call), *ids, call.context()));
}

CommandResult unsnooze_alerts(const CommandCall& call) {
  const auto ids = read_ids(call);
  if (!ids) return std::unexpected(CommandError(command_error::kInvalidFormat, ids.error().message));
  return done(call.home.unsnooze(user_of(call), *ids, call.context()));
}

base::Result<http::Response> get_alerts(const Call& call) {
  return http::Response::json(base::to_json(list_of(call.home, call.caller->user->id.str())));
}

constexpr Answer kAlertsAnswer[] = {{200, "The alerts, the gravest first.", "Alerts"}};

}  // namespace

constexpr Endpoint kAlertEndpointRows[] = {
    {http::Verb::get, "/api/alerts", Access::user, get_alerts, Durable::no, "What needs attention", kAlertsAnswer},
};
constexpr Endpoints kAlertEndpoints = kAlertEndpointRows;

constexpr Command kAlertCommandRows[] = {
    {"alerts/list", Access::user, list_alerts, Durable::no},
    {"alerts/subscribe", Access::user, subscribe_alerts, Durable::no},
    {"alerts/snooze", Access::own, snooze_alerts, Durable::registry},
    {"alerts/unsnooze", Access::own, unsnooze_alerts, Durable::registry},
};
constexpr Commands kAlertCommands = kAlertCommandRows;

}  // namespace hearth::api
