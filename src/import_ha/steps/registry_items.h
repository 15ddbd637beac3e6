// SPDX-License-Identifier: Apache-2.0
// Shared by the parts of the registry step. One thread.
#pragma once

#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/registry/registry_data.h"
#include "core/registry/registry_json.h"
#include "import_ha/report/report.h"
#include "import_ha/steps/item_reader.h"

namespace hearth::import_ha {

// An entry without what differs by when and where it was made.
template <class Entry>
json::object compared(const Entry& entry) {
  json::object object = core::to_json(entry);
  for (const char* const key : {"created_at", "modified_at", "position"}) object.erase(key);
  return object;
}

// The fate of an item that is no usable one.
Thing broken_thing(std::string what, std::string id, const ItemReader& item, const std::string& file);
// The entry that is there wins: the old one is carried if it says the same, otherwise left, with the fields that
// differ.
Thing duplicate_thing(std::string what, const std::string& id, const json::object& here, const json::object& there,
                      const std::string& file);

// Adds the item as the last of its collection and reports the thing, carried; left if one of its id is there that
// differs (what is there wins), or if it does not fit in.
void place_item(core::Item item, Thing thing, core::RegistryData& data, Report& report);

// Pairs of texts. Identifiers of very old homes have more or fewer parts: then `odd` becomes true.
std::set<std::pair<std::string, std::string>> pairs_of(ItemReader& item, std::string_view key, bool& odd);

// The registry id of an entity whose file has none: the same at each run.
std::string made_registry_id(std::string_view platform, std::string_view domain, std::string_view unique_id);

// Appends a sentence after a semicolon.
void add_text(std::string& to, std::string_view text);

}  // namespace hearth::import_ha
