// SPDX-License-Identifier: Apache-2.0
// `context` as templates see it. Any thread.
#pragma once

#include "core/context.h"
#include "template/value.h"

namespace hearth::automation {

templates::Value context_value(const core::Context& context);

}  // namespace hearth::automation
