// SPDX-License-Identifier: Apache-2.0
// mqtt/subscribe and hearth/mqtt: what comes from the home's MQTT broker, and how the connection to it is.
#include "api/gateway/bus_feed.h"
#include "api/gateway/message_reader.h"
#include "api/rows.h"
#include "base/text/timestamp.h"
#include "base/text/utf8.h"
#include "core/mqtt.h"

namespace hearth::api {
namespace {

constexpr std::size_t kMaxPayload = 1024 * 1024;  // of a longer one the client gets the beginning

std::string event_of(const core::MqttMessage& message) {
  json::object event{{"topic", message.topic()},
                     {"payload", base::utf8_repaired(std::string_view(message.payload()).substr(0, kMaxPayload))},
                     {"qos", message.qos()},
                     {"retain", message.retain()},
                     {"time", base::to_string(message.received())}};
  if (message.payload().size() > kMaxPayload) event["size"] = message.payload().size();
  return base::to_json(event);
}

json::value described(const core::MqttBroker* broker) {
  if (!broker) return {};
  const core::MqttStatus status = broker->status();
  return json::object{{"connected", status.connected},
                      {"broker", status.broker},
                      {"protocol", status.protocol.empty() ? json::value() : json::value(status.protocol)},
                      {"error", status.error.empty() ? json::value() : json::value(status.error)},
                      {"since", base::to_string(status.since)},
                      {"received", status.received},
                      {"published", status.published},
                      {"subscriptions", status.subscriptions}};
}

void subscribe_topic(const CommandCall& call, CommandReply reply) {
  std::string topic;
  std::int64_t qos = 0;
  MessageReader in(call.message);
  in.required("topic", topic);
  in.optional("qos", qos, 0, core::MqttBroker::kMaxQos);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (auto room = call.connection.may_subscribe(topic.size()); !room) return reply.send(std::unexpected(room.error()));
  BusFeed::begin(call, std::move(reply), topic.size(),
                 [home = call.home, topic, qos](BusFeed::Put put) -> base::Result<std::shared_ptr<void>> {
                   core::MqttBroker* const broker = home.administered().mqtt;
                   if (!broker)
                     return base::fail(base::ErrorCode::unavailable,
                                       "The home has no MQTT broker: configuration.yaml has no section mqtt.");
                   auto subscribed = broker->subscribe(
                       topic, static_cast<int>(qos),
                       [put = std::move(put)](const core::MqttMessage& message) { put(event_of(message)); });
                   if (!subscribed) return std::unexpected(std::move(subscribed.error()));
                   return std::make_shared<base::Handle>(std::move(*subscribed));
                 });
}

void mqtt_status(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  auto posted = call.home.post(core::EventBus::kSmallTask, [shared, home = call.home] {
    shared->send(base::to_json(described(home.administered().mqtt)));
  });
  if (!posted) shared->send(std::unexpected(posted.error()));
}

}  // namespace

constexpr Command kMqttCommandRows[] = {
    {"mqtt/subscribe", Access::admin, subscribe_topic, Durable::no},
    {"hearth/mqtt", Access::admin, mqtt_status, Durable::no},
};
constexpr Commands kMqttCommands = kMqttCommandRows;

}  // namespace hearth::api
