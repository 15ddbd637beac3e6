// SPDX-License-Identifier: Apache-2.0
// Finds the items of a file of automations, scripts or scenes as lines, without parsing the file as YAML, which takes
// much longer. Any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "yaml/item_place.h"

namespace hearth::yaml {

// From a line to the one after the last.
struct LineRange {
  std::size_t begin, end;
};

// The text below that key of the file, or all of the file. Null if it has no lines of its own, as in brackets.
std::optional<LineRange> lines_below(const std::vector<std::string>& lines, const std::string& key);

// The lines of each item of that place, from its dash or its name on, moved to the first column; comments before it
// belong to none. One that stands alone has all comments, and gets a dash or its name. A list or map in brackets
// has none.
std::vector<std::string> split_items(const std::string& text, const ItemPlace& place);

// Of such an item; null if it has none that can be read.
std::optional<std::string> id_in(const std::string& item, ItemForm form);

// Null if there is no item of that id at that place.
std::optional<std::string> item_lines(const std::string& text, const ItemPlace& place, const std::string& id);

}  // namespace hearth::yaml
