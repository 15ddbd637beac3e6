// SPDX-License-Identifier: Apache-2.0
// Changes one item of a YAML file, and leaves every other byte as it is: comments, order, anchors and quoting of all
// other items, and of the item's keys that do not change. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace hearth::app {

// A file of items: a list, each with a key `id`, or a map of items by their ids.
enum class ItemForm { list, map };

struct ItemChange {
  ItemForm form;
  std::string id;
  json::object current;  // what it means as it stands in the file, by the keys' present names; empty if it is new
  std::optional<json::object> wanted;  // absent: it is removed
  // The present name of a key that has an older one.
  std::string_view (*name_of)(std::string_view key) = [](std::string_view key) { return key; };
};

// The file with the change; its text may be empty. Fails with invalid if it is no such file, or has the item twice;
// with not_found if an item that has a `current` is not in it; with unsupported if the text cannot be changed so that
// it means what was wanted, and all other items what they meant.
base::Result<std::string> edit_item(const std::string& text, const ItemChange& change);

// The file with these lines, which begin in the first column with its dash or its name, in place of the item's, or at
// the end. Fails as edit_item.
base::Result<std::string> put_item_lines(const std::string& text, ItemForm form, const std::string& id,
                                         const std::string& item);

// As YAML with a line break at its end; texts that YAML would take for something else are in quotes.
std::string yaml_of(const json::value& value, std::size_t indentation = 0);

}  // namespace hearth::app
