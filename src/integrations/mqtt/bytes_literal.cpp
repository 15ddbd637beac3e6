// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/bytes_literal.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace hearth::integrations::mqtt {
namespace {

constexpr std::string_view kShort = "\\'\"abfnrtv", kMeant = "\\'\"\a\b\f\n\r\t\v";

// The byte in the digits at the start of `text`, which are taken away. Null if there are fewer than `least`.
std::optional<char> take_byte(std::string_view& text, int base, std::size_t least, std::size_t most) {
  unsigned number = 0;
  const std::size_t length = std::min(most, text.size());
  const auto [end, error] = std::from_chars(text.data(), text.data() + length, number, base);
  const auto taken = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || taken < least || number > 255) return {};
  text.remove_prefix(taken);
  return static_cast<char>(number);
}

// The byte after a backslash. Null if it is none.
std::optional<std::string> take_escaped(std::string_view& text) {
  if (const auto known = kShort.find(text[0]); known != std::string_view::npos) {
    text.remove_prefix(1);
    return std::string(1, kMeant[known]);
  }
  std::optional<char> byte;
  if (text[0] == 'x') {
    text.remove_prefix(1);
    byte = take_byte(text, 16, 2, 2);
  } else if (text[0] >= '0' && text[0] <= '7') {
    byte = take_byte(text, 8, 1, 3);
  } else {
    // Others are no escapes: both characters stay.
    const std::string both{'\\', text[0]};
    text.remove_prefix(1);
    return both;
  }
  if (!byte) return {};
  return std::string(1, *byte);
}

std::unexpected<base::Error> no_literal(std::string_view why) {
  return base::fail(base::ErrorCode::invalid,
                    fmt::format("payload: expected bytes such as b'\\x01\\xff', got a literal {}", why));
}

}  // namespace

base::Result<std::string> evaluated_bytes(std::string_view text) {
  if (!text.starts_with("b'") && !text.starts_with("b\"")) return std::string(text);
  const char quote = text[1];
  text.remove_prefix(2);
  std::string bytes;
  while (!text.empty() && text[0] != quote) {
    const char next = text[0];
    if (static_cast<unsigned char>(next) >= 0x80) return no_literal("with a character that is not ASCII");
    if (next == '\n' || next == '\r') return no_literal("of several lines");
    text.remove_prefix(1);
    if (next != '\\') {
      bytes += next;
      continue;
    }
    if (text.empty()) break;
    const auto escaped = take_escaped(text);
    if (!escaped) return no_literal("with a broken escape");
    bytes += *escaped;
  }
  if (text.empty()) return no_literal("without an end");
  if (text.size() > 1) return no_literal("with something behind it");
  return bytes;
}

}  // namespace hearth::integrations::mqtt
