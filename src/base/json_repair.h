// SPDX-License-Identifier: Apache-2.0
// For what comes from devices and libraries, not from JSON: values that JSON has no form for. Any thread.
#pragma once

#include <string>

#include "base/json.h"

namespace hearth::base {

// Puts null in place of NaN and infinity, and U+FFFD in place of each byte of a text that is not UTF-8. Returns what
// was wrong with the first of them, for the log: "current_temperature is not a number"; empty if nothing was.
std::string repair_json(json::object& object);

}  // namespace hearth::base
