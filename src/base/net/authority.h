// SPDX-License-Identifier: Apache-2.0
// Host and port, as in the Host field (RFC 9110 §7.2) and in URLs. Any thread.
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

// Takes `hub.local`, `192.168.1.5:8123`, `[::1]:8123`; a missing port becomes the default. Null if the text is anything
// else.
std::optional<Authority> parse_authority(std::string_view text, std::uint16_t default_port);

// True if only the home's network or this machine can resolve the name: an IP address, `localhost`, a single label, or
// a name below .local, .home.arpa, .lan or .internal. The owner of any other name can point it at any address after a
// browser has loaded a page from it (DNS rebinding).
bool is_home_name(std::string_view host);

// True if the name is this machine's own for whoever uses it: `localhost`, a name below it, an address of loopback.
// Browsers trust a page from there as they trust https (Secure Contexts §3.1).
bool is_own_machine(std::string_view host);

}  // namespace hearth::base
