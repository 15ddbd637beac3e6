// SPDX-License-Identifier: Apache-2.0
// The scenes of the configuration, beside those that people create. Bus thread only, except where noted.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "configured/in_force.h"
#include "configured/reload.h"
#include "configured/section.h"
#include "domains/scenes/scene_item.h"
#include "domains/scenes/scenes.h"

namespace hearth::domains {

class FileScenes {
 public:
  static constexpr std::string_view kIntegration = "homeassistant";  // of their entries in the registry

  // All must outlive it.
  FileScenes(core::Hub& hub, EntityTable& entities, Scenes& scenes);
  ~FileScenes();
  FileScenes(const FileScenes&) = delete;
  FileScenes& operator=(const FileScenes&) = delete;

  // Adds scene.reload. Once, while the bus does not run.
  void add_services(configured::Reload reload);
  // Puts these in force: scenes that have not changed stay as they are. A broken one leaves the last good one.
  void apply(const configured::Section<std::shared_ptr<const SceneItem>>& scenes);
  // Any thread.
  std::shared_ptr<const std::vector<configured::Fault>> faults() const { return faults_.load(); }

 private:
  class Scene;

  core::Hub& hub_;
  EntityTable& entities_;
  Scenes& scenes_;
  configured::InForce<Scene> present_;
  configured::Faults faults_;
  core::Registration reload_;
};

}  // namespace hearth::domains
