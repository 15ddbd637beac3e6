// SPDX-License-Identifier: Apache-2.0
// What the home is called and where it stands, as configuration.yaml's section `home` says it, or an administrator
// while the hub runs: one meaning and one check for both. Any thread.
#pragma once

#include <string_view>

#include "base/config_reader.h"
#include "core/hub_config.h"

namespace hearth::app {

// The home's name in the file, and everywhere else; the other keys are the same.
constexpr std::string_view kNameKey = "name";
constexpr std::string_view kLocationNameKey = "location_name";

void read_home(base::ConfigReader& in, core::HubConfig& home, std::string_view name_key = kNameKey);

}  // namespace hearth::app
