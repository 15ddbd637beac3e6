// SPDX-License-Identifier: Apache-2.0
// Scripts that let a shell complete the program's commands and options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/commands/command_tree.h"
#include "base/result.h"

namespace hearth::app {

// Names of the shells, in the order of the help.
const std::vector<std::string>& completed_shells();

// The script for one of these shells. Fails with invalid for another name.
base::Result<std::string> completion(const CommandEntry& program, std::string_view shell);

}  // namespace hearth::app
