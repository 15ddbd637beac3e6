// SPDX-License-Identifier: Apache-2.0
// ULIDs: 26 characters of Crockford's base 32, 48 bits of milliseconds and 80 random bits, so that ids sort by time.
#pragma once

#include "base/clock.h"
#include "base/id.h"

namespace hearth::base {

// Any thread.
Id make_ulid(Timestamp now);

}  // namespace hearth::base
