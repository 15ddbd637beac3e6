// SPDX-License-Identifier: Apache-2.0
#include "core/values/customizations.h"

namespace hearth::core {

json::object Customizations::of(std::string_view entity_id) const {
  json::object made;
  const auto add = [&](const json::object& attributes) {
    for (const auto& [name, value] : attributes) made[name] = value;
  };
  if (const auto found = domains.find(entity_id.substr(0, entity_id.find('.'))); found != domains.end())
    add(found->second);
  for (const auto& [glob, attributes] : globs) {
    if (glob.matches(entity_id)) add(attributes);
  }
  if (const auto found = entities.find(entity_id); found != entities.end()) add(found->second);
  return made;
}

}  // namespace hearth::core
