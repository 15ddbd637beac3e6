// SPDX-License-Identifier: Apache-2.0
// A group of a domain whose entities are Things. A table says how its state follows from its members. Bus thread only.
#pragma once

#include <memory>

#include "domains/entities/thing.h"
#include "domains/groups/typed_group.h"

namespace hearth::domains {

// The values that members make of their group.
struct GroupSum {
  Report report = {};
  json::object extra = {};  // attributes beyond those of the domain
};

struct GroupForm {
  const Kind* kind;
  core::Words wanted = {};    // attributes of members that it looks at
  core::Words features = {};  // that it has if a member has them
  GroupSum (*sum)(const GroupMembers& members, const json::object& fields) = nullptr;  // null: its state is its own
  bool drifts = false;  // each change of a member changes it a little
};

// Null if there are no such groups.
const GroupForm* find_group_form(std::string_view domain);

// The sums, in group_sums.cpp and sensor_sum.cpp. Any thread.
GroupSum sum_of_switches(const GroupMembers& members, const json::object& fields);  // and all else that is on or off
GroupSum sum_of_covers(const GroupMembers& members, const json::object& fields);
GroupSum sum_of_fans(const GroupMembers& members, const json::object& fields);
GroupSum sum_of_locks(const GroupMembers& members, const json::object& fields);
GroupSum sum_of_players(const GroupMembers& members, const json::object& fields);
GroupSum sum_of_sensors(const GroupMembers& members, const json::object& fields);
GroupSum sum_of_events(const GroupMembers& members, const json::object& fields);
// On if one member is or, with `all`, if all are; null if that is not known.
std::optional<bool> is_group_on(const GroupMembers& members, bool all);
// The mean of what those that have the attribute say; null if none has. `counts`: only of these; null: of all.
using Counts = bool (*)(const GroupMember& member);
std::optional<double> mean_of(const GroupMembers& members, std::string_view attribute, Counts counts = nullptr);
// The value of most of them; null if none has any.
json::value most_common(const GroupMembers& members, std::string_view attribute, Counts counts = nullptr);

class ThingGroup final : public TypedGroup, public ThingDevice {
 public:
  ThingGroup(core::Hub& hub, core::Item item, bool editable, const GroupForm& form)
      : TypedGroup(hub, std::move(item), editable), form_(form) {}

  void obey(const Order& order) override;
  void act(const Action& action, const json::object& data) override { forward(action.service, data); }
  base::Result<void> check(const Action& action, const json::object& data) const override;

 private:
  std::unique_ptr<Entity> make(EntityInfo info, const core::State* last) override;
  core::Words wanted() const override { return form_.wanted; }
  void show(const core::Context* cause) override;
  bool has_turned() const override;

  const GroupForm& form_;
  Thing* thing_ = nullptr;
};

}  // namespace hearth::domains
