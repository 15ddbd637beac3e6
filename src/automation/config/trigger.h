// SPDX-License-Identifier: Apache-2.0
// Triggers, as the configuration says them. Immutable values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "automation/config/sentence.h"
#include "automation/purposes/purpose.h"
#include "automation/values/duration.h"
#include "automation/values/local_times.h"
#include "core/services/service_target.h"
#include "domains/sky/sun_times.h"

namespace hearth::automation {

using domains::SunEvent;

// The value that a state or an attribute is compared with. `any`: the key was there with null, and each value fits.
struct Values {
  bool any = false;
  std::vector<json::value> values = {};
};

struct StateTrigger {
  std::vector<std::string> entity_ids;
  std::optional<Values> to, from, not_to, not_from;
  std::string attribute;  // empty for the state itself
  std::optional<DurationData> held;
};

// A number, the state of an entity, or none.
using Limit = std::variant<std::monostate, double, std::string>;

struct NumericTrigger {
  std::vector<std::string> entity_ids;
  Limit above, below;
  std::string attribute;
  std::optional<Data> value_template;
  std::optional<DurationData> held;
};

struct TemplateTrigger {
  Data condition;
  std::optional<DurationData> held;
};

struct EventTrigger {
  std::vector<std::string> types;
  json::object data;                            // keys that must be equal
  json::object context;                         // of id, parent_id, user_id: each a list of texts
  std::vector<json::object> alternatives = {};  // of which the data must have one, too; any if there are none
};

// A time of day, or an entity that tells one.
struct TimeTrigger {
  struct EntityTime {
    std::string entity_id;
    base::Duration offset{0};
  };
  std::vector<std::variant<base::Duration, EntityTime>> at;
  Weekdays weekdays = Weekdays::all();
};

struct PatternTrigger {
  TimePattern pattern;
};

// `start` after the home is set up, `shutdown` as it ends.
struct HubTrigger {
  bool start = true;
};

struct SunTrigger {
  SunEvent event = SunEvent::rise;
  base::Duration offset{0};
};

struct MqttTrigger {
  std::string topic;  // a filter
  std::optional<std::string> payload;
  std::optional<Data> value_template;  // of the payload: `value`, `value_json`
  int qos = 0;
};

struct WebhookTrigger {
  std::string id;
  std::vector<std::string> methods;
  bool local_only = true;
};

struct ZoneTrigger {
  std::vector<std::string> entity_ids;
  std::string zone;
  bool enter = true;
};

// Of a note for people.
struct NotificationTrigger {
  std::string id;                    // empty: of any
  std::vector<std::string> updates;  // added, updated, removed; empty: any
  bool of_none = false;              // an empty list of these was given
};

struct CalendarTrigger {
  std::string entity_id;
  bool start = true;  // otherwise the end of an event
  base::Duration offset{0};
};

struct ConversationTrigger {
  std::vector<Sentence> sentences;
};

// Within which a number must be: between the limits, which count, or outside of them; `above` and `below` have one.
struct Threshold {
  enum class Kind { any, above, below, between, outside };
  struct Edge {
    Limit limit;
    std::string unit;  // empty: that of the number
  };
  Kind kind = Kind::any;
  Edge low, high;
};

// A purpose, and the entities that are meant: those that the target names now, whichever these are.
struct PurposeUse {
  const Purpose* purpose = nullptr;
  core::ServiceTarget target, exclude;
  std::vector<std::string> values;  // with which the state or the attribute is compared
  Threshold threshold;
  std::string zone;
};

struct PurposeTrigger {
  // Which changes count: of each entity, only of the first one that is so, or only of the last of all.
  enum class Behavior { each, first, all };
  PurposeUse use;
  Behavior behavior = Behavior::each;
  std::optional<DurationData> held;
};

struct Trigger;
// Of an entity of a device.
struct DeviceTrigger {
  std::shared_ptr<const Trigger> of_entity;  // state, numeric_state or zone, without the entity
  std::string entity;                        // its entity id, or its id in the registry
};

// A form that only the hub knows whose device it is, which is asked.
struct DelegatedForm {
  std::string device_id;
  json::object written;  // for that hub, with ids of this one
};
struct DelegatedTrigger {
  DelegatedForm form;
};

struct Trigger {
  using Kind = std::variant<StateTrigger, NumericTrigger, TemplateTrigger, EventTrigger, TimeTrigger, PatternTrigger,
                            HubTrigger, SunTrigger, MqttTrigger, WebhookTrigger, ZoneTrigger, NotificationTrigger,
                            DeviceTrigger, CalendarTrigger, ConversationTrigger, PurposeTrigger, DelegatedTrigger>;

  std::string id;  // the index if none was given
  std::size_t index = 0;
  std::string alias;
  std::string platform;
  std::string fingerprint;  // of how it is written
  bool enabled = true;
  // Looks through `unavailable` and `unknown`, of which a clock stands at most so much; absent: they are states.
  std::optional<base::Duration> gap = {};
  NamedData variables;
  Kind kind;
};

}  // namespace hearth::automation
