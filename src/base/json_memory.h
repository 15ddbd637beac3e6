// SPDX-License-Identifier: Apache-2.0
// What a JSON value costs. Any thread.
#pragma once

#include <cstddef>

#include "base/json.h"

namespace hearth::base {

// About how many bytes of memory the value holds beside itself. They may be many times its text: of many small values
// most of all.
std::size_t memory_of(const json::value& value);
std::size_t memory_of(const json::object& object);

}  // namespace hearth::base
