// SPDX-License-Identifier: Apache-2.0
// The common state of several entities: on if one of them is, or if all are. In the words of their domains: a group of
// locks is locked or unlocked, one of persons home or not_home. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/states/state.h"

namespace hearth::domains {

// The group's state; unknown if no member has a state that is on or off. `all`: whether it is on only if all are.
std::string group_state(const std::vector<core::StatePtr>& members, bool all);
// True if one entity is on, in the words of its domain; null if it is neither on nor off, such as a sensor.
std::optional<bool> counts_as_on(const core::State& state);

}  // namespace hearth::domains
