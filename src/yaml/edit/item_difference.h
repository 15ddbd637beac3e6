// SPDX-License-Identifier: Apache-2.0
// Compares two texts of an automation, script or scene, by the paths of their keys and steps. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"

namespace hearth::yaml {

struct ItemDifference {
  enum class Kind { added, removed, changed };

  std::string path;  // triggers[0].to; of what was removed by its former place, of the rest by its present one
  Kind kind;

  bool operator==(const ItemDifference&) const = default;
};

constexpr std::size_t kMostDifferences = 100;  // further ones are left out

std::vector<ItemDifference> differences(const json::value& before, const json::value& after);
std::string_view to_text(ItemDifference::Kind kind);

}  // namespace hearth::yaml
