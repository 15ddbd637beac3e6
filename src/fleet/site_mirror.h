// SPDX-License-Identifier: Apache-2.0
// One site as its portal has it: its states are the portal's, with the times and contexts that they have there. A part
// that comes twice, late or from a former history changes nothing; a gap is noticed. All that a site sends is checked:
// it can neither harm the portal nor change anything that belongs to others.
//
// One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/hub.h"
#include "fleet/batch.h"
#include "fleet/registry_mirror.h"
#include "fleet/site_call.h"
#include "fleet/snapshot.h"

namespace hearth::fleet {

class SiteMirror {
 public:
  // Of the room that all sites share (core::Limits) one takes at most a part, however much it sends.
  static constexpr std::size_t kMaxEntities = 50'000;
  static constexpr std::size_t kMaxAttributes = 64 * 1024 * 1024;  // bytes, of all its entities
  static constexpr std::size_t kMaxEpochs = 200;                   // files of history, each after a restore

  // The hub must outlive it.
  SiteMirror(core::Hub& hub, std::string site) : hub_(hub), site_(std::move(site)), registry_(hub, site_) {}

  // The batch that begins with this header is of use: it is not old, and has what is not there yet.
  bool wants(const BatchHeader& header) const;
  // `late`: it comes long after it was made, so that only the last state of each entity counts, and no event is fired.
  // False if something before it is missing: a snapshot is needed.
  bool receive(const Batch& batch, bool late);
  // True if it was the last part of one.
  bool receive(const SnapshotPart& part);
  void receive(const SiteRegistry& registry);
  // An entity that the portal has of the site from a former run.
  void know(const core::EntityId& there);
  // Changes by a call there, before the log says so. Changed states of entities that it does not know are left.
  void receive(const std::vector<ChangedState>& changed);
  // True if the site can be reached: its entities are unavailable otherwise, and keep their last value as an attribute.
  void set_reachable(bool reachable);
  bool reachable() const { return reachable_; }
  // As RegistryMirror has it.
  base::Result<void> forget();
  bool forgotten() const { return registry_.forgotten(); }
  base::Result<void> take_in_again() { return registry_.take_in_again(); }

  const std::string& epoch() const { return epoch_; }
  std::int64_t number() const { return number_; }
  std::size_t size() const { return entities_.size(); }
  base::Timestamp newest() const { return newest_; }  // the time there of the newest change
  std::uint64_t refused() const { return refused_; }  // changes that were no good

 private:
  struct Entity {
    core::EntityId there;
    std::int64_t number = 0;                  // of the change in the log that it shows
    base::Timestamp ahead{};                  // it shows a state of this time, which the log may not have told yet …
    base::SteadyTime ahead_until{};           // … and is believed until then
    std::string attributes = {};              // as the site gave them last, checked …
    std::string shown_attributes = {};        // … and with ids of the portal; empty if that is the same
    std::optional<core::EntityId> here = {};  // its id at the portal, …
    std::uint64_t version = 0;                // … as of this version of the portal's registry, …
    bool shown = true;                        // … where it is not disabled, …
    bool overridden = false;                  // … and people may have named it otherwise
    core::StatePtr held = {};                 // the state there while it is unavailable here
  };
  struct Arriving {  // the parts of a snapshot so far
    std::int64_t as_of = -1;
    std::set<std::size_t> parts;
    std::set<std::string, std::less<>> entities;
  };
  struct Change {
    std::string_view value, attributes;
    core::State::Times times;
    core::Context context;
  };

  // False if it has had too many.
  bool begin_epoch(const std::string& epoch);
  Entity* find_or_add(std::string_view id_there);
  void apply(const recorder::TailEntry& entry);
  void fire(const recorder::TailEntry& entry);
  void set(Entity& entity, const Change& change);
  // False if it cannot be at the portal.
  bool find_place(Entity& entity);
  void show(Entity& entity, const Change& change);
  void remove(std::string_view id_there);
  base::Result<void> take_attributes(Entity& entity, std::string_view given);
  std::string id_here(const core::EntityId& there) const;
  json::value with_ids_here(std::string_view key, const json::value& value) const;
  void refuse(std::string_view what, std::string_view why);

  core::Hub& hub_;
  const std::string site_;
  RegistryMirror registry_;
  std::string epoch_;
  std::int64_t number_ = 0;
  std::set<std::string, std::less<>> past_epochs_;
  std::unordered_map<std::string, Entity> entities_;  // by the id there
  std::size_t attributes_ = 0;                        // bytes, of all entities, as the site gave them
  Arriving arriving_;
  bool reachable_ = true;
  base::Timestamp newest_{};
  std::uint64_t refused_ = 0;
};

}  // namespace hearth::fleet
