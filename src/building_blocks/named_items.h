// SPDX-License-Identifier: Apache-2.0
// The sections that have services by their names: `shell_command:` and `rest_command:`, in any file and package. Any
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "automation/items/sections.h"
#include "configured/section.h"

namespace hearth::building_blocks {

constexpr std::size_t kMostItems = 1'000;  // of one section

struct NamedItem {
  std::string name;
  base::ConfigNode node;
  std::string error;  // it cannot be read; empty if it can
};

// The items of the section, each name once. A wrong section or name is a fault.
std::vector<NamedItem> read_named(const automation::Sections& sections, std::string_view section,
                                  configured::Findings& findings);

}  // namespace hearth::building_blocks
