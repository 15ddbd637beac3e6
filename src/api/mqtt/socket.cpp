// SPDX-License-Identifier: Apache-2.0
// mqtt/subscribe and hearth/mqtt: what comes from the home's MQTT broker, and how the connection to it is.
#include "api/commands.h"
#include "api/gateway/connection.h"
#include "api/gateway/message_reader.h"
#include "api/mqtt/feed.h"
#include "base/timestamp.h"

namespace hearth::api {
namespace {

class MqttSubscription final : public LiveSubscription {
 public:
  explicit MqttSubscription(std::shared_ptr<MqttFeed> feed) : feed_(std::move(feed)) {}

 private:
  const std::shared_ptr<MqttFeed> feed_;
};

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

}  // namespace

void mqtt_commands::subscribe(const CommandCall& call, CommandReply reply) {
  std::string topic;
  std::int64_t qos = 0;
  MessageReader in(call.message);
  in.required("topic", topic);
  in.optional("qos", qos, 0, core::MqttBroker::kMaxQos);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (auto room = call.connection.may_subscribe(topic.size()); !room) return reply.send(std::unexpected(room.error()));
  const auto feed = std::make_shared<MqttFeed>(call.connection, call.home, call.id);
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  const std::size_t weight = core::EventBus::kSmallTask + topic.size();
  auto posted = call.home.post(weight, [feed, shared, topic, qos, id = call.id] {
    if (auto subscribed = feed->subscribe(topic, static_cast<int>(qos)); !subscribed)
      return shared->send(std::unexpected(subscribed.error()));
    shared->send("null", [feed, id, bytes = topic.size()](Connection& connection) {
      connection.subscribe(id, std::make_unique<MqttSubscription>(feed), bytes);
    });
  });
  if (!posted) shared->send(std::unexpected(posted.error()));
}

void mqtt_commands::status(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  auto posted = call.home.post(core::EventBus::kSmallTask, [shared, home = call.home] {
    shared->send(base::to_json(described(home.administered().mqtt)));
  });
  if (!posted) shared->send(std::unexpected(posted.error()));
}

}  // namespace hearth::api
