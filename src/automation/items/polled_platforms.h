// SPDX-License-Identifier: Apache-2.0
// Platforms of entities that are fed from outside the home: src/building_blocks reads them, wherever they stand. Any
// thread.
#pragma once

#include <algorithm>
#include <string_view>

#include "core/values/words.h"

namespace hearth::automation {

struct PolledPlatform {
  std::string_view name;
  core::Words domains;  // whose lists of platforms have it
};

constexpr PolledPlatform kPolledPlatforms[] = {{"rest", "sensor binary_sensor switch"},
                                               {"scrape", "sensor"},
                                               {"file", "sensor"},
                                               {"ping", "binary_sensor"},
                                               {"sql", "sensor"},
                                               {"wake_on_lan", "switch"}};

constexpr bool is_polled_platform(std::string_view domain, std::string_view platform) {
  return std::ranges::any_of(kPolledPlatforms, [&](const PolledPlatform& each) {
    return each.name == platform && each.domains.contains(domain);
  });
}

}  // namespace hearth::automation
