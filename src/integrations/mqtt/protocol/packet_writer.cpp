// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/protocol/packet_writer.h"

#include <fmt/format.h>

#include "integrations/mqtt/protocol/packet_reader.h"
#include "integrations/mqtt/protocol/properties.h"
#include "integrations/mqtt/protocol/text.h"

namespace hearth::integrations::mqtt {
namespace {

void append_number(std::string& out, std::uint32_t value, int bytes) {
  while (bytes-- > 0) out += static_cast<char>(value >> 8 * bytes & 0xFF);
}

void append_variable(std::string& out, std::size_t value) {
  do {
    const std::size_t rest = value >> 7;
    out += static_cast<char>((value & 0x7F) | (rest > 0 ? 0x80 : 0));
    value = rest;
  } while (value > 0);
}

std::size_t variable_size(std::size_t value) {
  return value < 128 ? 1 : value < 16'384 ? 2 : value < 2'097'152 ? 3 : 4;
}

// REQUIRES: at most kMaxTextBytes.
void append_text(std::string& out, std::string_view text) {
  append_number(out, static_cast<std::uint32_t>(text.size()), 2);
  out += text;
}

void append_packet(std::string& out, unsigned char first, std::string_view body) {
  out += static_cast<char>(first);
  append_variable(out, body.size());
  out += body;
}

std::size_t publish_body_size(Protocol protocol, const Publish& message) {
  const std::size_t properties = protocol == Protocol::v5 ? (message.expiry > 0 ? 6 : 1) : 0;
  return 2 + message.topic.size() + (message.qos > 0 ? 2 : 0) + properties + message.payload.size();
}

}  // namespace

base::Result<void> append_connect(std::string& out, Protocol protocol, const Options& options) {
  const bool v5 = protocol == Protocol::v5;
  const auto& will = options.will;
  if (will && will->payload.size() > kMaxTextBytes) {
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("will_message: expected a payload of at most {} bytes", kMaxTextBytes));
  }
  // Before version 5 there is no password without a user (MQTT 3.1.1 §3.1.2.9).
  const bool user = !options.username.empty(), password = !options.password.empty() && (user || v5);
  unsigned flags = 2;  // a new session
  if (will) flags |= 4u | static_cast<unsigned>(will->qos) << 3 | (will->retain ? 32u : 0u);
  if (password) flags |= 64;
  if (user) flags |= 128;
  std::string body;
  append_text(body, protocol == Protocol::v31 ? "MQIsdp" : "MQTT");
  append_number(body, v5 ? 5 : protocol == Protocol::v31 ? 3 : 4, 1);
  append_number(body, flags, 1);
  append_number(body, static_cast<std::uint32_t>(options.keepalive), 2);
  if (v5) {
    append_number(body, 5, 1);  // bytes of properties
    append_number(body, static_cast<std::uint32_t>(PropertyId::maximum_packet_size), 1);
    append_number(body, PacketReader::kLargestPacket, 4);
  }
  append_text(body, options.client_id);
  if (will) {
    if (v5) append_number(body, 0, 1);
    append_text(body, will->topic);
    append_text(body, will->payload);
  }
  if (user) append_text(body, options.username);
  if (password) append_text(body, options.password);
  append_packet(out, 0x10, body);
  return {};
}

void append_publish(std::string& out, Protocol protocol, const Publish& message, std::uint16_t id) {
  out.reserve(out.size() + publish_size(protocol, message));
  out += static_cast<char>(0x30 | message.qos << 1 | (message.retain ? 1 : 0));
  append_variable(out, publish_body_size(protocol, message));
  append_text(out, message.topic);
  if (message.qos > 0) append_number(out, id, 2);
  if (protocol == Protocol::v5) {
    append_number(out, message.expiry > 0 ? 5 : 0, 1);  // bytes of properties
    if (message.expiry > 0) {
      append_number(out, static_cast<std::uint32_t>(PropertyId::message_expiry), 1);
      append_number(out, message.expiry, 4);
    }
  }
  out += message.payload;
}

std::size_t publish_size(Protocol protocol, const Publish& message) {
  const std::size_t body = publish_body_size(protocol, message);
  return 1 + variable_size(body) + body;
}

void append_acknowledgement(std::string& out, Protocol protocol, const Acknowledgement& answer) {
  const auto type = static_cast<unsigned>(answer.kind);
  const bool with_code = protocol == Protocol::v5 && answer.code != 0;
  append_number(out, type << 4 | (answer.kind == Acknowledgement::Kind::released ? 2u : 0u), 1);
  append_number(out, with_code ? 3 : 2, 1);
  append_number(out, answer.id, 2);
  if (with_code) append_number(out, answer.code, 1);
}

void append_subscribe(std::string& out, Protocol protocol, const Subscribe& order, std::uint16_t id, bool with_number) {
  std::string body;
  append_number(body, id, 2);
  if (protocol == Protocol::v5) {
    append_number(body, with_number ? static_cast<std::uint32_t>(1 + variable_size(order.number)) : 0, 1);
    if (with_number) {
      append_number(body, static_cast<std::uint32_t>(PropertyId::subscription_identifier), 1);
      append_variable(body, order.number);
    }
  }
  append_text(body, order.filter);
  append_number(body, static_cast<std::uint32_t>(order.qos), 1);
  append_packet(out, 0x82, body);
}

void append_unsubscribe(std::string& out, Protocol protocol, const std::string& filter, std::uint16_t id) {
  std::string body;
  append_number(body, id, 2);
  if (protocol == Protocol::v5) append_number(body, 0, 1);
  append_text(body, filter);
  append_packet(out, 0xA2, body);
}

void append_ping(std::string& out) {
  append_packet(out, 0xC0, {});
}

void append_disconnect(std::string& out) {
  append_packet(out, 0xE0, {});
}

}  // namespace hearth::integrations::mqtt
