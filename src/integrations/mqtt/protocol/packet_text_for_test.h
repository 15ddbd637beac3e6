// SPDX-License-Identifier: Apache-2.0
// For tests and fuzzers: packets as texts, and bytes from hexadecimal digits.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "integrations/mqtt/protocol/packet_reader.h"

namespace hearth::integrations::mqtt {

inline std::string packet_text(const Welcome& packet) {
  return fmt::format("CONNACK {}{} {} {} {} {} {} {}", packet.code, packet.refuses_version ? " version" : "",
                     packet.most_under_way, packet.highest_qos, packet.keeps_messages, packet.largest_packet,
                     packet.passes_numbers, packet.keepalive.value_or(0));
}
inline std::string packet_text(const Delivery& packet) {
  std::string text = fmt::format("PUBLISH {}={} qos {}{} id {}", packet.topic, packet.payload, packet.qos,
                                 packet.retain ? " retained" : "", packet.id);
  for (const std::uint32_t number : packet.numbers) text += fmt::format(" for {}", number);
  return text;
}
inline std::string packet_text(const DroppedDelivery& packet) {
  return fmt::format("dropped {} of {} qos {} id {}", packet.size, packet.topic, packet.qos, packet.id);
}
inline std::string packet_text(const Acknowledgement& packet) {
  return fmt::format("answer {} id {} code {}", static_cast<int>(packet.kind), packet.id, packet.code);
}
inline std::string packet_text(const SubscriptionAnswer& packet) {
  return fmt::format("SUBACK id {} code {}", packet.id, packet.code);
}
inline std::string packet_text(const UnsubscriptionAnswer& packet) {
  return fmt::format("UNSUBACK id {}", packet.id);
}
inline std::string packet_text(const Pong&) {
  return "PINGRESP";
}
inline std::string packet_text(const Farewell& packet) {
  return fmt::format("DISCONNECT {}", packet.code);
}

// A line for each packet, the last one for the error if there is one; given to the reader in parts of this size.
inline std::string packets_text(Protocol protocol, std::string_view bytes, std::size_t part) {
  PacketReader reader(protocol);
  std::string lines;
  while (!bytes.empty()) {
    reader.put(bytes.substr(0, part));
    bytes.remove_prefix(std::min(part, bytes.size()));
    for (;;) {
      auto packet = reader.next();
      if (!packet) return lines + packet.error().message + "\n";
      if (!*packet) break;
      lines += std::visit([](const auto& one) { return packet_text(one); }, **packet) + "\n";
    }
  }
  return lines;
}

// REQUIRES: pairs of digits, with blanks between pairs or without.
inline std::string from_hex(std::string_view digits) {
  std::string bytes, pair;
  for (const char digit : digits) {
    if (digit != ' ') pair += digit;
    if (pair.size() < 2) continue;
    bytes += static_cast<char>(std::stoi(pair, nullptr, 16));
    pair.clear();
  }
  return bytes;
}

}  // namespace hearth::integrations::mqtt
