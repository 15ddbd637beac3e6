// SPDX-License-Identifier: Apache-2.0
// Puts the scenes of the configuration in force, and tells what is wrong with them. Bus thread only, except where
// noted.
#pragma once

#include <memory>
#include <vector>

#include "automation/engine.h"
#include "automation/items/scene_parser.h"
#include "base/threads/published.h"
#include "domains/scenes/file_scenes.h"

namespace hearth::app {

class SceneFiles {
 public:
  // Both must outlive this.
  SceneFiles(core::Hub& hub, domains::FileScenes& scenes) : hub_(hub), scenes_(scenes) {}

  // Once, while the bus does not run.
  void add_services(automation::Engine::Reload reload);
  void apply(const automation::SceneConfiguration& configuration);

  // Any thread.
  std::shared_ptr<const std::vector<automation::Fault>> faults() const { return faults_.load(); }

 private:
  core::Hub& hub_;
  domains::FileScenes& scenes_;
  base::Published<std::vector<automation::Fault>> faults_{std::make_shared<const std::vector<automation::Fault>>()};
  std::vector<core::Registration> registrations_;
};

}  // namespace hearth::app
