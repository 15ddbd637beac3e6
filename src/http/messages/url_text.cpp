// SPDX-License-Identifier: Apache-2.0
#include "http/messages/url_text.h"

#include <array>

#include "base/text/utf8.h"

namespace hearth::http {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Bytes that need no encoding, in paths and in queries.
constexpr auto kPlain = [] {
  std::array<bool, 256> plain{};
  for (int c = 0x20; c < 0x7F; ++c) plain[c] = c != '%' && c != '+';
  return plain;
}();

}  // namespace

std::string_view decode_url(std::string_view text, UrlPart part, std::string& out) {
  // Most texts need no decoding and are copied whole.
  std::size_t plain = 0;
  while (plain < text.size() && kPlain[static_cast<unsigned char>(text[plain])]) ++plain;
  const std::size_t start = out.size();
  out.append(text, 0, plain);
  bool ascii = true;
  for (std::size_t i = plain; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
      if (high >= 0 && low >= 0) {
        c = static_cast<char>(high << 4 | low);
        i += 2;
      } else if (part == UrlPart::path) {
        return "a stray %";
      }
    } else if (c == '+' && part == UrlPart::query) {
      c = ' ';
    }
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) return "a control character";
    ascii &= byte < 0x80;
    out += c;
  }
  if (!ascii && !base::utf8_length(std::string_view(out).substr(start))) return "text that is not UTF-8";
  return {};
}

std::string_view take_until(std::string_view& text, char separator) {
  const auto end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

}  // namespace hearth::http
