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

  bool operator==(const SceneItem&) const = default;
};

}  // namespace hearth::domains
