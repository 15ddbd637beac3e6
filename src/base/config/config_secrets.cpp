// SPDX-License-Identifier: Apache-2.0
#include "base/config/config_secrets.h"

#include <algorithm>
#include <cctype>

namespace hearth::base {
namespace {

void collect_secrets(const ConfigNode& node, std::vector<std::string>& secrets) {
  if (node.is_text() && node.writing().secret) {
    std::string text = node.text().value();
    if (std::ranges::find(secrets, text) == secrets.end()) secrets.push_back(std::move(text));
  }
  for (const ConfigNode& item : node.items()) collect_secrets(item, secrets);
  for (const ConfigNode::Entry& entry : node.entries()) collect_secrets(entry.value, secrets);
}

// Errors may show an entity in small letters.
std::string::size_type find_any_case(std::string_view text, std::string_view secret, std::size_t from) {
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  const auto found = std::search(text.begin() + static_cast<std::ptrdiff_t>(std::min(from, text.size())), text.end(),
                                 secret.begin(), secret.end(), [&](char a, char b) { return small(a) == small(b); });
  return found == text.end() ? std::string::npos : static_cast<std::size_t>(found - text.begin());
}

}  // namespace

std::vector<std::string> secrets_in(const ConfigNode& node) {
  std::vector<std::string> secrets;
  collect_secrets(node, secrets);
  return secrets;
}

std::string without_secrets(std::string text, const std::vector<std::string>& secrets) {
  const auto is_word = [&](std::size_t at) {
    const auto c = at < text.size() ? static_cast<unsigned char>(text[at]) : ' ';
    return c >= 0x80 || std::isalnum(c);
  };
  for (const std::string& secret : secrets) {
    if (secret.empty()) continue;
    for (auto at = find_any_case(text, secret, 0); at != std::string::npos; at = find_any_case(text, secret, at)) {
      const bool alone = !is_word(at - 1) && !is_word(at + secret.size());
      if (secret.size() < kShortSecret && !alone) {
        ++at;
        continue;
      }
      text.replace(at, secret.size(), kMaskedSecret);
      at += kMaskedSecret.size();
    }
  }
  return text;
}

}  // namespace hearth::base
