// SPDX-License-Identifier: Apache-2.0
// ULIDs: 26 characters of Crockford's base 32, 48 bits of milliseconds and 80 random bits, so that ids sort by time.
#pragma once

#include <string>

#include "base/clock.h"

namespace hearth::base {

// Any thread.
std::string make_ulid(Timestamp now);

}  // namespace hearth::base
