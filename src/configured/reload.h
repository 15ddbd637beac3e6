// SPDX-License-Identifier: Apache-2.0
// The services x.reload. Bus thread only.
#pragma once

#include <functional>
#include <string_view>

#include "core/hub.h"

namespace hearth::configured {

// Reads the configuration again, on a thread of its own, and puts it in force on the bus thread; then replies.
using Reload = std::function<void(const core::Context& context, core::ServiceReply reply)>;

// Adds `domain`.reload, which administrators may call.
core::Registration add_reload(core::Hub& hub, std::string_view domain, std::string_view description, Reload reload);

}  // namespace hearth::configured
