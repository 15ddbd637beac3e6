// SPDX-License-Identifier: Apache-2.0
#include "template_entities/rendering.h"

#include <algorithm>

#include "template_entities/thing_values.h"

namespace hearth::template_entities {
const templates::Value* Rendering::find(std::string_view sets) const {
  const auto found = std::ranges::find_if(values, [&](const auto& each) { return each.first->sets == sets; });
  if (found == values.end() || found->second.is_none() || found->second.is_undefined()) return nullptr;
  return &found->second;
}

base::Result<Rendering> render(const EntityPlan& plan, const automation::Moment& moment,
                               const templates::Variables& variables, templates::Dependencies* seen) {
  const auto render = [&](const automation::Data& data) { return data.render(moment.renderer(), variables, seen); };
  Rendering made;
  // First: while it is not available, the others may fail.
  if (plan.availability) {
    const auto available = render(*plan.availability);
    if (!available) return std::unexpected(available.error());
    made.available = automation::counts_as_true(*available);
  }
  const auto name = render(plan.name);
  if (!name) return std::unexpected(name.error());
  made.name = text_of(*name);
  if (!made.available) return made;
  for (const auto& [reading, data] : plan.readings) {
    auto value = render(data);
    if (!value) return std::unexpected(value.error());
    made.values.emplace_back(reading, std::move(*value));
  }
  for (const auto& [key, data] : {std::pair("icon", &plan.icon), std::pair("entity_picture", &plan.picture)}) {
    if (!*data) continue;
    const auto value = render(**data);
    if (!value) return std::unexpected(value.error());
    if (std::string text = text_of(*value); !text.empty()) made.extra[key] = std::move(text);
  }
  for (const auto& [key, data] : plan.attributes) {
    const auto value = render(data);
    if (!value) return std::unexpected(value.error());
    made.extra[key] = automation::json_of(*value);
  }
  return made;
}

base::Result<templates::Variables> with_variables(const automation::NamedData& named, const automation::Moment& moment,
                                                  templates::Variables variables, templates::Dependencies* seen) {
  for (const auto& [name, data] : named) {
    auto value = data.render(moment.renderer(), variables, seen);
    if (!value) return std::unexpected(value.error());
    // In front, where they are found first: a later one sees them, and wins over the former ones.
    variables.insert(variables.begin(), {name, std::move(*value)});
  }
  return variables;
}

}  // namespace hearth::template_entities
