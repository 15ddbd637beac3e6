// SPDX-License-Identifier: Apache-2.0
#include "domains/domains.h"

#include "domains/climate/climate.h"
#include "domains/entities/kinds.h"
#include "domains/light/light.h"

namespace hearth::domains {

Domains::Domains(core::Hub& hub)
    : entities_(hub, failures_),
      platform_(hub, entities_),
      zones_(hub, entities_),
      sun_(hub, entities_),
      helpers_(hub, entities_),
      groups_(hub, entities_),
      scenes_(hub, entities_),
      file_scenes_(hub, entities_, scenes_),
      trackers_(hub, entities_),
      notifications_(hub),
      names_{"homeassistant", "persistent_notification", "platform"} {
  for (const Kind* const kind : kKinds) {
    names_.emplace(kind->domain);
    DomainServices& services = services_.emplace_back(hub, entities_, *kind);
    if (!kind->code) services.add_all();
    if (kind == &kLight) add_light_services(services);
    if (kind == &kClimate) add_climate_services(services);
  }
}

std::set<std::string> Domains::component_names() const {
  std::set<std::string> names = names_;
  for (const auto& [id, entity] : entities_.all()) {
    names.insert(entity->info().integration);
    names.insert(entity->info().integration + '.' + std::string(entity->domain()));
  }
  return names;
}

}  // namespace hearth::domains
