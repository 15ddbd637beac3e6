// SPDX-License-Identifier: Apache-2.0
// A service as mDNS shows it to the network (RFC 6763).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hearth::net {

struct MdnsService {
  std::string name;  // for people; gets a suffix such as " #2" if the network has it already
  std::string type;  // such as _home-assistant._tcp
  std::uint16_t port = 0;
  std::vector<std::pair<std::string, std::string>> texts;  // of TXT: keys and values

  bool operator==(const MdnsService&) const = default;
};

// The text as a service's name: valid UTF-8 of at most 63 bytes without dots and control characters. Empty if nothing
// is left.
std::string service_name(std::string_view text);
// `key=value` for TXT. A value that makes it longer than 255 bytes is left out: `key=`.
std::string service_text(std::string_view key, std::string_view value);

}  // namespace hearth::net
