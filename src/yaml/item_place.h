// SPDX-License-Identifier: Apache-2.0
// The place of an automation, script or scene in a file: among others of its kind, which may be all of the file or a
// part of it, as in a package; or alone, as all of the file or of a key. Any thread.
#pragma once

#include <optional>
#include <string>

#include "base/config/config_node.h"

namespace hearth::yaml {

// Items among others: a list, each with a key `id`, or a map of items by their ids.
enum class ItemForm { list, map };

struct ItemPlace {
  ItemForm form;
  // The key, in the file, of the list or map, or of an item that stands alone; empty: the file.
  std::string within = {};
  std::optional<std::string> alone = {};  // the id of the item that stands alone

  bool operator==(const ItemPlace&) const = default;
};

// `key`: the item's in its file, as the place of a ConfigNode has it. Null if it has no text of its own there, as
// behind a merge (<<).
std::optional<ItemPlace> item_place(ItemForm form, const std::string& id, const std::string& key);

// The key of the item of that id; null if it is not there.
std::optional<std::string> item_key(const base::ConfigNode& file, const ItemPlace& place, const std::string& id);

}  // namespace hearth::yaml
