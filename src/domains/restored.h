// SPDX-License-Identifier: Apache-2.0
// From a state back to what was reported: for integrations whose devices have no memory of their own and go on, after a
// restart, from what the hub remembers. Each takes what the device would be without memory, and gives back the same
// with all that the last state tells; attributes that are missing or odd tell nothing. What was on its way has arrived.
//
// Any thread.
#pragma once

#include "core/state.h"
#include "domains/climate/climate.h"
#include "domains/light/light.h"

namespace hearth::domains {

LightState restored(LightState first, const core::State& last);
ClimateState restored(ClimateState first, const core::State& last);

}  // namespace hearth::domains
