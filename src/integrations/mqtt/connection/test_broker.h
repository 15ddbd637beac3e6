// SPDX-License-Identifier: Apache-2.0
// For unit tests: a broker without a network. Messages are passed on when the test says so; what is published is kept.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/mqtt.h"
#include "integrations/mqtt/connection/subscriptions.h"
#include "integrations/mqtt/protocol/text.h"

namespace hearth::integrations::mqtt {

class TestBroker final : public core::MqttBroker {
 public:
  std::vector<std::string> published;  // topic=payload, then " q1" and " retained" if it is so
  bool online = true;

  base::Result<base::Handle> subscribe(std::string filter, int qos, Handler handler) override {
    const auto id = subscriptions_->add(std::move(filter), qos, std::move(handler));
    if (!id) return std::unexpected(id.error());
    return base::Handle([weak = std::weak_ptr(subscriptions_), id = *id] {
      if (const auto subscriptions = weak.lock()) subscriptions->remove(id);
    });
  }
  base::Result<void> publish(std::string topic, std::string payload, int qos, bool retain) override {
    if (!online) return base::fail(base::ErrorCode::unavailable, "There is no connection to the broker.");
    if (auto checked = check_topic(topic); !checked) return checked;
    published.push_back(topic + '=' + payload + (qos > 0 ? " q" + std::to_string(qos) : "") +
                        (retain ? " retained" : ""));
    return {};
  }
  core::MqttStatus status() const override {
    core::MqttStatus status;
    status.connected = online;
    return status;
  }
  base::Handle listen(std::function<void(bool)> callback) override {
    const auto id = ++last_;
    listeners_->emplace(id, std::move(callback));
    return base::Handle([weak = std::weak_ptr(listeners_), id] {
      if (const auto listeners = weak.lock()) listeners->erase(id);
    });
  }
  json::array discovery_report() const override { return {}; }
  json::object device_debug_info(std::string_view) const override { return {}; }

  // Passes it to who subscribes.
  void receive(std::string topic, std::string payload, bool retain = false, int qos = 0) {
    subscriptions_->pass(core::MqttMessage(std::move(topic), std::move(payload), qos, retain, {}));
  }
  void set_online(bool is_online) {
    online = is_online;
    if (online) subscriptions_->connected();
    const auto copy = *listeners_;
    for (const auto& [id, callback] : copy) callback(online);
  }
  std::size_t filters() const { return subscriptions_->size(); }

 private:
  std::shared_ptr<Subscriptions> subscriptions_ = std::make_shared<Subscriptions>();
  std::shared_ptr<std::map<int, std::function<void(bool)>>> listeners_ =
      std::make_shared<std::map<int, std::function<void(bool)>>>();
  int last_ = 0;
};

}  // namespace hearth::integrations::mqtt
