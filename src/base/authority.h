// SPDX-License-Identifier: Apache-2.0
// Host and port, as the Host field (RFC 9110 §7.2) and addresses of the web name them. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hearth::base {

struct Authority {
  std::string host;  // lower case; an IPv6 address within its brackets
  std::uint16_t port;

  bool operator==(const Authority&) const = default;
};

// `hub.local`, `192.168.1.5:8123`, `[::1]:8123`; without a port it has the one given. Nothing if the text is something
// else.
std::optional<Authority> parse_authority(std::string_view text, std::uint16_t default_port);

// Whether the name can be the hub's only if somebody at home, or its owner, says so: an IP address, `localhost`, a
// single label, a name below .local, .home.arpa, .lan or .internal. Any other name its owner can let point to any
// address, when a browser has loaded a page from there (DNS rebinding).
bool is_home_name(std::string_view host);

}  // namespace hearth::base
