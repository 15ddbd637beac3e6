// SPDX-License-Identifier: Apache-2.0
// Repairs values of devices and libraries that JSON cannot express. Any thread.
#pragma once

#include <string>

#include "base/json/json.h"

namespace hearth::base {

// Replaces NaN and infinity by null, and each byte that is not UTF-8 by U+FFFD. Returns what was wrong with the first
// value repaired, for the log: "current_temperature is not a number"; empty if nothing was.
std::string repair_json(json::object& object);

}  // namespace hearth::base
