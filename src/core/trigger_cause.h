// SPDX-License-Identifier: Apache-2.0
// The reason why an automation ran, as its event automation_triggered has it: `source` for people, and the same as data
// in `trigger`. Any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/json/json.h"

namespace hearth::core {

struct TriggerCause {
  std::string source = {};     // state of light.hall; empty if the event tells no cause
  std::string platform = {};   // state, numeric_state, time_pattern …; empty if a person or a service ran it
  std::string entity_id = {};  // that it watches; empty if it watches none

  // Of the data of an event. Events that a former version recorded have the source alone: the rest is read from it.
  static TriggerCause of(const json::object& data);
  // Adds {"source", "trigger": {"platform", "entity_id"}}, without the keys that do not apply.
  void write(json::object& data) const;

  bool is_of_clock() const;  // a time or the sun
};

// Renames the entity in the data of another hub's event, in `source` and `trigger`. One that has no name here is left
// out of `trigger`.
using EntityNameHere = std::function<std::optional<std::string>(std::string_view entity_id)>;
void rename_trigger_entity(json::object& data, const EntityNameHere& name_here);

}  // namespace hearth::core
