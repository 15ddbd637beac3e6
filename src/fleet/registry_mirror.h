// SPDX-License-Identifier: Apache-2.0
// The registry of one site as its portal has it: the site is a floor, its areas are areas there, and its areas, devices
// and entities have the site's name as a label. Devices and entities get ids of the portal, light.lake_kitchen for the
// light.kitchen of the site lake. Changes that people at the portal make stay.
//
// One thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/hub.h"
#include "fleet/site_registry.h"

namespace hearth::fleet {

// The id of the portal's device for a site's.
std::string device_id_here(std::string_view site, std::string_view id_there);

class RegistryMirror {
 public:
  // The hub must outlive it.
  RegistryMirror(core::Hub& hub, std::string site) : hub_(hub), site_(std::move(site)) {}

  // Makes, changes and removes what differs. Entities that have a state stay, even if the site does not list them.
  base::Result<void> receive(const SiteRegistry& registry);
  // Takes everything of the site out of the portal, except what people have put into its areas. A mark stays, so that
  // what the engine still has of the site does not bring it back.
  base::Result<void> forget();
  // True if it was taken out and has not been taken in again.
  bool forgotten() const;
  base::Result<void> take_in_again();
  // The portal's id of the site's entity; makes it if it is new. Fails with invalid if there is no such id.
  base::Result<core::EntityId> entity(const core::EntityId& there);
  // True if the portal's entity is the site's one of this id.
  bool is_it(const core::RegisteredEntity& entity, const core::EntityId& there) const;
  // The site's id of the portal's entity.
  static std::string id_there(const core::RegisteredEntity& entity);

 private:
  struct Places {
    std::string floor_id, area_id;             // of the site; the area is for what has none there
    std::map<std::string, std::string> areas;  // the portal's by the site's id
    bool operator==(const Places&) const = default;
  };

  base::Result<void> load();
  base::Result<void> save();
  base::Result<void> save_item(json::object fields);
  base::Result<void> make_places(const SiteRegistry& registry);
  std::string make_area(const std::string& name, const core::OptionalText& icon);
  void put_devices(const SiteRegistry& registry);
  base::Result<core::EntityId> put_entity(const core::EntityId& there, const SiteRegistry::Entity* described);
  void forget_missing(const SiteRegistry& registry);
  // The area here for an area there.
  const std::string& area_here(const std::string& id_there) const;

  core::Hub& hub_;
  const std::string site_;
  std::optional<Places> places_, saved_;
};

}  // namespace hearth::fleet
