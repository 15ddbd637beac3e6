// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/mirror/mirrored_ids.h"

#include <algorithm>
#include <utility>

namespace hearth::integrations::home_assistant {
namespace {

template <class Translate>
void translate_ids(json::value& value, const Translate& translate) {
  if (json::string* const text = value.if_string()) {
    const std::string_view translated = translate(std::string_view(*text));
    if (!translated.empty() && translated != std::string_view(*text)) *text = std::string(translated);
  } else if (json::array* const list = value.if_array()) {
    for (json::value& item : *list) translate_ids(item, translate);
  } else if (json::object* const object = value.if_object()) {
    for (auto& member : *object) translate_ids(member.value(), translate);
    const auto renamed = [&](const auto& member) {
      const std::string_view translated = translate(std::string_view(member.key()));
      return !translated.empty() && translated != std::string_view(member.key());
    };
    if (std::ranges::none_of(*object, renamed)) return;
    json::object made;
    for (auto& [key, member] : *object) {
      const std::string_view translated = translate(std::string_view(key));
      made[translated.empty() ? std::string_view(key) : translated] = std::move(member);
    }
    *object = std::move(made);
  }
}

}  // namespace

json::value MirroredIds::to_there(json::value data) const {
  translate_ids(data, [this](std::string_view id) {
    const std::string_view entity = entity_there(id);
    return entity.empty() ? device_there(id) : entity;
  });
  return data;
}

json::value MirroredIds::to_here(json::value data) const {
  translate_ids(data, [this](std::string_view id) {
    const std::string_view entity = entity_here(id);
    return entity.empty() ? device_here(id) : entity;
  });
  return data;
}

}  // namespace hearth::integrations::home_assistant
