// SPDX-License-Identifier: Apache-2.0
#include "yaml/node_json.h"

#include <memory>

namespace hearth::yaml {
namespace {

using base::ConfigNode;

bool has_flag(const json::object& from, std::string_view key) {
  const json::value* const found = from.if_contains(key);
  return found && found->is_bool() && found->get_bool();
}

ConfigNode::Place place_of(const json::object& from) {
  ConfigNode::Place place;
  if (const json::value* const file = from.if_contains("file"); file && file->is_string())
    place.file = std::make_shared<const std::string>(file->get_string());
  if (const json::value* const line = from.if_contains("line"); line && line->is_int64() && line->get_int64() > 0)
    place.line = static_cast<std::size_t>(line->get_int64());
  if (const json::value* const key = from.if_contains("key"); key && key->is_string())
    place.key = std::string(key->get_string());
  return place;
}

}  // namespace

json::object json_of(const ConfigNode& node) {
  json::object made;
  if (node.place().file) made["file"] = *node.place().file;
  made["line"] = static_cast<std::int64_t>(node.place().line);
  made["key"] = node.place().key;
  if (node.is_text()) {
    made["text"] = node.text().value();
    if (node.writing().plain) made["plain"] = true;
    if (node.writing().secret) made["secret"] = true;
  } else if (node.is_list()) {
    json::array& list = made["list"].emplace_array();
    for (const ConfigNode& item : node.items()) list.push_back(json_of(item));
  } else if (node.is_map()) {
    json::object& map = made["map"].emplace_object();
    for (const ConfigNode::Entry& entry : node.entries()) map[entry.key] = json_of(entry.value);
  }
  return made;
}

std::optional<ConfigNode> node_of(const json::value& value) {
  const json::object* const from = value.if_object();
  if (!from) return {};
  ConfigNode::Place place = place_of(*from);
  if (const json::value* const text = from->if_contains("text"); text && text->is_string())
    return ConfigNode(std::move(place), std::string(text->get_string()),
                      {.plain = has_flag(*from, "plain"), .secret = has_flag(*from, "secret")});
  if (const json::value* const list = from->if_contains("list"); list && list->is_array()) {
    ConfigNode::List items;
    for (const json::value& each : list->get_array()) {
      auto item = node_of(each);
      if (!item) return {};
      items.push_back(std::move(*item));
    }
    return ConfigNode(std::move(place), std::move(items));
  }
  if (const json::value* const map = from->if_contains("map"); map && map->is_object()) {
    ConfigNode::Map entries;
    for (const auto& [key, each] : map->get_object()) {
      auto item = node_of(each);
      if (!item) return {};
      entries.push_back({std::string(key), std::move(*item)});
    }
    return ConfigNode(std::move(place), std::move(entries));
  }
  return ConfigNode(std::move(place));
}

}  // namespace hearth::yaml
