// SPDX-License-Identifier: Apache-2.0
// Reads the steps of an item. Errors are noted in the reader. Any thread.
#pragma once

#include <string>

#include "automation/config/action.h"
#include "base/config/config_reader.h"

namespace hearth::automation {

constexpr std::size_t kMaxSteps = 10'000;  // of one item, those within others included

// The block at that path, of a list of steps or a single one.
Block read_block(base::ConfigReader& in, const base::ConfigNode* node, std::string path);

// True if it is a text such as light.turn_on.
bool is_service_name(const json::value& value);

}  // namespace hearth::automation
