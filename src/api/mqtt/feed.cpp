// SPDX-License-Identifier: Apache-2.0
#include "api/mqtt/feed.h"

#include <boost/asio/post.hpp>

#include "api/gateway/socket_hub.h"
#include "base/timestamp.h"
#include "base/utf8.h"

namespace hearth::api {
namespace {

std::string event_of(const core::MqttMessage& message) {
  json::object event{
      {"topic", message.topic()},
      {"payload", base::utf8_repaired(std::string_view(message.payload()).substr(0, MqttFeed::kMaxPayload))},
      {"qos", message.qos()},
      {"retain", message.retain()},
      {"time", base::to_string(message.received())}};
  if (message.payload().size() > MqttFeed::kMaxPayload) event["size"] = message.payload().size();
  return base::to_json(event);
}

}  // namespace

MqttFeed::MqttFeed(Connection& connection, core::View home, std::int64_t id)
    : sockets_(connection.sockets()),
      home_(std::move(home)),
      io_(connection.worker().weak_io()),
      worker_(connection.worker().index()),
      session_(connection.session()),
      id_(id) {}

// On any thread; the subscription ends on the bus's.
MqttFeed::~MqttFeed() {
  if (!subscription_) return;
  const auto ended = std::make_shared<core::MqttHandle>(std::move(subscription_));
  static_cast<void>(home_.administered().bus.post(core::IfFull::pass, core::EventBus::kSmallTask,
                                                  [ended] { *ended = core::MqttHandle(); }));
}

base::Result<void> MqttFeed::subscribe(const std::string& filter, int qos) {
  core::MqttBroker* const broker = home_.administered().mqtt;
  if (!broker)
    return base::fail(base::ErrorCode::unavailable,
                      "The home has no MQTT broker: configuration.yaml has no section mqtt.");
  auto subscribed = broker->subscribe(filter, qos, [weak = weak_from_this()](const core::MqttMessage& message) {
    if (const auto self = weak.lock()) self->receive(message);
  });
  if (!subscribed) return std::unexpected(std::move(subscribed.error()));
  subscription_ = std::move(*subscribed);
  return {};
}

void MqttFeed::receive(const core::MqttMessage& message) {
  std::string event = event_of(message);
  const std::size_t bytes = event.size();
  inbox_.put(std::move(event), bytes, [this] { post_deliver(); });
}

void MqttFeed::post_deliver() {
  const auto io = io_.lock();
  if (!io) return;
  boost::asio::post(*io, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->deliver();
  });
}

void MqttFeed::deliver() {
  if (draining_) return;
  Connection* const connection = sockets_.find(worker_, session_);
  if (!connection) return;
  auto batch = inbox_.take();
  if (batch.items.empty() && !batch.lost) return;
  for (const std::string& event : batch.items) connection->send_event(id_, event);
  if (batch.lost) connection->send_event(id_, R"({"dropped":true})");
  inbox_.recycle(std::move(batch));
  draining_ = true;
  connection->when_drained([weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->draining_ = false;
    self->post_deliver();
  });
}

}  // namespace hearth::api
