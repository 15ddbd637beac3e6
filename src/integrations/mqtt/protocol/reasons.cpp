// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/protocol/reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace hearth::integrations::mqtt {
namespace {

struct Reason {
  std::uint8_t code;
  std::string_view text;
};

constexpr std::string_view kBadPassword = "the broker refuses the user name or the password";
constexpr std::string_view kBadVersion = "the broker does not speak this version of MQTT";

constexpr Reason kReasons[] = {
    {0x80, "unspecified error"},
    {0x81, "malformed packet"},
    {0x82, "protocol error"},
    {0x83, "implementation specific error"},
    {0x84, "unsupported protocol version"},
    {0x85, "client identifier not valid"},
    {0x86, "bad user name or password"},
    {0x87, "not authorised"},
    {0x88, "server unavailable"},
    {0x89, "server busy"},
    {0x8A, "banned"},
    {0x8B, "server shutting down"},
    {0x8C, "bad authentication method"},
    {0x8D, "keep alive timeout"},
    {0x8E, "session taken over"},
    {0x8F, "topic filter invalid"},
    {0x90, "topic name invalid"},
    {0x91, "packet identifier in use"},
    {0x92, "packet identifier not found"},
    {0x93, "receive maximum exceeded"},
    {0x94, "topic alias invalid"},
    {0x95, "packet too large"},
    {0x96, "message rate too high"},
    {0x97, "quota exceeded"},
    {0x98, "administrative action"},
    {0x99, "payload format invalid"},
    {0x9A, "retain not supported"},
    {0x9B, "quality of service not supported"},
    {0x9C, "use another server"},
    {0x9D, "server moved"},
    {0x9E, "shared subscriptions not supported"},
    {0x9F, "connection rate exceeded"},
    {0xA0, "maximum connect time"},
    {0xA1, "subscription identifiers not supported"},
    {0xA2, "wildcard subscriptions not supported"},
};

// Of MQTT 3.1.1.
constexpr Reason kOldRefusals[] = {{1, kBadVersion},
                                   {2, "client identifier not valid"},
                                   {3, "server unavailable"},
                                   {4, kBadPassword},
                                   {5, kBadPassword}};

}  // namespace

std::string refusal_of(std::uint8_t code, Protocol protocol) {
  std::string text;
  if (protocol == Protocol::v5) {
    if (code == 0x86 || code == 0x87) return std::string(kBadPassword);
    if (code == 0x84 || code == 1) return std::string(kBadVersion);
    text = reason_of(code);
  } else {
    const auto* const found = std::ranges::find(kOldRefusals, code, &Reason::code);
    text = found == std::end(kOldRefusals) ? fmt::format("reason {}", code) : std::string(found->text);
    if (text == kBadPassword || text == kBadVersion) return text;
  }
  return fmt::format("the broker refuses the connection: {}", text);
}

std::string reason_of(std::uint8_t code) {
  const auto* const found = std::ranges::find(kReasons, code, &Reason::code);
  return found == std::end(kReasons) ? fmt::format("reason {}", code) : std::string(found->text);
}

}  // namespace hearth::integrations::mqtt
