// SPDX-License-Identifier: Apache-2.0
// All blocks of polled entities: a new one is a folder and a row in blocks.cpp. Any thread.
#pragma once

#include <span>

#include "building_blocks/polled/plan_reader.h"

namespace hearth::building_blocks {

std::span<const Block> blocks();

// The items of all blocks.
PolledConfiguration parse_blocks(const automation::Sections& sections);

}  // namespace hearth::building_blocks
