// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "automation/item.h"

namespace hearth::automation {

// The item as it is written, but with the new spelling of its keys: triggers, conditions, actions; `trigger` in a
// trigger, `action` in a step.
json::value with_new_keys(const Item& item);

}  // namespace hearth::automation
