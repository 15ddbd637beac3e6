// SPDX-License-Identifier: Apache-2.0
#include "net/mdns/service.h"

#include "base/text/utf8.h"

namespace hearth::net {
namespace {

constexpr std::size_t kMostNameBytes = 63, kMostTextBytes = 255;

}  // namespace

std::string service_name(std::string_view text) {
  std::string name;
  if (!base::utf8_length(text)) return name;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    name += c == '.' || byte < 0x20 || byte == 0x7F ? ' ' : c;
  }
  if (name.size() > kMostNameBytes) {
    std::size_t end = kMostNameBytes;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
    name.resize(end);
  }
  const auto first = name.find_first_not_of(' ');
  return first == std::string::npos ? std::string() : name.substr(first, name.find_last_not_of(' ') + 1 - first);
}

std::string service_text(std::string_view key, std::string_view value) {
  std::string text(key);
  text += '=';
  if (text.size() + value.size() <= kMostTextBytes) text += value;
  return text;
}

}  // namespace hearth::net
