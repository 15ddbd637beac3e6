// SPDX-License-Identifier: Apache-2.0
// All entities and devices of the hub there, by their ids there and here. Bus thread only.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/text/text_map.h"
#include "integrations/home_assistant/mirror/mirrored_entity.h"
#include "integrations/home_assistant/mirror/mirrored_ids.h"

namespace hearth::integrations::home_assistant {

class MirroredTable final : public MirroredIds {
 public:
  using Entities = std::unordered_map<std::string_view, std::unique_ptr<MirroredEntity>>;  // by the id there

  explicit MirroredTable(std::string provider) : provider_(std::move(provider)) {}

  std::string_view entity_there(std::string_view entity_id_here) const override;
  std::string_view entity_here(std::string_view entity_id_there) const override;
  std::string_view device_there(std::string_view device_id_here) const override;
  std::string_view device_here(std::string_view device_id_there) const override;
  std::string_view provider() const override { return provider_; }
  const std::string& provider_name() const { return provider_; }

  // Null if there is none.
  MirroredEntity* find(std::string_view there) const;
  MirroredEntity* find_here(std::string_view here) const;
  // REQUIRES: no entity has that id there.
  MirroredEntity& add(std::string there);
  void place(MirroredEntity& entity, core::EntityId here);
  void displace(MirroredEntity& entity);
  // REQUIRES: no other entity has that id there.
  void rename_there(MirroredEntity& entity, std::string there);
  void erase(MirroredEntity& entity);
  const Entities& all() const { return entities_; }

  void place_device(const std::string& there, const std::string& here);
  void displace_device(const std::string& there);
  const base::TextMap<std::string>& devices() const { return devices_here_; }  // by the id there
  // True if an entity here has another id than there.
  bool translates() const { return differing_ > 0; }

 private:
  bool differs(const MirroredEntity& entity) const { return entity.here && entity.here->str() != entity.there; }

  const std::string provider_;
  Entities entities_;
  std::unordered_map<std::string_view, MirroredEntity*> by_here_;
  base::TextMap<std::string> devices_here_, devices_there_;
  std::size_t differing_ = 0;
};

}  // namespace hearth::integrations::home_assistant
