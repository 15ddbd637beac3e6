// SPDX-License-Identifier: Apache-2.0
// The blueprints that every hub has: the files in automation/hearth/, embedded in the program. Immutable; any thread.
//
// Automations of homes name them: a new version keeps the inputs of the former one, and gives new inputs a default.
#pragma once

#include <span>
#include <string_view>

namespace hearth::app {

struct BuiltInBlueprint {
  std::string_view path, text;  // such as automation/hearth/motion_light.yaml
};

std::span<const BuiltInBlueprint> built_in_texts();

// Empty if there is none of that path.
inline std::string_view built_in_text(std::string_view path) {
  for (const BuiltInBlueprint& each : built_in_texts()) {
    if (each.path == path) return each.text;
  }
  return {};
}

}  // namespace hearth::app
