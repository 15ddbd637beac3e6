// SPDX-License-Identifier: Apache-2.0
// Template entities, as the configuration says them. Immutable after reading; kept at one address. Any thread.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "automation/items/item.h"
#include "configured/section.h"
#include "template_entities/form.h"

namespace hearth::template_entities {

struct EntityPlan {
  const Form* form = nullptr;
  std::string unique_id;  // made of the name if none was given
  std::string object_id;  // wanted for the entity id; empty: made of the name
  std::string place;      // templates.yaml:14
  std::string error;      // why it is unavailable, a line for each error; then all below is empty

  automation::Data name;  // null if there is none
  std::optional<automation::Data> icon, picture, availability;
  automation::NamedData attributes;
  automation::NamedData variables;  // of this entity alone; they see those of the block
  std::vector<std::pair<const Reading*, automation::Data>> readings;
  json::object fixed;  // attributes
  std::string device_class;
  std::map<std::string, std::shared_ptr<const automation::Item>, std::less<>> steps;  // by key
  std::optional<automation::DurationData> delay_on, delay_off, auto_off;
  bool optimistic = false;

  std::string id() const;                // sensor.<unique id>
  bool has(std::string_view key) const;  // steps or a reading with that name
  bool reads(std::string_view sets) const;
};

// A unit of items: a single entity, or a block with triggers and all of its entities.
struct Plan {
  std::string id;       // stays the same as long as it is the same one
  std::string written;  // all of it as JSON: equal if nothing has changed
  std::string name;     // for people
  std::string place;
  std::string error;  // of what the entities have in common

  automation::NamedData variables;
  std::vector<automation::Trigger> triggers;  // none: the entities follow what their templates look at
  std::vector<automation::Condition> conditions;
  std::shared_ptr<const automation::Item> actions;  // null if there are none
  bool by_triggers = false;
  std::vector<EntityPlan> entities;
};

using Configuration = configured::Section<std::shared_ptr<const Plan>>;

// For configured::InForce.
inline const std::string& id_of(const Plan& plan) {
  return plan.id;
}
inline bool is_good(const Plan& plan) {
  return plan.error.empty() && std::ranges::all_of(plan.entities, [](const auto& each) { return each.error.empty(); });
}
inline bool is_same(const Plan& known, const Plan& plan) {
  return known.written == plan.written && known.error == plan.error;
}

}  // namespace hearth::template_entities
