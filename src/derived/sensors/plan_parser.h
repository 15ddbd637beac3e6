// SPDX-License-Identifier: Apache-2.0
// Reads what the configuration says of sensors made of others: `sensor:` with `platform: min_max`, and so on. One with
// errors is there all the same, with the text of its errors. Any thread.
#pragma once

#include "automation/items/sections.h"
#include "derived/plan.h"

namespace hearth::derived {

Configuration parse_configuration(const automation::Sections& sections);

}  // namespace hearth::derived
