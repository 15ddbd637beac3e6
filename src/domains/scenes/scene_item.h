// SPDX-License-Identifier: Apache-2.0
// A scene of the configuration, as it was read. Any thread.
#pragma once

#include <string>

#include "base/json/json.h"

namespace hearth::domains {

struct SceneItem {
  std::string unique_id;  // its `id`, otherwise made of the name
  bool has_id = false;    // whether it was given
  std::string object_id;  // wanted for the entity id
  std::string name, icon;
  std::string place;      // scenes.yaml:14
  json::object entities;  // by entity id: a state, or an object with `state` and attributes
  std::string error;      // why it cannot be applied; empty if it can
};

// For configured::InForce.
inline const std::string& id_of(const SceneItem& scene) {
  return scene.unique_id;
}
inline bool is_good(const SceneItem& scene) {
  return scene.error.empty();
}
inline bool is_same(const SceneItem& known, const SceneItem& scene) {
  return known.has_id == scene.has_id && known.object_id == scene.object_id && known.name == scene.name &&
         known.icon == scene.icon && known.entities == scene.entities && known.error == scene.error;
}

}  // namespace hearth::domains
