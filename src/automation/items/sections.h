// SPDX-License-Identifier: Apache-2.0
// The sections of the configuration for automations, scripts, scenes and what they need, as they were read, unchecked:
// each node is the content of one key. A value that could not be read is a broken node. Immutable; any thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "automation/items/blueprint.h"
#include "base/config/config_node.h"
#include "core/values/words.h"

namespace hearth::automation {

// Platforms whose sensors are made of other entities: src/derived reads them, wherever they stand.
constexpr core::Words kDerivedPlatforms{
    "average bayesian derivative filter generic_thermostat history_stats integration min_max random season statistics "
    "switch_as_x threshold time_date tod trend utility_meter workday"};

struct Sections {
  std::vector<base::ConfigNode> automations, scripts, scenes, templates;
  // Lists of platforms by domain: `sensor:` with `platform: template`.
  std::vector<std::pair<std::string, base::ConfigNode>> platforms;
  // Helpers by domain: `input_boolean:` with its object ids.
  std::vector<std::pair<std::string, base::ConfigNode>> helpers;
  // Sensors made of others that have a key of their own: `utility_meter:`, `switch_as_x:`.
  std::vector<std::pair<std::string, base::ConfigNode>> derived;
  // Services by name that reach beyond the home: `shell_command:`, for src/building_blocks.
  std::vector<std::pair<std::string, base::ConfigNode>> commands;
  std::shared_ptr<const Blueprints> blueprints;  // null: there are none
  std::vector<std::string> faults;               // what belongs to none of these
  std::vector<std::string> warnings;             // what may be meant otherwise
};

}  // namespace hearth::automation
