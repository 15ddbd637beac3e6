// SPDX-License-Identifier: Apache-2.0
// Converts the state of a run to the JSON of the journal and back, with large values in entries of their own. Bus
// thread only.
#pragma once

#include <optional>

#include "automation/items/item.h"
#include "automation/runs/run_entries.h"
#include "automation/runs/run_state.h"

namespace hearth::automation {

// {context, variables, strands: [{number, parent, children, stack: [{block, next, …}], ending, wait}], spoken}. What
// listens to the home is left out.
json::object to_stored(const RunState& state, RunEntries& entries);
// Null if the item has no such steps, or if it is none that to_stored has made.
std::optional<RunState> run_from_stored(const Item& item, const json::object& stored, RunEntries& entries);

}  // namespace hearth::automation
