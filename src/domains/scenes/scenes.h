// SPDX-License-Identifier: Apache-2.0
// scene.apply, scene.create and scene.delete, and the scenes that people create with them: items of the collection
// `scene`, so that they survive a restart. Bus thread, except construction and destruction, which need the bus stopped
// or not started.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/hub.h"
#include "domains/entities/entity_table.h"
#include "domains/entities/thing.h"
#include "domains/scenes/desired_state.h"

namespace hearth::domains {

class Scenes {
 public:
  static constexpr std::size_t kMaxEntities = 500;  // of one scene

  // Both must outlive this. The created scenes are there once the home starts.
  Scenes(core::Hub& hub, EntityTable& entities);
  ~Scenes();

  // Brings the entities to their states, as the caller of the context with those rights; leaves out what is not there.
  // Fails, before anything is done, with invalid, or as PinGuard::check.
  void apply(const std::vector<DesiredState>& desired_states, std::optional<double> transition,
             const core::ServiceRequest& as, core::ServiceReply reply);
  // Fails as PinGuard::check, if an entity demands a PIN of that caller for what would be done to it.
  base::Result<void> check_pins(const std::vector<DesiredState>& desired_states, const core::Rights& caller) const;
  // The same with the members of groups in their place.
  std::vector<DesiredState> spread(const std::vector<DesiredState>& desired_states) const;
  // Of these, those that the caller may control: a scene leaves out the others, as a group does.
  std::vector<DesiredState> controlled(const std::vector<DesiredState>& desired_states,
                                       const core::Rights& caller) const;

 private:
  class Created;

  // The state that the entity has now. Fails with not_found, or as DesiredState::of.
  base::Result<DesiredState> present(const std::string& entity_id) const;
  void add_apply();
  void add_create();
  void add_delete();
  void follow();

  core::Hub& hub_;
  EntityTable& entities_;
  std::map<std::string, std::unique_ptr<Created>, std::less<>> created_;  // by item id
  std::vector<core::Registration> registrations_;
  core::Subscription start_, updates_;
};

}  // namespace hearth::domains
