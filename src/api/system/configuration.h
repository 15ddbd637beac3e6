// SPDX-License-Identifier: Apache-2.0
// The contract's configuration object, as REST and WebSocket show it. Any thread.
#pragma once

#include "base/json/json.h"
#include "core/view.h"

namespace hearth::api {

json::object configuration(const core::View& home);

}  // namespace hearth::api
