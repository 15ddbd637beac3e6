// SPDX-License-Identifier: Apache-2.0
// Shared by select and input_select. Any thread.
#pragma once

#include "domains/entities/kind.h"
#include "domains/entities/thing.h"

namespace hearth::domains::select {

constexpr Action choice(std::span<const Input> option) {
  return {"select_option", "Select", "Selects an option.", option};
}
inline constexpr Input kCycle[] = {
    {{"cycle", "Whether the other end follows after the last; it does if nothing is said.", true, field::Boolean{}}}};
inline constexpr Action kNext{"select_next", "Next", "Selects the next option.", kCycle},
    kPrevious{"select_previous", "Previous", "Selects the option before.", kCycle},
    kFirst{"select_first", "First", "Selects the first option."},
    kLast{"select_last", "Last", "Selects the last option."};

// select_first, last, next and previous become select_option. Fails with unsupported if there are no options.
base::Result<void> to_option(const Thing& select, Order& order);

}  // namespace hearth::domains::select
