// SPDX-License-Identifier: Apache-2.0
// A service that something in the network announces (RFC 6763), made of what strangers say: names and texts are clean
// UTF-8. Values; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/reactor/resolver.h"

namespace hearth::net {

struct MdnsInstance {
  std::string type = {};  // such as _esphomelib._tcp
  std::string name = {};  // for people, at most 63 bytes; one for each instance of a type
  std::string host = {};  // bedroom.local
  std::uint16_t port = 0;
  Addresses addresses = {};                                     // sorted; link-local ones with their zone
  std::vector<std::pair<std::string, std::string>> texts = {};  // of TXT, as they came; each key once

  // The value of a key, in any case. Null if there is none.
  const std::string* text(std::string_view key) const;
  bool operator==(const MdnsInstance&) const = default;
};

// It is new or has changed; or it has gone, and `instance` is as it was last told.
struct MdnsChange {
  MdnsInstance instance;
  bool gone = false;

  bool operator==(const MdnsChange&) const = default;
};

// Valid UTF-8 without control characters, cut to so many bytes between code points.
std::string clean_text(std::string_view text, std::size_t max_bytes);

constexpr std::size_t kMaxTxtBytes = 1'300;  // of all entries of an instance; what follows is dropped
// `key=value` each; entries without a key, and further ones of the same key, are dropped (RFC 6763 §6.4).
std::vector<std::pair<std::string, std::string>> parse_txt(std::span<const std::string_view> entries);

// False for addresses by which no other machine can be reached: loopback, multicast, 0.0.0.0 and the like.
bool is_reachable(const Address& address);

}  // namespace hearth::net
