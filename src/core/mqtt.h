// SPDX-License-Identifier: Apache-2.0
// The home's MQTT broker as the rest of the hub uses it; the integration mqtt implements it. Bus thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/handle.h"
#include "base/json/json.h"
#include "base/result.h"
#include "core/values/mqtt_topic.h"

namespace hearth::core {

// Immutable, except that the JSON is parsed when somebody asks for it, once for all who get the message.
class MqttMessage {
 public:
  MqttMessage(std::string topic, std::string payload, int qos, bool retain, base::Timestamp received)
      : topic_(std::move(topic)), payload_(std::move(payload)), qos_(qos), retain_(retain), received_(received) {}

  const std::string& topic() const { return topic_; }
  const std::string& payload() const { return payload_; }  // any bytes
  int qos() const { return qos_; }
  // True if the broker had kept it and sends it because of a new subscription or connection.
  bool retain() const { return retain_; }
  base::Timestamp received() const { return received_; }
  // The payload as JSON; null if it is none.
  const json::value* json() const {
    if (!json_) json_ = base::parse_json(payload_);
    return *json_ ? &**json_ : nullptr;
  }

 private:
  std::string topic_, payload_;
  int qos_;
  bool retain_;
  base::Timestamp received_;
  mutable std::optional<base::Result<json::value>> json_;
};

struct MqttStatus {
  bool connected = false;
  std::string broker;             // host and port
  std::string protocol;           // of the connection: 5 or 3.1.1; empty if there has been none
  std::string error;              // why there is no connection; empty if there is one
  base::Timestamp since;          // when it became connected or not
  std::uint64_t received = 0;     // messages, since the hub started
  std::uint64_t published = 0;    // likewise
  std::size_t subscriptions = 0;  // filters
};

class MqttBroker {
 public:
  using Handler = std::function<void(const MqttMessage& message)>;
  static constexpr int kMaxQos = 2;
  // Larger messages are refused, and those that arrive are dropped with a line in the log.
  static constexpr std::size_t kMaxPayload = 16 * 1024 * 1024;

  virtual ~MqttBroker() = default;

  // The filter may have the wildcards + and #. The subscription survives the loss of the connection. After each new
  // connection, and after subscribing, the handler gets the retained messages that match, each topic once. Fails with
  // invalid.
  virtual base::Result<base::Handle> subscribe(std::string filter, int qos, Handler handler) = 0;
  // Sends it in the order of the calls. Fails with invalid if the topic is none or the payload is too large, and with
  // unavailable without a connection, or if too much waits to be sent.
  virtual base::Result<void> publish(std::string topic, std::string payload, int qos, bool retain) = 0;

  virtual MqttStatus status() const = 0;
  // The callback is called when the connection is there (subscriptions have been sent again) and when it is lost.
  [[nodiscard]] virtual base::Handle listen(std::function<void(bool connected)> callback) = 0;

  // Results of discovery for each topic, as GET /api/mqtt/discovery returns them.
  virtual json::array discovery_report() const = 0;
  // The discovery and the last messages of a device, by its id in the registry.
  virtual json::object device_debug_info(std::string_view device_id) const = 0;
};

}  // namespace hearth::core
