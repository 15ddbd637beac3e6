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
bool is_one_of(const json::value& value, const std::vector<json::value>& values);
bool is_gone(const json::value& value);  // null, unavailable or unknown

enum class Fit { yes, no, unclear };  // unclear: a text that is no number

struct NumericComparison {
  const Limit &above, &below;
  const std::string& attribute;
  const std::optional<Data>& value_template;  // sees `state` besides the variables
};
// A state that is absent, unavailable or unknown does not fit, nor one without the attribute.
Fit compare(const Home& home, const NumericComparison& comparison, const core::StatePtr& state,
            const templates::Variables& variables);

std::optional<double> number_of(const json::value& value);

}  // namespace hearth::automation
