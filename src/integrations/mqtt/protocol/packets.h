// SPDX-License-Identifier: Apache-2.0
// Packets that a broker may send, with the fields that the hub uses (MQTT 3.1.1 §3, MQTT 5 §3). Values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "integrations/mqtt/protocol/inbound.h"

namespace hearth::integrations::mqtt {

// The first reason code of MQTT 5 that is a failure (§2.4).
constexpr std::uint8_t kFirstFailure = 0x80;

// CONNACK: the answer to the attempt, and what the broker can do.
struct Welcome {
  std::uint8_t code = 0;         // 0: accepted; otherwise of the version that is spoken
  bool refuses_version = false;  // the broker does not speak this version of MQTT
  std::uint16_t most_under_way = 65'535;
  std::uint8_t highest_qos = 2;
  bool keeps_messages = true;                // takes retained ones
  std::size_t largest_packet = 268'435'460;  // bytes
  bool passes_numbers = false;               // of filters, with messages
  std::optional<std::uint16_t> keepalive;    // seconds; the broker's own wish
};

struct Delivery {
  std::string topic, payload;
  int qos = 0;
  bool retain = false;
  std::uint16_t id = 0;  // if qos > 0
  FilterNumbers numbers;
};

// A message that was too large to be kept: its payload has been dropped as it came.
struct DroppedDelivery {
  std::string topic;
  int qos = 0;
  std::uint16_t id = 0;
  std::size_t size = 0;
};

// PUBACK, PUBREC, PUBREL and PUBCOMP.
struct Acknowledgement {
  enum class Kind : std::uint8_t { acknowledged = 4, received = 5, released = 6, completed = 7 };
  Kind kind;
  std::uint16_t id;
  std::uint8_t code = 0;
};

// SUBACK for one filter.
struct SubscriptionAnswer {
  std::uint16_t id;
  std::uint8_t code;
};

struct UnsubscriptionAnswer {
  std::uint16_t id;
};

struct Pong {};

// DISCONNECT of MQTT 5.
struct Farewell {
  std::uint8_t code = 0;
};

using Packet = std::variant<Welcome, Delivery, DroppedDelivery, Acknowledgement, SubscriptionAnswer,
                            UnsubscriptionAnswer, Pong, Farewell>;

}  // namespace hearth::integrations::mqtt
