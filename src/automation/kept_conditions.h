// SPDX-License-Identifier: Apache-2.0
// Conditions of an item that another hub is asked about. A condition is checked at once, so their hub tells how they
// stand from the beginning on. Bus thread only.
#pragma once

#include <memory>
#include <vector>

#include "automation/items/item.h"
#include "automation/triggers/delegated_watch.h"

namespace hearth::automation {

using KeptConditions = std::vector<std::unique_ptr<AskedOfHub>>;
KeptConditions keep_conditions(const Item& item, Home& home);

}  // namespace hearth::automation
