// SPDX-License-Identifier: Apache-2.0
// The contract's rule for the type of an event that a client fires.
#pragma once

#include <string_view>

#include "base/result.h"

namespace hearth::api {

// Fails with invalid: expected are 1 to 64 characters without control characters, and not `*`.
base::Result<void> check_event_type(std::string_view type);

// True if users who are no administrators may hear it, each event if it concerns them. All other types are
// the business of automations and may say something about the home.
bool is_open_event(std::string_view type);

}  // namespace hearth::api
