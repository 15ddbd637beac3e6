// SPDX-License-Identifier: Apache-2.0
// The short names of keys in discovery messages. Any thread.
#pragma once

#include <string_view>

#include "base/json/json.h"

namespace hearth::integrations::mqtt {

// Which table of short names counts: each object of a message has its own.
enum class KeysOf { component, device, origin };

// The long name, or the name itself if it is not short.
std::string_view long_key(KeysOf keys, std::string_view name);

// The object with long names, in its order. A key that has its long name already wins over a short one.
json::object with_long_keys(KeysOf keys, const json::object& object);

}  // namespace hearth::integrations::mqtt
