// SPDX-License-Identifier: Apache-2.0
// The items of a to-do list that the hub keeps: their order, and how they are shown. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/registry/registry_data.h"

namespace hearth::domains::todo {

using Items = std::vector<const core::Item*>;

// In the order that people gave them; new ones are last.
Items in_order(Items items);
// {"uid", "summary", "status"} and "due", "description" if it has them.
json::object shown(const core::Item& item);

// The fields of a new item, with what it needs to be the last of these, which are in order.
json::object last_of(const Items& items, json::object fields);
// The fields that an item needs to stand behind another one, or before all if that is null: mostly of this item alone,
// of all that follow where there is no number between two of them. Items that stand there already are none. REQUIRES:
// `items` are in order and have both.
std::vector<std::pair<std::string, json::object>> moved(const Items& items, const core::Item& item,
                                                        const core::Item* previous);

}  // namespace hearth::domains::todo
