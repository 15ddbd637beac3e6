// SPDX-License-Identifier: Apache-2.0
#include "base/text/utf8.h"

#include <algorithm>
#include <cstdint>

namespace hearth::base {

namespace {

// The length of the code point that starts at `i`; 0 if none does.
std::size_t code_point_size(std::string_view text, std::size_t i) {
  const auto first = static_cast<std::uint8_t>(text[i++]);
  if (first < 0x80) return 1;
  const std::size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  if (first < 0xC2 || first > 0xF4 || text.size() - i < more) return 0;
  const auto second = static_cast<std::uint8_t>(text[i]);
  const std::uint8_t low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const std::uint8_t high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (second < low || second > high) return 0;
  for (std::size_t k = 1; k < more; ++k) {
    if ((static_cast<std::uint8_t>(text[i + k]) & 0xC0) != 0x80) return 0;
  }
  return more + 1;
}

}  // namespace

std::optional<std::size_t> utf8_length(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++count) {
    const std::size_t size = code_point_size(text, i);
    if (size == 0) return {};
    i += size;
  }
  return count;
}

std::string utf8_repaired(std::string_view text) {
  std::string repaired;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = code_point_size(text, i);
    repaired += size == 0 ? std::string_view("\uFFFD") : text.substr(i, size);
    i += std::max<std::size_t>(size, 1);
  }
  return repaired;
}

std::string utf8_excerpt(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  while (max_bytes > 0 && (static_cast<std::uint8_t>(text[max_bytes]) & 0xC0) == 0x80) --max_bytes;
  return std::string(text.substr(0, max_bytes)) + "…";
}

}  // namespace hearth::base
