// SPDX-License-Identifier: Apache-2.0
#include "domains/domains.h"

#include "domains/binary_sensor/binary_sensor.h"
#include "domains/climate/climate.h"
#include "domains/cover/cover.h"
#include "domains/fan/fan.h"
#include "domains/light/light.h"
#include "domains/lock/lock.h"
#include "domains/sensor/sensor.h"
#include "domains/switch/switch.h"

namespace hearth::domains {
namespace {

struct Domain {
  std::string_view name;
  void (*add_services)(DomainServices&);  // null where it has none
};

constexpr Domain kDomains[] = {
    {BinarySensor::kDomain, nullptr}, {Climate::kDomain, add_climate_services}, {Cover::kDomain, add_cover_services},
    {Fan::kDomain, add_fan_services}, {Light::kDomain, add_light_services},     {Lock::kDomain, add_lock_services},
    {Sensor::kDomain, nullptr},       {Switch::kDomain, add_switch_services},
};

}  // namespace

Domains::Domains(core::Hub& hub)
    : entities_(hub, failures_), platform_(hub, entities_), names_{"homeassistant", "platform"} {
  for (const Domain& domain : kDomains) {
    names_.emplace(domain.name);
    if (domain.add_services) domain.add_services(services_.emplace_back(hub, entities_, std::string(domain.name)));
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
