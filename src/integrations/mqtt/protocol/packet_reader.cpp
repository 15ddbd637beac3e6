// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/protocol/packet_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "integrations/mqtt/protocol/byte_reader.h"
#include "integrations/mqtt/protocol/properties.h"
#include "integrations/mqtt/protocol/text.h"

namespace hearth::integrations::mqtt {
namespace {

constexpr int kConnackType = 2, kPublishType = 3, kPubackType = 4, kPubrelType = 6, kPubcompType = 7, kSubackType = 9,
              kUnsubackType = 11, kPingrespType = 13, kDisconnectType = 14;
constexpr std::string_view kNames[] = {
    "a packet of type 0", "CONNECT", "CONNACK",     "PUBLISH",  "PUBACK",  "PUBREC",   "PUBREL",     "PUBCOMP",
    "SUBSCRIBE",          "SUBACK",  "UNSUBSCRIBE", "UNSUBACK", "PINGREQ", "PINGRESP", "DISCONNECT", "AUTH"};
constexpr std::uint8_t kOldVersionRefused = 1, kVersionRefused = 0x84;
constexpr std::uint8_t kOldSubscriptionRefused = 0x80;
// More room than this is given back after a large packet.
constexpr std::size_t kKeptRoom = 256 * 1024;

std::unexpected<base::Error> malformed(int type, std::string_view what) {
  return base::fail(base::ErrorCode::unavailable, fmt::format("{}: {}", kNames[type], what));
}

bool may_come(int type, bool v5) {
  return type == kConnackType || (type >= kPublishType && type <= kPubcompType) || type == kSubackType ||
         type == kUnsubackType || type == kPingrespType || (v5 && type == kDisconnectType);
}

// MQTT 5 §2.1.3.
bool are_flags_right(int type, int flags) {
  if (type != kPublishType) return flags == (type == kPubrelType ? 2 : 0);
  const int qos = flags >> 1 & 3;
  return qos < 3 && (qos > 0 || !(flags & 8));
}

base::Result<Packet> decode_connack(ByteReader& in, bool v5) {
  const std::uint8_t flags = in.byte();
  Welcome welcome;
  welcome.code = in.byte();
  if (in.failed()) return malformed(kConnackType, "it is too short");
  if (flags > 1) return malformed(kConnackType, "reserved flags are set");
  // Brokers that know only 3.1.1 refuse version 5 in their own words.
  welcome.refuses_version = welcome.code == (v5 ? kVersionRefused : kOldVersionRefused) ||
                            (v5 && welcome.code == kOldVersionRefused && in.left() == 0);
  if (!v5 || (welcome.code != 0 && in.left() == 0)) return welcome;
  auto properties = read_properties(in, kConnackType);
  if (!properties) return malformed(kConnackType, properties.error().message);
  const auto value = [&](PropertyId id, std::uint32_t otherwise) { return properties->find(id).value_or(otherwise); };
  welcome.most_under_way = static_cast<std::uint16_t>(value(PropertyId::receive_maximum, welcome.most_under_way));
  welcome.highest_qos = static_cast<std::uint8_t>(value(PropertyId::maximum_qos, welcome.highest_qos));
  welcome.keeps_messages = value(PropertyId::retain_available, 1) != 0;
  welcome.largest_packet =
      std::min<std::size_t>(welcome.largest_packet,
                            value(PropertyId::maximum_packet_size, static_cast<std::uint32_t>(welcome.largest_packet)));
  welcome.passes_numbers = value(PropertyId::subscription_identifiers_available, 1) != 0;
  if (const auto keepalive = properties->find(PropertyId::server_keepalive))
    welcome.keepalive = static_cast<std::uint16_t>(*keepalive);
  return welcome;
}

base::Result<Packet> decode_publish(ByteReader& in, int flags, bool v5) {
  Delivery delivery;
  delivery.qos = flags >> 1 & 3;
  delivery.retain = flags & 1;
  const std::string_view topic = in.text();
  if (delivery.qos > 0) delivery.id = in.two_bytes();
  if (in.failed()) return malformed(kPublishType, "it is too short");
  if (delivery.qos > 0 && delivery.id == 0) return malformed(kPublishType, "its identifier is 0");
  if (topic.empty() || !is_received_text(topic) || topic.find_first_of("+#") != std::string_view::npos)
    return malformed(kPublishType, "its topic is none");
  if (v5) {
    auto properties = read_properties(in, kPublishType);
    if (!properties) return malformed(kPublishType, properties.error().message);
    if (properties->find(PropertyId::topic_alias))
      return malformed(kPublishType, "it has an alias for its topic, which the hub does not allow");
    for (const auto& property : *properties) {
      if (property.id == PropertyId::subscription_identifier) delivery.numbers.push_back(property.value);
    }
  }
  delivery.topic = topic;
  delivery.payload = in.rest();
  return delivery;
}

base::Result<Packet> decode_acknowledgement(ByteReader& in, int type, bool v5) {
  Acknowledgement answer{static_cast<Acknowledgement::Kind>(type), in.two_bytes()};
  if (in.failed()) return malformed(type, "it is too short");
  if (answer.id == 0) return malformed(type, "its identifier is 0");
  if (v5 && in.left() > 0) {
    answer.code = in.byte();
    if (in.left() > 0) {
      if (auto properties = read_properties(in, type); !properties) return malformed(type, properties.error().message);
    }
  }
  return answer;
}

base::Result<Packet> decode_suback(ByteReader& in, bool v5) {
  SubscriptionAnswer answer{in.two_bytes(), 0};
  if (in.failed()) return malformed(kSubackType, "it is too short");
  if (answer.id == 0) return malformed(kSubackType, "its identifier is 0");
  if (v5) {
    if (auto properties = read_properties(in, kSubackType); !properties)
      return malformed(kSubackType, properties.error().message);
  }
  // The hub subscribes to one filter at a time.
  answer.code = in.byte();
  if (in.failed()) return malformed(kSubackType, "it has no reason code");
  const bool known = answer.code <= 2 || (v5 ? answer.code >= kFirstFailure : answer.code == kOldSubscriptionRefused);
  if (!known) return malformed(kSubackType, fmt::format("its reason code {} is unknown", answer.code));
  return answer;
}

base::Result<Packet> decode_unsuback(ByteReader& in, bool v5) {
  const UnsubscriptionAnswer answer{in.two_bytes()};
  if (in.failed()) return malformed(kUnsubackType, "it is too short");
  if (!v5) return answer;
  if (auto properties = read_properties(in, kUnsubackType); !properties)
    return malformed(kUnsubackType, properties.error().message);
  in.byte();
  if (in.failed()) return malformed(kUnsubackType, "it has no reason code");
  return answer;
}

base::Result<Packet> decode_disconnect(ByteReader& in) {
  Farewell farewell;
  if (in.left() > 0) farewell.code = in.byte();
  if (in.left() > 0) {
    if (auto properties = read_properties(in, kDisconnectType); !properties)
      return malformed(kDisconnectType, properties.error().message);
  }
  return farewell;
}

base::Result<Packet> decode(int type, int flags, std::string_view body, bool v5) {
  ByteReader in(body);
  base::Result<Packet> packet = Pong{};
  if (type == kConnackType)
    packet = decode_connack(in, v5);
  else if (type == kPublishType)
    packet = decode_publish(in, flags, v5);
  else if (type >= kPubackType && type <= kPubcompType)
    packet = decode_acknowledgement(in, type, v5);
  else if (type == kSubackType)
    packet = decode_suback(in, v5);
  else if (type == kUnsubackType)
    packet = decode_unsuback(in, v5);
  else if (type == kDisconnectType)
    packet = decode_disconnect(in);
  if (packet && in.left() > 0) return malformed(type, "it is longer than its contents");
  return packet;
}

}  // namespace

void PacketReader::put(std::string_view bytes) {
  buffer_.erase(0, std::exchange(begin_, 0));
  if (buffer_.empty() && buffer_.capacity() > kKeptRoom) buffer_ = std::string();
  const std::size_t dropped = std::min(skipping_, bytes.size());
  skipping_ -= dropped;
  buffer_ += bytes.substr(dropped);
}

base::Result<std::optional<Packet>> PacketReader::next() {
  if (skipping_ > 0) return std::nullopt;
  if (skipped_) return std::optional<Packet>(std::exchange(skipped_, {}));
  return cut();
}

base::Result<std::optional<Packet>> PacketReader::cut() {
  const std::string_view left = std::string_view(buffer_).substr(begin_);
  if (left.empty()) return std::nullopt;
  const auto first = static_cast<unsigned char>(left[0]);
  const int type = first >> 4, flags = first & 0x0F;
  const bool v5 = protocol_ == Protocol::v5;
  if (!may_come(type, v5)) return malformed(type, "no broker may send it");
  if (!are_flags_right(type, flags)) return malformed(type, "its flags are wrong");
  std::size_t size = 0, head = 1;
  for (int shift = 0;; shift += 7) {
    if (head == left.size()) return std::nullopt;
    const auto part = static_cast<unsigned char>(left[head++]);
    size |= static_cast<std::size_t>(part & 0x7F) << shift;
    if (part < 0x80) break;
    if (shift == 21) return malformed(type, "its length has more than four bytes");
  }
  if (type == kPublishType && size > kLargestPacket && !v5) return skip(flags, head, size);
  if (const std::size_t most = type == kPublishType ? kLargestPacket : kLargestControl; size > most)
    return malformed(type, fmt::format("it has {} bytes, and {} are the limit", size, most));
  if (left.size() - head < size) return std::nullopt;
  auto packet = decode(type, flags, left.substr(head, size), v5);
  if (!packet) return std::unexpected(std::move(packet.error()));
  begin_ += head + size;
  return std::optional<Packet>(std::move(*packet));
}

base::Result<std::optional<Packet>> PacketReader::skip(int flags, std::size_t head, std::size_t size) {
  const std::string_view left = std::string_view(buffer_).substr(begin_ + head);
  if (left.size() < 2) return std::nullopt;
  const std::size_t start = 2 + ByteReader(left).two_bytes() + ((flags >> 1 & 3) > 0 ? 2u : 0u);
  if (left.size() < start) return std::nullopt;
  ByteReader in(left.substr(0, start));
  auto packet = decode_publish(in, flags, false);
  if (!packet) return std::unexpected(std::move(packet.error()));
  auto& delivery = std::get<Delivery>(*packet);
  skipped_ = DroppedDelivery{std::move(delivery.topic), delivery.qos, delivery.id, size - start};
  const std::size_t here = std::min(left.size(), size);
  begin_ += head + here;
  skipping_ = size - here;
  return next();
}

}  // namespace hearth::integrations::mqtt
