// SPDX-License-Identifier: Apache-2.0
// Reads the scenes of the configuration. One with errors is there all the same, with the text of its errors. Any
// thread.
#pragma once

#include <string>
#include <vector>

#include "automation/items/sections.h"
#include "domains/scenes/scene_item.h"

namespace hearth::automation {

struct SceneConfiguration {
  std::vector<domains::SceneItem> scenes;  // in the order of the files
  std::vector<std::string> faults;         // a line for each part that is none of them
  std::vector<std::string> warnings;       // what may be meant otherwise
  bool complete = true;                    // whether all are known: no file or section is broken
};

SceneConfiguration parse_scenes(const Sections& sections);

// Every error, of scenes and of the rest, in lines.
std::vector<std::string> errors_of(const SceneConfiguration& configuration);

}  // namespace hearth::automation
