// SPDX-License-Identifier: Apache-2.0
// Converts a state back into a report: for integrations whose devices have no memory and continue after a restart from
// the hub's state. Each function returns the given default report with everything that the last state contains; missing
// or invalid attributes are ignored. Movements count as completed.
//
// Any thread.
#pragma once

#include "core/states/state.h"
#include "domains/climate/climate.h"
#include "domains/light/light.h"

namespace hearth::domains {

LightState restored(LightState first, const core::State& last);
ClimateState restored(ClimateState first, const core::State& last);

}  // namespace hearth::domains
