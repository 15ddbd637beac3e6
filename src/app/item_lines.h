// SPDX-License-Identifier: Apache-2.0
// The items of a file of automations, scripts or scenes as lines, found without reading the file as YAML, which takes
// much longer. Any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/yaml_editor.h"

namespace hearth::app {

// The lines of each item from its dash or its name on, moved to the first column; comments before it belong to none. A
// file that is one list or map in brackets has none.
std::vector<std::string> split_items(const std::string& text, ItemForm form);

// Of such an item; null if it has none that can be read.
std::optional<std::string> id_in(const std::string& item, ItemForm form);

// Null if the file has no item of that id.
std::optional<std::string> item_lines(const std::string& text, ItemForm form, const std::string& id);

}  // namespace hearth::app
