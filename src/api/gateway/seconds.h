// SPDX-License-Identifier: Apache-2.0
// Times as the WebSocket API has them: seconds since 1970, with a fraction. Any thread.
#pragma once

#include <string>

#include "base/clock.h"

namespace hearth::api {

void append_seconds(std::string& out, base::Timestamp time);

}  // namespace hearth::api
