// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/node/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace hearth::integrations::esphome {
namespace {

constexpr std::size_t kMacDigits = 12;
constexpr std::size_t kMaxSlug = 100;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

}  // namespace

std::optional<std::string> normal_mac(std::string_view text) {
  std::string digits, mac;
  for (const char c : text) {
    if (c == ':') continue;
    const char digit = lower(c);
    if (!((digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f'))) return {};
    digits += digit;
  }
  if (digits.size() != kMacDigits) return {};
  for (std::size_t place = 0; place < kMacDigits; place += 2) mac += (place ? ":" : "") + digits.substr(place, 2);
  return mac;
}

std::string object_id_of(std::string_view name) {
  std::string id;
  for (const char c : name) {
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;  // within a letter of several bytes
    const char small = lower(c);
    id += is_plain(small) ? small : '_';
  }
  return id;
}

std::string slug_of(std::string_view text) {
  std::string slug;
  for (const char c : object_id_of(text)) {
    const char letter = c == '-' ? '_' : c;
    if (letter == '_' && (slug.empty() || slug.back() == '_')) continue;
    if (slug.size() < kMaxSlug) slug += letter;
  }
  while (slug.ends_with('_')) slug.pop_back();
  return slug;
}

std::string unique_id_of(std::string_view mac, std::string_view component, std::string_view object_id,
                         std::uint32_t device_id) {
  std::string upper(mac);
  std::ranges::transform(upper, upper.begin(), [](char c) { return static_cast<char>(std::toupper(c)); });
  std::string id = fmt::format("{}-{}-{}", upper, component, object_id);
  if (device_id != 0) id += fmt::format("@{}", device_id);
  return id;
}

}  // namespace hearth::integrations::esphome
