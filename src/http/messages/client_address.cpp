// SPDX-License-Identifier: Apache-2.0
#include "http/messages/client_address.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/net/address_prefix.h"
#include "base/text/text.h"

namespace hearth::http {
namespace {

using boost::asio::ip::address;

bool is_port(std::string_view text) {
  std::uint16_t port = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, port);
  return error == std::errc() && end == last;
}

// `192.0.2.1`, `192.0.2.1:51234`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:443`.
std::optional<address> parse_node(std::string_view text) {
  boost::system::error_code error;
  std::string_view host = text;
  const bool bracketed = text.starts_with('[');
  if (bracketed) {
    const auto end = text.find(']');
    if (end == std::string_view::npos) return {};
    host = text.substr(1, end - 1);
    const std::string_view rest = text.substr(end + 1);
    if (!rest.empty() && (!rest.starts_with(':') || !is_port(rest.substr(1)))) return {};
  } else if (const auto colon = text.find(':'); colon != std::string_view::npos && colon == text.rfind(':')) {
    if (!is_port(text.substr(colon + 1))) return {};
    host = text.substr(0, colon);
  }
  const address parsed = boost::asio::ip::make_address(host, error);
  // A zone (`%eth0`) means nothing to another machine.
  if (error || host.contains('%') || (bracketed && !parsed.is_v6())) return {};
  return base::unmapped(parsed);
}

// The item after the last separator outside quotes; `list` keeps what comes before it, and becomes null if nothing
// does.
std::string_view take_last(std::string_view& list, char separator) {
  bool quoted = false;
  for (std::size_t i = list.size(); i > 0; --i) {
    const char c = list[i - 1];
    if (c == '"') quoted = !quoted;
    if (c != separator || quoted) continue;
    const std::string_view last = list.substr(i);
    list = list.substr(0, i - 1);
    return base::trim_blanks(last);
  }
  return base::trim_blanks(std::exchange(list, {}));
}

// A parameter of one element of Forwarded: `for="[2001:db8::1]:443";proto=https`. Empty if it has none.
std::string_view forwarded_parameter(std::string_view element, std::string_view name) {
  while (element.data()) {
    const std::string_view pair = take_last(element, ';');
    const auto equals = pair.find('=');
    if (equals == std::string_view::npos || !base::equals_ignoring_case(pair.substr(0, equals), name)) continue;
    std::string_view value = pair.substr(equals + 1);
    if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"')) value = value.substr(1, value.size() - 2);
    return value;
  }
  return {};
}

bool is_trusted(const address& peer, const std::vector<base::IpNetwork>& trusted) {
  return std::any_of(trusted.begin(), trusted.end(), [&](const auto& network) { return network.contains(peer); });
}

}  // namespace

std::expected<address, ForwardingError> client_address(const address& peer, const RequestHeaders& headers,
                                                       const std::vector<base::IpNetwork>& trusted) {
  address client = base::unmapped(peer);
  if (!headers.has_x_forwarded_for && !headers.has_forwarded) return client;
  if (!is_trusted(client, trusted)) return std::unexpected(ForwardingError::untrusted);
  std::string_view list = headers.has_x_forwarded_for ? headers.x_forwarded_for : headers.forwarded;
  for (bool believed = true; list.data();) {
    const std::string_view last = take_last(list, ',');
    const auto node = parse_node(headers.has_x_forwarded_for ? last : forwarded_parameter(last, "for"));
    if (!node) return std::unexpected(ForwardingError::unreadable);
    if (believed) client = *node;
    believed = believed && is_trusted(client, trusted);
  }
  return client;
}

bool came_over_tls(const address& peer, const RequestHeaders& headers, const std::vector<base::IpNetwork>& trusted) {
  const bool by_standard = headers.x_forwarded_proto.empty();
  if (by_standard && (headers.has_x_forwarded_for || !headers.has_forwarded)) return false;
  if (!is_trusted(base::unmapped(peer), trusted)) return false;
  std::string_view list = by_standard ? headers.forwarded : headers.x_forwarded_proto;
  const std::string_view last = take_last(list, ',');
  return base::equals_ignoring_case(by_standard ? forwarded_parameter(last, "proto") : last, "https");
}

}  // namespace hearth::http
