// SPDX-License-Identifier: Apache-2.0
// The cause of a run, made from its trigger. Bus thread only.
#pragma once

#include "automation/triggers/trigger_watch.h"
#include "core/trigger_cause.h"

namespace hearth::automation {

// The platform is that of the basic trigger: state for a purpose and for a device's trigger that watches a state.
core::TriggerCause trigger_cause(const Trigger& trigger, const Firing& firing);

}  // namespace hearth::automation
