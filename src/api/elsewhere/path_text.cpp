// SPDX-License-Identifier: Apache-2.0
#include "api/elsewhere/path_text.h"

#include <fmt/format.h>

namespace hearth::api {
namespace {

// RFC 3986 §2.3.
bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

void append_encoded(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (is_unreserved(c))
      out += c;
    else
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
  }
}

}  // namespace

std::string path_text(const http::Target& target, std::size_t first) {
  std::string text;
  for (std::size_t i = first; i < target.size(); ++i) {
    if (i > first) text += '/';
    append_encoded(text, target.segment(i));
  }
  return text;
}

std::string query_text(const http::Target& target) {
  std::string text;
  for (const auto& [name, value] : target.query()) {
    if (name == "token") continue;
    if (!text.empty()) text += '&';
    append_encoded(text, name);
    text += '=';
    append_encoded(text, value);
  }
  return text;
}

}  // namespace hearth::api
