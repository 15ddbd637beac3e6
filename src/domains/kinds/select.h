// SPDX-License-Identifier: Apache-2.0
// What select and input_select have in common. Any thread.
#pragma once

#include "domains/kind.h"
#include "domains/thing.h"

namespace hearth::domains::select {

// select_first, last, next and previous become select_option. Fails with unsupported if there are no options.
base::Result<void> to_option(const Thing& select, Order& order);

}  // namespace hearth::domains::select
