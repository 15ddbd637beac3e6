// SPDX-License-Identifier: Apache-2.0
// The recorder's state, as recorder/info and GET /api/core/state answer it.
#pragma once

#include "api/records.h"
#include "base/json/json.h"

namespace hearth::api {

// Any thread.
json::object recorder_state(const Records& records);

}  // namespace hearth::api
