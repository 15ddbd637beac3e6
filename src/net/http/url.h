// SPDX-License-Identifier: Apache-2.0
// Addresses with http:// or https://, or ws:// or wss:// (RFC 3986, RFC 9110 §4.2, RFC 6455 §3). Values; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "net/reactor/failure.h"

namespace hearth::net {

struct Url {
  static constexpr std::size_t kMaxLength = 8'192;  // bytes

  bool secure = false;       // https or wss
  std::string host;          // lower case, an IPv6 address without its brackets
  std::uint16_t port = 0;    // never 0
  std::string target = "/";  // path and query, percent-encoded
  std::string user, password;

  // As the Host field has it: with brackets, without the default port.
  std::string authority() const;
  // Scheme, host and port: who gets credentials.
  bool same_origin(const Url& other) const {
    return secure == other.secure && host == other.host && port == other.port;
  }
  // Without user name and password; `websocket` gives ws:// or wss://.
  std::string str(bool websocket = false) const;

  bool operator==(const Url&) const = default;
};

// Takes blanks, quotes and bytes above 127 in path and query as people write them. Drops the fragment. Fails with
// invalid_host; the message quotes the text without its password.
std::expected<Url, Failure> parse_url(std::string_view text);
// Where `location`, a field of an answer of `base`, leads (RFC 3986 §5.2). Without user name and password.
std::expected<Url, Failure> resolve_url(const Url& base, std::string_view location);

}  // namespace hearth::net
