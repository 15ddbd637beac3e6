// SPDX-License-Identifier: Apache-2.0
#include "automation/secrets.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "automation/parsing.h"

namespace hearth::automation {
namespace {

constexpr std::size_t kShortSecret = 4;  // such a secret might be a part of anything

}  // namespace

void mask_secrets(json::object& object, const std::vector<std::string>& secrets) {
  for (auto& entry : object) mask_secrets(entry.value(), secrets);
}

void mask_secrets(json::value& value, const std::vector<std::string>& secrets) {
  if (auto* const object = value.if_object()) {
    mask_secrets(*object, secrets);
  } else if (auto* const list = value.if_array()) {
    for (json::value& item : *list) mask_secrets(item, secrets);
  } else if (value.is_string()) {
    const std::string_view text = value.get_string();
    for (const std::string& secret : secrets) {
      if (text == secret || (secret.size() >= kShortSecret && text.contains(secret))) {
        value = json::string(kMaskedSecret);
        return;
      }
    }
  } else if (value.is_int64() || value.is_double()) {
    for (const std::string& secret : secrets) {
      if (base::to_json(value) == secret) {
        value = json::string(kMaskedSecret);
        return;
      }
    }
  }
}

std::string without_secrets(std::string text, const std::vector<std::string>& secrets) {
  const auto is_word = [&](std::size_t at) {
    const auto c = at < text.size() ? static_cast<unsigned char>(text[at]) : ' ';
    return c >= 0x80 || std::isalnum(c);
  };
  for (const std::string& secret : secrets) {
    if (secret.empty()) continue;
    for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
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

std::vector<std::string> secrets_of(const Configuration& configuration) {
  std::vector<std::string> secrets;
  for (const auto* const items : {&configuration.automations, &configuration.scripts}) {
    for (const auto& item : *items) secrets.insert(secrets.end(), item->secrets.begin(), item->secrets.end());
  }
  std::ranges::sort(secrets);
  const auto [first, last] = std::ranges::unique(secrets);
  secrets.erase(first, last);
  return secrets;
}

}  // namespace hearth::automation
