// SPDX-License-Identifier: Apache-2.0
// The scenes of the configuration, beside those that people create. Bus thread only.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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

  // Puts these in force: those that have not changed stay as they are. A broken one leaves the last good one, and so
  // does a configuration that is not complete with those that it does not name. Returns what could not be added.
  std::vector<std::string> apply(const std::vector<SceneItem>& items, bool complete);
  // The entity of the scene with that unique id; empty if there is none.
  std::string_view entity_id(std::string_view unique_id) const;

 private:
  class Scene;

  void clear_left(bool complete) const;

  core::Hub& hub_;
  EntityTable& entities_;
  Scenes& scenes_;
  std::map<std::string, std::unique_ptr<Scene>, std::less<>> present_;  // by unique id
};

}  // namespace hearth::domains
