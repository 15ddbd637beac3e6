// SPDX-License-Identifier: Apache-2.0
#include "api/energy/preferences.h"

#include "base/json/json.h"

namespace hearth::api {

const core::Item* find_energy_preferences(const core::View& home, const core::ReadableRegistry& registry) {
  const core::Item* const item = registry.find_item(core::kEnergy, "preferences");
  return item && !home.names_hidden(base::to_json(item->fields)) ? item : nullptr;
}

std::set<std::string> statistics_of(const energy::Meters& meters) {
  std::set<std::string> ids;
  for (const energy::Meter& meter : meters.meters)
    ids.insert({meter.statistic_id, meter.price.entity, meter.price.statistic});
  for (const energy::Device& device : meters.devices) ids.insert(device.statistic_id);
  ids.erase("");
  return ids;
}

}  // namespace hearth::api
