// SPDX-License-Identifier: Apache-2.0
// Checks conditions. Bus thread only.
#pragma once

#include <span>
#include <string>

#include "automation/config/condition.h"
#include "automation/home/moment.h"

namespace hearth::automation {

// Fails with invalid if it cannot be said: an entity that does not exist, a template that fails. A trace has it under
// `path`.
base::Result<bool> check(const Condition& condition, const Moment& moment, const templates::VariablesView& variables,
                         const std::string& path);

// The same of one that is enabled and whose path the trace has entered.
base::Result<bool> check_entered(const Condition& condition, const Moment& moment,
                                 const templates::VariablesView& variables, const std::string& path);

// True if all hold. Fails as the first that cannot be said. A trace has them under `path`.
base::Result<bool> all_hold(std::span<const Condition> conditions, const Moment& moment,
                            const templates::VariablesView& variables, const std::string& path);

}  // namespace hearth::automation
