// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/components.h"

#include <algorithm>

namespace hearth::integrations::mqtt {

const Component* find_component(std::string_view name, const json::object& keys) {
  const json::value* const schema = keys.if_contains("schema");
  if (name == "light" && schema && *schema == json::value("json")) return &kJsonLight;
  if (name == "light" && schema && *schema == json::value("template")) return &kTemplateLight;
  const auto found = std::ranges::find(kComponents, name, &Component::name);
  return found == std::end(kComponents) ? nullptr : *found;
}

}  // namespace hearth::integrations::mqtt
