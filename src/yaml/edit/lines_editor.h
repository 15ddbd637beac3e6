// SPDX-License-Identifier: Apache-2.0
// Puts an item into a YAML file as lines, and leaves every other byte as it is. Any thread.
#pragma once

#include <string>

#include "base/result.h"
#include "yaml/item_place.h"
#include "yaml/yaml_text.h"

namespace hearth::yaml {

// The file with these lines, as item_lines has them, in place of the item's, or behind the others there. Fails with
// invalid if there is no such place in the file, or the item is there twice; with unsupported if it stands in brackets,
// or if all other items would not mean what they meant.
struct WithItem {
  YamlDocument file;
  std::size_t first = 0;  // line, from 1, of those that were put there
  std::size_t count = 0;  // of them
};
base::Result<WithItem> put_item_lines(const YamlDocument& file, const ItemPlace& place, const std::string& id,
                                      const std::string& item, const ParseDocument& parse = parse_document);
base::Result<WithLines> put_item_lines(const std::string& text, const ItemPlace& place, const std::string& id,
                                       const std::string& item);

}  // namespace hearth::yaml
