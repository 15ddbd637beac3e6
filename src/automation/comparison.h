// SPDX-License-Identifier: Apache-2.0
// What triggers and conditions compare: values of states and attributes, numbers and their limits. Any thread.
#pragma once

#include <optional>
#include <string>

#include "automation/home.h"
#include "automation/trigger.h"
#include "core/state.h"

namespace hearth::automation {

// The value of the state, or of one of its attributes; null if there is none.
json::value value_of(const core::StatePtr& state, const std::string& attribute);
// As templates compare them: 21 is 21.0, also within lists and objects; texts are no numbers.
bool is_equal(const json::value& one, const json::value& other);
bool is_one_of(const json::value& value, const std::vector<json::value>& values);
bool is_gone(const json::value& value);  // null, unavailable or unknown
// Whether it is of the device class timestamp.
bool is_timestamp(const core::State& state);

enum class Fit { yes, no, unclear };  // unclear: a text that is no number, or a limit that is none

struct NumericComparison {
  const Limit &above, &below;
  const std::string& attribute;
  const std::optional<Data>& value_template;  // sees `state` besides the variables
};
// A state that is absent, unavailable or unknown does not fit, nor one without the attribute; nor does any while the
// entity of a limit is unavailable or unknown.
// If that is not clear, `why`, unless null, becomes what is no number.
Fit compare(const Home& home, const NumericComparison& comparison, const core::StatePtr& state,
            const templates::VariablesView& variables, std::string* why = nullptr);

std::optional<double> number_of(const json::value& value);

}  // namespace hearth::automation
