// SPDX-License-Identifier: Apache-2.0
// Reads what the configuration says of automations and scripts. An item with errors is there all the same, with the
// text of its errors. Any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "automation/items/item.h"
#include "automation/items/sections.h"

namespace hearth::automation {

struct Configuration {
  std::vector<std::shared_ptr<const Item>> automations, scripts;  // in the order of the files
  // A line or more for each part that is no item: what could not be read, and what the hub cannot do.
  std::vector<std::string> faults;
  std::vector<std::string> warnings;
  bool complete = true;  // whether all items are known: no file or section is broken
};

Configuration parse_configuration(const Sections& sections);

// Every error, of items and of the rest, in lines.
std::vector<std::string> errors_of(const Configuration& configuration);

}  // namespace hearth::automation
