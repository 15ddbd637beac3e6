// SPDX-License-Identifier: Apache-2.0
// Changes one item of a YAML file, and leaves every other byte as it is: comments, order, anchors and quoting of all
// other items, and of the item's keys that do not change. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/config/config_node.h"
#include "base/json/json.h"
#include "base/result.h"
#include "yaml/item_place.h"
#include "yaml/yaml_document.h"

namespace hearth::yaml {

struct ItemChange {
  ItemForm form;
  std::string id;
  // Its values as they stand in the file, by the keys' present names, with marks (yaml/unresolved_yaml.h); empty if it
  // is new.
  json::object current;
  std::optional<json::object> wanted;  // likewise; absent: it is removed
  // The present name of a key that has an older one.
  std::string_view (*name_of)(std::string_view name) = [](std::string_view name) { return name; };
  // Where it stands in the file, as the place of a ConfigNode has it; absent: among the items that are all of the file.
  std::optional<std::string> key = {};
};

// The file with the change; its text may be empty. Fails with invalid if it is no such file, or has the item twice;
// with not_found if an item that has a `current` is not in it; with unsupported if the text cannot be changed so that
// all other items mean what they meant.
base::Result<YamlDocument> edit_item(const YamlDocument& file, const ItemChange& change,
                                     const ParseDocument& parse = parse_document);
base::Result<std::string> edit_item(const std::string& text, const ItemChange& change);

// Where the item is in the file that the change has made.
std::string key_after(const base::ConfigNode& root, const ItemChange& change);

}  // namespace hearth::yaml
