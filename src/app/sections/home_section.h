// SPDX-License-Identifier: Apache-2.0
// The home's name, place and units, as set by the section `home` of configuration.yaml, or by an administrator while
// the hub runs: both use the same checks. Any thread.
#pragma once

#include <string_view>

#include "base/config/config_reader.h"
#include "core/values/hub_config.h"

namespace hearth::app {

// The name's key in the file is this, and elsewhere another; all other keys are the same.
constexpr std::string_view kHomeKey = "home";
constexpr std::string_view kNameKey = "name";
constexpr std::string_view kLocationNameKey = "location_name";

void read_home(base::ConfigReader& in, core::HubConfig& home, std::string_view name_key = kNameKey);

}  // namespace hearth::app
