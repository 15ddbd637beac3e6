// SPDX-License-Identifier: Apache-2.0
// Gives the entities of the hub there their entries in the registry here: identity, id, names, areas. Bus thread only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "domains/integration.h"
#include "integrations/home_assistant/mirror/mirrored_devices.h"
#include "integrations/home_assistant/mirror/mirrored_table.h"
#include "integrations/home_assistant/mirror/places.h"
#include "integrations/home_assistant/mirror/selection.h"
#include "integrations/home_assistant/mirror/state_writer.h"

namespace hearth::integrations::home_assistant {

class Registrar {
 public:
  // All must outlive it.
  Registrar(const domains::IntegrationHome& home, const Options& options, MirroredTable& table,
            MirroredDevices& devices, Places& places, StateWriter& states)
      : home_(home), options_(options), table_(table), devices_(devices), places_(places), states_(states) {}

  // The entries of earlier runs are provided by this from now on.
  void claim();
  void set_hub(const OtherHub& hub);

  // One entity of the registry there, or one that has only a state. Its entry comes with `place`, which registers all
  // that were considered since, in one version of the registry.
  void consider(const OtherEntity& entity, std::uint32_t listing);
  void consider(const std::string& there, const json::object& attributes, bool listing_is_complete);
  void place();
  // After the last one of a listing was placed: places those that may take a former entry, since it is known now which
  // of them something else there has.
  void place_rest(std::uint32_t listing);

  // It is gone there, or left out from now on: its entry waits for whatever brings its identity, its state goes.
  void release(MirroredEntity& entity);
  // Entries that this has claimed, and that nothing there is.
  void release_unknown();
  std::vector<std::string> claimed() const;  // their ids, as long as nothing there is one of them
  // Provides it again, after its new provider has gone. False if it cannot.
  bool take_back(MirroredEntity& entity);
  // True if what has taken the place of the entity is still here.
  bool is_replaced(const core::RegisteredEntity& entry, const core::RegistryData& data) const;

  // The differences between what people chose there and here, and a copy.
  std::vector<Difference> differences(const MirroredEntity& entity) const;
  base::Result<void> take_again(const MirroredEntity& entity, const core::Context& context);

 private:
  struct Placing {
    MirroredEntity* entity;
    core::Registry::Wanted wanted;
    core::EntityId id;  // that it should have
    bool disabled_there = false, again = false;
    MirroredIdentity second = {};  // if another hub has the first
  };

  void consider(const OtherEntity& entity, std::uint32_t listing, bool rest);
  MirroredEntity& entity_of(const OtherEntity& listed, const MirroredIdentity& identity,
                            const core::RegisteredEntity* entry);
  // The entry that the entity had here until now under another identity: when it was known by its state alone, or
  // before it was made anew there with the same id. Null if there is none, or something else there has it.
  const core::RegisteredEntity* former_of(std::string_view there, const core::EntityId& id,
                                          const core::RegistryData& data) const;
  // `wanted` takes the place of the former entry: its ids, and what people made of it.
  core::EntityId replace(const core::RegisteredEntity& former, core::RegisteredEntity& wanted);
  core::RegisteredEntity described(const OtherEntity& listed);
  void add_chosen(const ChosenThere& chosen, std::string_view domain, core::RegisteredEntity& entity);
  // True if one of this hub's own stands before it.
  bool is_shadowed(const core::EntityId& id, const core::RegisteredEntity* entry, std::string_view there,
                   std::string_view platform, const core::RegistryData& data) const;
  // The id, or with a number, if no entity here has it, and no client wrote it.
  core::EntityId free_id(const core::EntityId& id, const core::RegistryData& data) const;
  void leave(MirroredEntity& entity, Fate fate);
  void placed(Placing& placing, base::Result<core::RegisteredEntity>& entry, std::vector<Placing>& second);
  void enable(MirroredEntity& entity, const core::RegisteredEntity& entry);

  const domains::IntegrationHome& home_;
  const Options& options_;
  MirroredTable& table_;
  MirroredDevices& devices_;
  Places& places_;
  StateWriter& states_;
  OptionalText origin_;
  std::vector<Placing> placing_;
  std::vector<OtherEntity> rest_;  // for place_rest
};

}  // namespace hearth::integrations::home_assistant
