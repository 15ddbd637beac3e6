// SPDX-License-Identifier: Apache-2.0
// Selectors: the type of a blueprint's input or of a script's field, such as {"number": {"min": 0, "max": 100}}. They
// say how a form looks, and which values fit. Any thread.
#pragma once

#include <string>

#include "base/json/json.h"

namespace hearth::automation {

// The selector's expectation, if the value does not fit it; empty if it does. A selector of an unknown kind takes any
// value; ids are not looked up.
std::string expected_by(const json::value& selector, const json::value& value);

}  // namespace hearth::automation
