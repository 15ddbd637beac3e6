// SPDX-License-Identifier: Apache-2.0
#include "automation/config/json_node.h"

#include <fmt/format.h>

namespace hearth::automation {

base::ConfigNode node_of_json(const json::value& value, base::ConfigNode::Place place) {
  if (value.is_null()) return base::ConfigNode(std::move(place));
  const auto inner = [&](std::string key) {
    base::ConfigNode::Place made = place;
    made.key = std::move(key);
    return made;
  };
  if (const auto* const list = value.if_array()) {
    base::ConfigNode::List items;
    for (const json::value& item : *list)
      items.push_back(node_of_json(item, inner(fmt::format("{}[{}]", place.key, items.size()))));
    return {std::move(place), std::move(items)};
  }
  if (const auto* const object = value.if_object()) {
    base::ConfigNode::Map map;
    for (const auto& [name, item] : *object)
      map.push_back({name, node_of_json(item, inner(place.key.empty()
                                                        ? std::string(name)
                                                        : fmt::format("{}.{}", place.key, std::string_view(name))))});
    return {std::move(place), std::move(map)};
  }
  if (value.is_string()) return {std::move(place), std::string(value.get_string())};
  return {std::move(place), base::to_json(value), {.plain = true}};
}

base::ConfigNode node_of_json(const json::value& value, const std::string& key) {
  base::ConfigNode::Place place;
  place.key = key;
  return node_of_json(value, std::move(place));
}

}  // namespace hearth::automation
