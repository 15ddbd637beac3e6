// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/session/recent_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text/timestamp.h"
#include "integrations/esphome/protocol/messages.h"

namespace hearth::integrations::esphome {
namespace {

// Passwords, keys, codes of locks and alarms, and texts, which may be passwords.
constexpr std::uint32_t kSecret[] = {message::password, message::new_key, 60, 96, 98, 99};
constexpr std::string_view kHidden = "**";

std::optional<std::uint64_t> next_number(std::string_view& bytes) {
  std::uint64_t number = 0;
  for (std::size_t place = 0; place < bytes.size() && place < 10; ++place) {
    const auto byte = static_cast<unsigned char>(bytes[place]);
    number |= static_cast<std::uint64_t>(byte & 0x7F) << (7 * place);
    if (byte & 0x80) continue;
    bytes.remove_prefix(place + 1);
    return number;
  }
  return {};
}

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (std::size_t place = 0; place < bytes.size(); ++place)
    number |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[place])) << (8 * place);
  return number;
}

// The value of a field after its tag; null at the end of what was kept.
std::optional<std::string> take_value(std::string_view& rest, unsigned wire) {
  const auto fixed = [&](std::size_t size) -> std::optional<std::string> {
    if (rest.size() < size) return {};
    const std::uint64_t number = little_endian(rest.substr(0, size));
    rest.remove_prefix(size);
    return fmt::format("{:#x}", number);
  };
  if (wire == 1) return fixed(8);
  if (wire == 5) return fixed(4);
  const auto number = next_number(rest);
  if (!number || (wire != 0 && wire != 2)) return {};
  if (wire == 0) return fmt::format("{}", *number);
  const bool cut = *number > rest.size();
  const std::string_view bytes = rest.substr(0, *number);
  rest.remove_prefix(bytes.size());
  return fmt::format("\"{}\"{}", clean_text(bytes), cut ? "…" : "");
}

}  // namespace

std::string payload_text(std::string_view payload) {
  std::string text;
  while (!payload.empty()) {
    const auto tag = next_number(payload);
    const auto value = tag ? take_value(payload, static_cast<unsigned>(*tag & 7)) : std::nullopt;
    if (!value) return text + (text.empty() ? "…" : ", …");
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", *tag >> 3, *value);
  }
  return text;
}

void RecentMessages::add(bool sent, std::uint32_t type, std::string_view payload) {
  ++(sent ? sent_ : received_);
  if (!sent) bytes_received_ += payload.size();
  if (messages_.size() == kMost) messages_.pop_front();
  const bool secret = std::ranges::find(kSecret, type) != std::end(kSecret);
  messages_.push_back(
      {clock_.now(), sent, type, payload.size(), secret ? std::string() : std::string(payload.substr(0, kMaxPayload))});
}

json::object RecentMessages::report() const {
  json::array messages;
  for (const Message& each : messages_) {
    const bool secret = std::ranges::find(kSecret, each.type) != std::end(kSecret);
    messages.push_back({{"time", base::to_string(each.time)},
                        {"direction", each.sent ? "sent" : "received"},
                        {"type", each.type},
                        {"size", each.size},
                        {"payload", secret ? std::string(kHidden) : payload_text(each.payload)}});
  }
  return {
      {"messages", std::move(messages)}, {"sent", sent_}, {"received", received_}, {"bytes_received", bytes_received_}};
}

}  // namespace hearth::integrations::esphome
