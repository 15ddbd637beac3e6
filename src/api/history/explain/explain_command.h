// SPDX-License-Identifier: Apache-2.0
// The command automation/explain. Worker thread.
#pragma once

#include "api/gateway/command.h"

namespace hearth::api::automation_commands {

// Fails with not_found.
void explain(const CommandCall& call, CommandReply reply);

}  // namespace hearth::api::automation_commands
