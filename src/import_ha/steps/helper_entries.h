// SPDX-License-Identifier: Apache-2.0
// Helpers that are entries of integrations there: as an item of a collection, or as a template entity. Pure functions;
// any thread.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "base/result.h"
#include "core/registry/collection.h"
#include "import_ha/steps/config_entries.h"

namespace hearth::import_ha {

// True if helper_item knows the kind.
bool is_helper(std::string_view domain);

struct HelperItem {
  std::string collection, id;
  json::object fields;
  std::string note = {};  // of what was left out
};
// `entity_ids` by registry id: options may name an entity by either. Fails with invalid; the message names the field.
base::Result<HelperItem> helper_item(const ConfigEntry& entry,
                                     const std::map<std::string, std::string, std::less<>>& entity_ids);

// The domains of the entities that the item makes.
std::set<std::string, std::less<>> domains_of(const core::Item& item);

struct TemplateEntry {
  std::string domain;   // sensor
  json::object fields;  // as of an entity in a section `template`
  std::string note = {};
};
// Of an entry of `template`. `entity_id` as the registry has it; empty if it is in none. Fails with invalid.
base::Result<TemplateEntry> template_entry(const ConfigEntry& entry, std::string_view entity_id);

}  // namespace hearth::import_ha
