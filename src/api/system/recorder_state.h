// SPDX-License-Identifier: Apache-2.0
// The recorder's state, as recorder/info and GET /api/core/state answer it.
#pragma once

#include "api/parts.h"
#include "base/json/json.h"

namespace hearth::api {

// Any thread.
json::object recorder_state(const Parts& parts);

}  // namespace hearth::api
