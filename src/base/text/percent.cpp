// SPDX-License-Identifier: Apache-2.0
#include "base/text/percent.h"

#include <fmt/format.h>

#include <iterator>

namespace hearth::base {

void append_percent_encoded(std::string& out, std::string_view text) {
  for (const char c : text) {
    const bool unreserved = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                            c == '.' || c == '_' || c == '~';
    if (unreserved)
      out += c;
    else
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
  }
}

std::string percent_encoded(std::string_view text) {
  std::string out;
  append_percent_encoded(out, text);
  return out;
}

}  // namespace hearth::base
