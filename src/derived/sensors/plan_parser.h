// SPDX-License-Identifier: Apache-2.0
// Reads the derived sensors of the configuration: `sensor:` with `platform: min_max`, and so on. A sensor with errors
// is kept, with the text of its errors. Any thread.
#pragma once

#include "automation/items/sections.h"
#include "derived/plan.h"

namespace hearth::derived {

Configuration parse_configuration(const automation::Sections& sections);

}  // namespace hearth::derived
