// SPDX-License-Identifier: Apache-2.0
// `command_line:`, a list of sensors, binary sensors, switches and covers that commands of the configuration tell and
// move. Any thread.
#pragma once

#include <string_view>

#include "building_blocks/polled/plan_reader.h"

namespace hearth::building_blocks {

constexpr std::string_view kCommandLine = "command_line";

void read_command_line(const automation::Sections& sections, PlanReader& reader);

}  // namespace hearth::building_blocks
