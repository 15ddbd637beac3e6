// SPDX-License-Identifier: Apache-2.0
// Conditions, as the configuration says them. Immutable values.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "automation/config/trigger.h"

namespace hearth::automation {

struct Condition;

struct LogicCondition {
  enum class Kind { all, any, none };
  Kind kind = Kind::all;
  std::vector<Condition> conditions;
};

struct StateCondition {
  std::vector<std::string> entity_ids;
  std::vector<json::value> states;  // of which one must be; the id of an input helper stands for its state
  std::string attribute;
  std::optional<DurationData> held;
  bool any_entity = false;  // one of the entities is enough
};

struct NumericCondition {
  std::vector<std::string> entity_ids;
  Limit above, below;
  std::string attribute;
  std::optional<Data> value_template;
};

struct TemplateCondition {
  Data condition;
};

struct TimeCondition {
  using Side = std::variant<std::monostate, base::Duration, std::string>;  // a time of day or an entity
  Side after, before;
  Weekdays weekdays = Weekdays::all();
};

// Of the sun's events of the local day.
struct SunCondition {
  std::optional<SunEvent> after, before;
  base::Duration after_offset{0}, before_offset{0};
};

struct ZoneCondition {
  std::vector<std::string> entity_ids;  // all of them
  std::vector<std::string> zones;       // in any of them
};

struct TriggerCondition {
  std::vector<std::string> ids;
};

struct PurposeCondition {
  PurposeUse use;
  bool all = false;  // of the entities must be so; otherwise one of them
  std::optional<DurationData> held;
};

struct DelegatedCondition {
  DelegatedForm form;
};

struct Condition {
  using Kind = std::variant<LogicCondition, StateCondition, NumericCondition, TemplateCondition, TimeCondition,
                            SunCondition, TriggerCondition, ZoneCondition, PurposeCondition, DelegatedCondition>;
  std::string alias;
  bool enabled = true;
  std::optional<Data> enabled_if = {};  // instead, if that is not known before it is checked
  Kind kind;
};

}  // namespace hearth::automation
