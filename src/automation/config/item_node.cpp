// SPDX-License-Identifier: Apache-2.0
#include "automation/config/item_node.h"

#include <fmt/format.h>

#include <algorithm>

namespace hearth::automation {

using base::ConfigNode;

ConfigNode rerooted(const ConfigNode& node, const ConfigNode::Place& root) {
  ConfigNode::Place place = node.place();
  const bool same_file = place.file && root.file && *place.file == *root.file;
  if (same_file && place.key.starts_with(root.key)) {
    place.key.erase(0, root.key.size());
    if (place.key.starts_with('.')) place.key.erase(0, 1);
  }
  if (const base::Error* const why = node.broken()) {
    const std::string before = node.error("").message;
    if (!why->message.starts_with(before)) return {std::move(place), *why};
    base::Error moved = ConfigNode(place).error(std::string_view(why->message).substr(before.size()));
    return {std::move(place), std::move(moved)};
  }
  if (node.is_text()) return {std::move(place), node.text().value(), node.writing()};
  if (node.is_list()) {
    ConfigNode::List list;
    for (const ConfigNode& item : node.items()) list.push_back(rerooted(item, root));
    return {std::move(place), std::move(list)};
  }
  if (node.is_map()) {
    ConfigNode::Map map;
    for (const ConfigNode::Entry& entry : node.entries()) map.push_back({entry.key, rerooted(entry.value, root)});
    return {std::move(place), std::move(map)};
  }
  return ConfigNode(std::move(place));
}

void collect_broken(const ConfigNode& node, std::string& errors) {
  if (const base::Error* const why = node.broken()) errors += (errors.empty() ? "" : "\n") + why->message;
  for (const ConfigNode& item : node.items()) collect_broken(item, errors);
  for (const ConfigNode::Entry& entry : node.entries()) collect_broken(entry.value, errors);
}

std::string with_lines(std::string text, std::string_view more) {
  while (!more.empty()) {
    const std::string_view line = more.substr(0, more.find('\n'));
    if (!text.contains(line)) text.append(text.empty() ? "" : "\n").append(line);
    more.remove_prefix(std::min(line.size() + 1, more.size()));
  }
  return text;
}

std::string place_of(const ConfigNode& node) {
  return fmt::format("{}:{}", node.place().file ? *node.place().file : "", node.place().line);
}

}  // namespace hearth::automation
