// SPDX-License-Identifier: Apache-2.0
// Reads the scenes of the configuration. A scene with errors is kept, with the text of its errors. Any thread.
#pragma once

#include <memory>

#include "automation/items/sections.h"
#include "configured/section.h"
#include "domains/scenes/scene_item.h"

namespace hearth::automation {

using SceneConfiguration = configured::Section<std::shared_ptr<const domains::SceneItem>>;

SceneConfiguration parse_scenes(const Sections& sections);

}  // namespace hearth::automation
