// SPDX-License-Identifier: Apache-2.0
#include "net/mdns/instance.h"

#include <algorithm>

#include "base/text/text.h"
#include "base/text/utf8.h"

namespace hearth::net {

const std::string* MdnsInstance::text(std::string_view key) const {
  const auto found =
      std::ranges::find_if(texts, [&](const auto& each) { return base::equals_ignoring_case(each.first, key); });
  return found == texts.end() ? nullptr : &found->second;
}

std::string clean_text(std::string_view text, std::size_t max_bytes) {
  std::string clean = base::utf8_repaired(text);
  for (char& c : clean) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) c = ' ';
  }
  if (clean.size() > max_bytes) {
    std::size_t end = max_bytes;
    while (end > 0 && (static_cast<unsigned char>(clean[end]) & 0xC0) == 0x80) --end;
    clean.resize(end);
  }
  return clean;
}

std::vector<std::pair<std::string, std::string>> parse_txt(std::span<const std::string_view> entries) {
  std::vector<std::pair<std::string, std::string>> texts;
  std::size_t bytes = 0;
  for (const std::string_view entry : entries) {
    bytes += entry.size() + 1;
    if (bytes > kMaxTxtBytes) break;
    const auto equal = std::min(entry.find('='), entry.size());
    const std::string_view key = entry.substr(0, equal);
    const bool is_key = !key.empty() && std::ranges::all_of(key, [](char c) { return c >= 0x20 && c < 0x7F; });
    const auto is_same = [&](const auto& each) { return base::equals_ignoring_case(each.first, key); };
    if (!is_key || std::ranges::any_of(texts, is_same)) continue;
    texts.emplace_back(key, clean_text(entry.substr(std::min(equal + 1, entry.size())), kMaxTxtBytes));
  }
  return texts;
}

bool is_reachable(const Address& address) {
  if (address.is_unspecified() || address.is_loopback() || address.is_multicast()) return false;
  if (address.is_v4()) return address.to_v4() != boost::asio::ip::address_v4::broadcast();
  return !address.to_v6().is_v4_mapped();
}

}  // namespace hearth::net
