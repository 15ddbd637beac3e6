// SPDX-License-Identifier: Apache-2.0
// A state as templates see it: its value, attributes, times and context. Any thread.
#pragma once

#include "core/states/state.h"
#include "template/values/value.h"

namespace hearth::templates {

// None if the state is null.
Value state_value(core::StatePtr state);

// Null if the state has none of that name.
Value attribute_of_state(const core::State& state, std::string_view name);
// The state that it stands for; null if it stands for none.
core::StatePtr state_of(const ObjectPtr& object);

}  // namespace hearth::templates
