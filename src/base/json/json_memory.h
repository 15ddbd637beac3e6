// SPDX-License-Identifier: Apache-2.0
// The memory that a JSON value uses. Any thread.
#pragma once

#include <cstddef>

#include "base/json/json.h"

namespace hearth::base {

// About how many bytes the value holds on the heap: many times the size of its text if it has many small values.
std::size_t memory_of(const json::value& value);
std::size_t memory_of(const json::object& object);

}  // namespace hearth::base
