// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/mirror/mirrored_ids.h"

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
    json::object made;
    bool renamed = false;
    for (auto& [key, member] : *object) {
      const std::string_view translated = translate(std::string_view(key));
      renamed |= !translated.empty() && translated != std::string_view(key);
      translate_ids(member, translate);
      made[translated.empty() ? std::string_view(key) : translated] = member;
    }
    if (renamed) *object = std::move(made);
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
