// SPDX-License-Identifier: Apache-2.0
// The man page of the program, in the macros of man(7).
#pragma once

#include <string>
#include <string_view>

#include "app/commands/command_tree.h"

namespace hearth::app {

std::string man_page(const CommandEntry& program, std::string_view version);

}  // namespace hearth::app
