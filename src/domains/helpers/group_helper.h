// SPDX-License-Identifier: Apache-2.0
// A group: entities of any domains with a common state; a service called for the group commands all of them. Bus thread
// only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domains/entities/group_index.h"
#include "domains/helpers/helper_entity.h"

namespace hearth::domains {

class GroupHelper final : public HelperEntity, public GroupIndex::Group {
 public:
  using HelperEntity::HelperEntity;
  ~GroupHelper() override;

  std::string_view entity_id() const override { return HelperEntity::entity_id(); }
  const std::vector<std::string>& members() const override { return members_; }
  void regroup() override;

  // group.set: only the fields that the data name change.
  void act(const Action& action, const json::object& data) override;

 private:
  Report first(const Kind& kind, const core::State* last) override;
  void added_to_home(EntityTable& entities) override;
  void show() override;

  // To those that count.
  void listen();
  Report report();
  // After a change of a member.
  void follow(const core::Context& context);

  GroupIndex* index_ = nullptr;  // once it is in the home
  std::vector<std::string> members_, counted_;
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
