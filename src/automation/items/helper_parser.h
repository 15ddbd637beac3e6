// SPDX-License-Identifier: Apache-2.0
// Reads the helpers of the configuration: input_boolean and so on, by object id, and zones. Any thread.
#pragma once

#include <string>
#include <vector>

#include "automation/items/sections.h"
#include "domains/helpers/file_helpers.h"

namespace hearth::automation {

constexpr std::string_view kZoneKey = "zone";  // of a section, beside the names of helpers

struct HelperConfiguration {
  std::vector<domains::HelperItem> helpers;  // in the order of the files
  std::vector<domains::HelperItem> zones;    // likewise; by the slugs of their names
  std::vector<std::string> faults;           // a line for each part that is none of them
  bool complete = true;                      // whether all are known: no file or section is broken
};

HelperConfiguration parse_helpers(const Sections& sections);

// Every error, of helpers and of the rest, in lines.
std::vector<std::string> errors_of(const HelperConfiguration& configuration);

}  // namespace hearth::automation
