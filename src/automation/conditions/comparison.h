// SPDX-License-Identifier: Apache-2.0
// Compares numbers of states, attributes and templates with limits. Bus thread only.
#pragma once

#include <optional>
#include <string>

#include "automation/config/trigger.h"
#include "automation/home/moment.h"
#include "automation/values/state_values.h"
#include "core/states/state.h"

namespace hearth::automation {

enum class Fit { yes, no, unclear };  // unclear: a text that is no number, or a limit that is none

struct NumericComparison {
  const Limit &above, &below;
  const std::string& attribute;
  const std::optional<Data>& value_template;  // sees `state` besides the variables
};
// A state that is absent, unavailable or unknown does not fit, nor one without the attribute; nor does any while the
// entity of a limit is unavailable or unknown.
// If that is not clear, `why`, unless null, becomes what is no number.
Fit compare(const Moment& moment, const NumericComparison& comparison, const core::StatePtr& state,
            const templates::VariablesView& variables, std::string* why = nullptr);

}  // namespace hearth::automation
