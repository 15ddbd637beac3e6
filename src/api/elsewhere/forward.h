// SPDX-License-Identifier: Apache-2.0
// Commands about an entity that lives at another hub are asked there: see Command::elsewhere. What the caller may do
// with the entity is checked here. The connection's thread.
#pragma once

#include <string>

#include "api/gateway/command.h"

namespace hearth::api {

// The name of the hub that has the entity which the command names; empty if the command is answered here.
std::string hub_elsewhere(const CommandCall& call, const Elsewhere& elsewhere);
// Answers in the words of that hub; at once if it cannot be reached.
void ask_elsewhere(const CommandCall& call, const Elsewhere& elsewhere, const std::string& hub, CommandReply reply);

}  // namespace hearth::api
