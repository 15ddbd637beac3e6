// SPDX-License-Identifier: Apache-2.0
// A group: entities of any domains that have a state together, and that a service called for the group commands. Bus
// thread only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domains/helper_entity.h"

namespace hearth::domains {

class GroupHelper final : public HelperEntity {
 public:
  using HelperEntity::HelperEntity;

  // group.set: only the fields that the data name change.
  void act(const Action& action, const json::object& data) override;

 private:
  Report first(const Kind& kind, const core::State* last) override;
  void show() override;

  void listen();
  Report report();
  // After a change of a member.
  void follow(const core::Context& context);

  std::vector<std::string> members_;
  std::string shown_;
  std::optional<core::EntityListeners::Listening> listening_;
};

// group.set and group.remove, while it lives. Bus thread, except construction and destruction.
class GroupServices {
 public:
  // Both must outlive it.
  GroupServices(core::Hub& hub, EntityTable& entities);

 private:
  base::Result<void> set(const core::ServiceCall& call);
  base::Result<void> remove(const core::ServiceCall& call);

  core::Hub& hub_;
  EntityTable& entities_;
  std::vector<core::Registration> registrations_;
};

}  // namespace hearth::domains
