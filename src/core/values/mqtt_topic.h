// SPDX-License-Identifier: Apache-2.0
// Topics of MQTT (MQTT 5 §4.7). Any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace hearth::core {

// True if it may be subscribed to: + is a whole level, # the whole last one.
inline bool is_topic_filter(std::string_view filter) {
  for (std::size_t i = 0; i < filter.size(); ++i) {
    if (filter[i] != '#' && filter[i] != '+') continue;
    if (i > 0 && filter[i - 1] != '/') return false;
    if (filter[i] == '#' ? i + 1 != filter.size() : i + 1 < filter.size() && filter[i + 1] != '/') return false;
  }
  return true;
}

}  // namespace hearth::core
