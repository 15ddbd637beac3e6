// SPDX-License-Identifier: Apache-2.0
// Renders the texts of a trigger that are rendered once, before it is armed: the type and data of an event, a topic,
// the id of a webhook. Their templates see `this` and the trigger variables of an automation, or the variables of a run
// that waits for the trigger. They may read lists of the registry, but neither states nor the time. Any thread.
#pragma once

#include "automation/values/renderer.h"
#include "base/config/config_node.h"
#include "template/language/template.h"

namespace hearth::automation {

// Of one trigger, or a list of them.
bool has_limited_templates(const base::ConfigNode& triggers);
// A copy with what they give; what fails is broken, and says why. Without a home in `renderer`, `late` is set if one
// asks for the registry or uses `this`, which are known when the trigger is armed: it gives what is assumed until then.
base::ConfigNode with_limited_rendered(const base::ConfigNode& triggers, const Renderer& renderer,
                                       const templates::VariablesView& variables, bool* late = nullptr);
// A copy whose form can be checked before anybody knows the variables.
base::ConfigNode with_limited_assumed(const base::ConfigNode& triggers);

}  // namespace hearth::automation
