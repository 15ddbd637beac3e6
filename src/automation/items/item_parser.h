// SPDX-License-Identifier: Apache-2.0
// Reads the automations and scripts of the configuration. An item with errors is kept, with the text of its errors. Any
// thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "automation/items/item.h"
#include "automation/items/sections.h"
#include "configured/section.h"

namespace hearth::automation {

struct Configuration : configured::Findings {
  std::vector<std::shared_ptr<const Item>> automations, scripts;  // in the order of the files
};

Configuration parse_configuration(const Sections& sections);

// Every error, of items and of the rest, in lines.
inline std::vector<std::string> errors_of(const Configuration& read) {
  return configured::errors_of(read, read.automations, read.scripts);
}

}  // namespace hearth::automation
