// SPDX-License-Identifier: Apache-2.0
// The home as templates see it: states, areas, devices. Everything is read through the caller's View; each read is
// noted as a dependency of the rendering.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/states/state.h"
#include "template/values/call.h"

namespace hearth::templates {

// Null if there is none or it may not be read.
core::StatePtr find_state(Render& render, std::string_view entity_id);
// In the order of entity ids; of all domains if it is empty.
Values states_of(Render& render, std::string_view domain);
// The object `states` of this rendering; it must not outlive it.
Value bound_states(Render& render);

// The states that a value names, those of a group or of the persons in a zone instead of it; each once, in the order of
// entity ids.
std::vector<core::StatePtr> expanded(Render& render, const Value& value);

std::span<const Builtin> state_functions();
std::span<const Builtin> place_functions();
std::span<const Builtin> place_filters();
std::span<const Builtin> detail_functions();    // labels, names, issues
std::span<const Builtin> registry_functions();  // areas, floors, labels, devices, entities

}  // namespace hearth::templates
