// SPDX-License-Identifier: Apache-2.0
// The part of its registry that a site publishes: its areas, devices and entities, with the names that people there
// gave them. Any thread; pure functions.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/registry/registry_data.h"

namespace hearth::fleet {

// All ids are those of the site.
struct SiteRegistry {
  static constexpr std::int64_t kFormat = 1;
  static constexpr std::size_t kMaxBytes = 32 * 1024 * 1024;  // of its JSON
  static constexpr std::size_t kMaxAreas = 2'000, kMaxDevices = 50'000, kMaxEntities = 200'000;

  struct Area {
    std::string name;
    core::OptionalText icon;
    bool operator==(const Area&) const = default;
  };
  struct Device {
    std::string name, manufacturer, model, sw_version, hw_version, area_id;
    bool operator==(const Device&) const = default;
  };
  struct Entity {
    std::string name, icon, device_class, device_id, area_id, entity_category;
    bool hidden = false;
    bool operator==(const Entity&) const = default;
  };

  std::string site;
  std::string name;  // for people
  std::map<std::string, Area, std::less<>> areas;
  std::map<std::string, Device, std::less<>> devices;
  std::map<std::string, Entity, std::less<>> entities;  // by entity id; without disabled ones

  bool operator==(const SiteRegistry&) const = default;
};

SiteRegistry registry_of(std::string site, std::string name, const core::RegistryData& data);
std::string encode_registry(const SiteRegistry& registry);
// Fails with unavailable for a format that is not known, with invalid for what is no registry or has too much.
base::Result<SiteRegistry> decode_registry(std::string_view bytes);

}  // namespace hearth::fleet
