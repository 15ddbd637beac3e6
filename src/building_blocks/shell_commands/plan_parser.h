// SPDX-License-Identifier: Apache-2.0
// Reads `shell_command:`, names with a command each. Any thread.
#pragma once

#include <memory>
#include <string_view>

#include "automation/items/sections.h"
#include "building_blocks/named_services.h"
#include "building_blocks/processes/command_text.h"
#include "configured/section.h"

namespace hearth::building_blocks {

constexpr std::string_view kShellCommand = "shell_command";

// Immutable.
struct ShellPlan : ServicePlan {
  CommandText command;
};

using ShellConfiguration = configured::Section<std::shared_ptr<const ShellPlan>>;

ShellConfiguration parse_shell_commands(const automation::Sections& sections);

}  // namespace hearth::building_blocks
