// SPDX-License-Identifier: Apache-2.0
// Some texts of a trigger are rendered once, before it is armed: the type and data of an event, a topic, the id of a
// webhook. Their templates see the trigger variables of an automation, or the variables of a run that waits for the
// trigger, but no states. Any thread.
#pragma once

#include "base/config_node.h"
#include "template/template.h"

namespace hearth::automation {

// Of one trigger, or a list of them.
bool has_limited_templates(const base::ConfigNode& triggers);
// A copy with what they give. One that fails, or asks for states, stays: who reads the trigger says why.
base::ConfigNode with_limited_rendered(const base::ConfigNode& triggers, const templates::Variables& variables);
// A copy whose form can be checked before anybody knows the variables.
base::ConfigNode with_limited_assumed(const base::ConfigNode& triggers);

}  // namespace hearth::automation
