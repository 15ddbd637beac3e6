// SPDX-License-Identifier: Apache-2.0
#include "yaml/item_place.h"

#include "yaml/unresolved_yaml.h"

namespace hearth::yaml {

using base::ConfigNode;

std::optional<ItemPlace> item_place(ItemForm form, const std::string& id, const std::string& key) {
  if (key.empty()) return ItemPlace{form, {}, id};
  if (form == ItemForm::list)
    return key.ends_with(']') ? ItemPlace{form, key.substr(0, key.rfind('['))} : ItemPlace{form, key, id};
  if (key == id) return ItemPlace{form};
  if (key.ends_with("." + id)) return ItemPlace{form, key.substr(0, key.size() - id.size() - 1)};
  return {};
}

std::optional<std::string> item_key(const ConfigNode& file, const ItemPlace& place, const std::string& id) {
  const ConfigNode* const within = node_at(file, place.within);
  if (!within) return {};
  if (place.alone) return *place.alone == id ? std::optional(place.within) : std::nullopt;
  if (place.form == ItemForm::map)
    return within->find(id) ? std::optional(within->find(id)->place().key) : std::nullopt;
  for (const ConfigNode& item : within->items()) {
    const ConfigNode* const own = item.find("id");
    if (own && own->is_text() && own->text().value() == id) return item.place().key;
  }
  return {};
}

}  // namespace hearth::yaml
