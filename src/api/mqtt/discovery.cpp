// SPDX-License-Identifier: Apache-2.0
// GET /api/mqtt/discovery, mqtt/device/debug_info, device_automation/trigger/list: what MQTT discovery made.
#include "api/gateway/message_reader.h"
#include "api/rows.h"
#include "core/mqtt.h"

namespace hearth::api {
namespace {

// Null if there is none. Bus thread only. REQUIRES: an administrator asks.
core::MqttBroker* broker_of(const core::View& home) {
  return home.administered().mqtt;
}

// Answers with answer(broker), made on the bus thread; the broker is null if there is none. Fails with unavailable if
// the bus is full.
template <class Answer>
void reply_from_bus(const CommandCall& call, CommandReply reply, Answer answer) {
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  const auto posted = call.home.post(
      core::EventBus::kSmallTask,
      [home = call.home, shared, answer = std::move(answer)] { shared->send(base::to_json(answer(broker_of(home)))); });
  if (!posted) shared->send(std::unexpected(posted.error()));
}

// Fails with unavailable.
void get_discovery(const Call& call, http::Responder responder) {
  const auto shared = std::make_shared<http::Responder>(std::move(responder));
  const auto posted = call.home.post(core::EventBus::kSmallTask, [home = call.home, shared] {
    core::MqttBroker* const broker = broker_of(home);
    shared->send(http::Response::json(base::to_json(broker ? broker->discovery_report() : json::array())));
  });
  if (!posted) shared->send(http::Response::error(posted.error()));
}

void device_debug_info(const CommandCall& call, CommandReply reply) {
  std::string device_id;
  MessageReader in(call.message);
  in.required("device_id", device_id);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  reply_from_bus(call, std::move(reply), [device_id](core::MqttBroker* broker) {
    return broker ? broker->device_debug_info(device_id)
                  : json::object{{"entities", json::array()}, {"triggers", json::array()}};
  });
}

void device_triggers(const CommandCall& call, CommandReply reply) {
  std::string device_id;
  MessageReader in(call.message);
  in.required("device_id", device_id);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  reply_from_bus(call, std::move(reply), [device_id](core::MqttBroker* broker) {
    json::array triggers;
    if (!broker) return triggers;
    const json::object info = broker->device_debug_info(device_id);
    const json::value* const list = info.if_contains("triggers");
    if (!list || !list->is_array()) return triggers;
    for (const json::value& each : list->get_array()) triggers.push_back(each.at("trigger_key"));
    return triggers;
  });
}

constexpr Answer kMqttDiscovery[] = {{200, "A row for each component that a message describes.", "MqttDiscovery"}};

}  // namespace

constexpr Endpoint kMqttDiscoveryEndpointRows[] = {
    {http::Verb::get, "/api/mqtt/discovery", Access::admin, get_discovery, Durable::no,
     "What became of the messages of MQTT discovery", kMqttDiscovery},
};
constexpr Endpoints kMqttDiscoveryEndpoints = kMqttDiscoveryEndpointRows;

constexpr Command kMqttDiscoveryCommandRows[] = {
    {"mqtt/device/debug_info", Access::admin, device_debug_info, Durable::no},
    {"device_automation/trigger/list", Access::admin, device_triggers, Durable::no},
};
constexpr Commands kMqttDiscoveryCommands = kMqttDiscoveryCommandRows;

}  // namespace hearth::api
