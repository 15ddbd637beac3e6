// SPDX-License-Identifier: Apache-2.0
// One item of a file as a text of its own: its keys from the first column on, with all comments, without the dash or
// the name before them. Any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "yaml/item_place.h"

namespace hearth::yaml {

// Each line with as much less before it as the first that is no comment has.
std::string outdented(const std::vector<std::string>& lines);

// Of the item's lines as item_lines has them. Null if they cannot be told from what stands before them, as after `name:
// &anchor`.
std::optional<std::string> own_text(const std::string& lines, ItemForm form);

// The lines of such a text; an item of a list gets its id if it has none. `former`: the item's lines as they are, empty
// if it is new; a comment behind its name stays.
std::string lines_of_text(const std::string& text, ItemForm form, const std::string& id, const std::string& former);

// Fails with invalid if the text alone is wrong: `item.yaml:line:column:`, and what is.
base::Result<void> check_own_text(const std::string& text, ItemForm form, const std::string& id);

// The errors of a file that has the text, with the lines counted from where the text begins: `first` of the file,
// from 1. Lines from `item` on, as that of its name, are the first.
std::string in_own_text(const std::string& errors, const std::string& file, std::size_t item, std::size_t first);

}  // namespace hearth::yaml
