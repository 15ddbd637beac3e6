// SPDX-License-Identifier: Apache-2.0
#include "automation/items/secrets.h"

#include <algorithm>
#include <string_view>

namespace hearth::automation {
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
      if (text == secret || (secret.size() >= base::kShortSecret && text.contains(secret))) {
        value = json::string(base::kMaskedSecret);
        return;
      }
    }
  } else if (value.is_int64() || value.is_double()) {
    for (const std::string& secret : secrets) {
      if (base::to_json(value) == secret) {
        value = json::string(base::kMaskedSecret);
        return;
      }
    }
  }
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
