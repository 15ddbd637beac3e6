// SPDX-License-Identifier: Apache-2.0
// `context`, and `this` of a run that begins or resumes late, as templates see them. Any thread.
#pragma once

#include "core/bus/context.h"
#include "template/values/value.h"

namespace hearth::automation {

templates::Value context_value(const core::Context& context);
// The state of the item with how much later than it should a run begins or goes on, in seconds as `late`.
templates::Value late_this(const templates::Value& state, base::Duration late);

}  // namespace hearth::automation
