// SPDX-License-Identifier: Apache-2.0
// Values of states and attributes, as triggers and conditions compare them. Any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "core/states/state.h"

namespace hearth::automation {

// The value of the state, or of one of its attributes; null if there is none.
json::value value_of(const core::StatePtr& state, const std::string& attribute);
// As templates compare them: 21 is 21.0, also within lists and objects; texts are no numbers.
bool is_equal(const json::value& one, const json::value& other);
bool is_one_of(const json::value& value, const std::vector<json::value>& values);
bool is_gone(const json::value& value);  // null, unavailable or unknown
// True if the state says nothing of the world: unavailable or unknown.
bool is_no_real_state(const core::StatePtr& state);
// True if it is of the device class timestamp.
bool is_timestamp(const core::State& state);
std::optional<double> number_of(const json::value& value);

// True if the entity is in the zone: by its coordinates, otherwise by its attribute in_zones. Null if nobody knows.
std::optional<bool> is_in_zone(const core::State& entity, const core::State& zone);

}  // namespace hearth::automation
