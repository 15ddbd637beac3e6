// SPDX-License-Identifier: Apache-2.0
// The other end of a connection. A value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "net/reactor/resolver.h"
#include "net/reactor/tls.h"

namespace hearth::net {

struct Target {
  std::string host;  // a name or an address, without brackets
  std::uint16_t port = 0;
  std::optional<TlsOptions> tls = {};
  // Where mDNS has found the host: it is not looked up then.
  Addresses addresses = {};
  // A stranger has named it: it must lead neither to this machine nor to a link-local address, where machines in a
  // cloud have their secrets.
  bool foreign = false;
  bool only_public = false;  // of a foreign one: nor to an address of a private network

  // `bedroom.local:6053`, `[fe80::1]:80`: for people.
  std::string str() const;
  bool operator==(const Target&) const = default;
};

}  // namespace hearth::net
