// SPDX-License-Identifier: Apache-2.0
// Converts values of templates to JSON and back, to store them. Plain values are themselves; a value that JSON does not
// have is an object with one key that begins with a dollar sign: {"$time": …}. A function, or another value that is
// bound to a rendering, becomes undefined. Any thread.
#pragma once

#include "base/json/json.h"
#include "core/bus/context.h"
#include "core/states/state.h"
#include "template/values/environment.h"

namespace hearth::automation {

json::value to_stored(const templates::Value& value);
// Undefined if it is none that to_stored has made.
templates::Value value_from_stored(const json::value& stored);

// [[name, value], …]
json::array to_stored(const templates::Variables& variables);
templates::Variables variables_from_stored(const json::value& stored);

json::value to_stored(const core::StatePtr& state);  // null if there is none
core::StatePtr state_from_stored(const json::value& stored);

json::object to_stored(const core::Context& context);
core::Context context_from_stored(const json::value& stored);

}  // namespace hearth::automation
