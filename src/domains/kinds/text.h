// SPDX-License-Identifier: Apache-2.0
// Shared by text and input_text. Any thread.
#pragma once

#include "domains/entities/kind.h"
#include "domains/entities/thing.h"

namespace hearth::domains::text {

// Fails with invalid if the order's `value` is not as long as the entity's `min` and `max` say.
base::Result<void> check_length(const Thing& text, Order& order);

}  // namespace hearth::domains::text
