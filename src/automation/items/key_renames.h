// SPDX-License-Identifier: Apache-2.0
// Writes items with the new names of their keys. Any thread.
#pragma once

#include "automation/items/item.h"

namespace hearth::automation {

// The item as it is written, but with the new spelling of its keys: triggers, conditions, actions; `trigger` in a
// trigger, `action` in a step.
json::value with_new_keys(const Item& item);
// {config, blueprint_inputs}: what runs, and how it is written if that is by a blueprint.
json::object shown_in_traces(const Item& item);
json::value with_new_keys(ItemKind kind, json::value written);
// The new spelling of a key of an automation or a script itself.
std::string_view new_key_of(std::string_view key);

}  // namespace hearth::automation
