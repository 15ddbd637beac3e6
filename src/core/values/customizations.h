// SPDX-License-Identifier: Apache-2.0
// Attributes that configuration.yaml gives to entities (`homeassistant: customize`): they win over those that the
// entity has. Immutable when published; any thread.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json/json.h"
#include "core/values/glob.h"

namespace hearth::core {

struct Customizations {
  std::map<std::string, json::object, std::less<>> domains, entities;
  std::vector<std::pair<Glob, json::object>> globs;

  // Of the entity: those of its domain, then of patterns, then its own, where later ones win.
  json::object of(std::string_view entity_id) const;
};

}  // namespace hearth::core
