// SPDX-License-Identifier: Apache-2.0
// Reads the helpers of the configuration: input_boolean and so on, by object id, and zones. Any thread.
#pragma once

#include <string>
#include <vector>

#include "automation/items/sections.h"
#include "configured/section.h"
#include "domains/helpers/file_helpers.h"

namespace hearth::automation {

constexpr std::string_view kZoneKey = "zone";  // of a section, beside the names of helpers

using HelperConfiguration = domains::HelperItems;

HelperConfiguration parse_helpers(const Sections& sections);

}  // namespace hearth::automation
