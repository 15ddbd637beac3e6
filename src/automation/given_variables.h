// SPDX-License-Identifier: Apache-2.0
// The variables that a caller gives a script or an automation, which then acts with all rights. A caller who does not
// control the whole home gives only what a script's fields declare, and nothing that names more than they control.
#pragma once

#include "automation/items/item.h"
#include "core/hub.h"

namespace hearth::automation {

// Fails, naming the variable, with forbidden if the item has no such field or the value names an entity, a device, an
// area, a floor or a label of which the caller does not control everything, with invalid if it does not fit the field's
// selector. Any thread.
base::Result<void> check_given(const Item& item, const json::object& variables, const core::Rights& caller,
                               const core::Hub& hub);

}  // namespace hearth::automation
