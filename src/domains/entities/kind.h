// SPDX-License-Identifier: Apache-2.0
// A domain as a table: the values, attributes and services of its entities. It defines the checks of reports and of
// service data, the service descriptions, what a restart restores, and docs/domains.md. Any thread.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "core/values/service_field.h"

namespace hearth::domains {

namespace field = core::field;

struct Order;
class Thing;

// An optional ability of an entity: its bit in supported_features, as clients know it.
struct Feature {
  std::string_view name;
  unsigned bit;
  std::string_view cannot = {};  // completes "fan.hall cannot …"; empty: nothing requires it
  bool always = false;           // every entity of the kind has it
};

// Attributes of the entity, by name, that bound a value beyond its type.
struct Bounds {
  std::string_view options = {};        // the list of allowed values
  std::string_view cannot = {};         // completes "fan.hall cannot … storm; it has sleep, breeze."
  std::string_view min = {}, max = {};  // numbers
  std::string_view step = {};           // numbers are rounded to it, from `min`
};

enum class Shown {
  always,       // while the entity is available; null until reported
  if_reported,  // only if it is not null
  once,         // set when the entity is added, and shown even while it is unavailable
};

struct Attribute {
  std::string_view name;
  field::Type type;
  Shown shown = Shown::always;
  core::Words needs = {};         // features that it requires
  bool restored = false;          // kept over a restart
  bool significant = false;       // history shows its changes even while the value stays the same
  std::string_view options = {};  // the attribute that lists the allowed values
};

// A field of an action, and what it means for the entity.
struct Input {
  core::Field field;
  Bounds bounds = {};
  core::Words needs = {};      // features; required fields need none beyond the action's
  std::string_view sets = {};  // the attribute that it sets, if the name differs; `state`: the value itself
  // A call that names this field fails if the entity lacks the features; without this only the field is left out.
  bool essential = false;
};

// A service of the domain, and what it does to an entity.
struct Action {
  std::string_view service;
  std::string_view name;         // for people: "Turn on"
  std::string_view description;  // one sentence
  std::span<const Input> fields = {};
  core::Words needs = {};       // features
  std::string_view value = {};  // the entity's value afterwards; empty: unchanged
  core::Words one_of = {};      // fields of which a call has at most one
  bool toggles = false;         // means Kind::off for values in Kind::active, otherwise Kind::on
  bool by_hub = false;          // the hub does it, not the device
  bool answers = false;         // changes nothing: the device answers with an object for each entity
};

// When the hub writes the present time as the value.
enum class Stamped { never, when_done, when_reported };

// The value of a device that was moving when the hub stopped, after its arrival.
struct Arrival {
  std::string_view from, to;
};

struct Kind {
  std::string_view domain;
  std::string_view description;        // one sentence
  field::Type value;                   // allowed states besides unknown and unavailable
  Bounds bounds = {};                  // of the value
  std::string_view on = {}, off = {};  // the services that platform.turn_on and turn_off call; empty: none
  core::Words active = "on";           // values that count as on, for toggle
  Stamped stamped = Stamped::never;
  bool pointed = false;  // a whole number is written with a point: 3.0
  std::span<const Feature> features = {};
  std::span<const Attribute> attributes = {};
  std::span<const Action> actions = {};
  std::span<const Action> services = {};  // beside the actions, those of the domain as a whole, which code registers
  std::span<const Arrival> arrivals = {};
  // Rules in code. Called after all checks by the table; may change the action or the data of the order. Fails with
  // invalid.
  base::Result<void> (*check)(const Thing& thing, Order& order) = nullptr;
  // The value that follows from the attributes; null if it is reported.
  std::string_view (*value_of)(const json::object& attributes) = nullptr;
  bool pictures = false;  // its entities have one, which /api/<domain>_proxy/<entity_id> gives
  bool code = false;      // its entities are a class of their own, not Things: the tables describe them

  // Null if absent.
  const Action* find_action(std::string_view service) const;
  const Attribute* find_attribute(std::string_view name) const;
  const Feature* find_feature(std::string_view name) const;
  // The bits of supported_features for these names; unknown names are ignored.
  unsigned features_of(core::Words names) const;
  // True if history shows changes of attributes alone.
  bool attribute_driven() const;
};

// The value as the state shows it: "21.5" for 21.5, "on" for true; `unknown` for null. Null if it is not allowed.
// `decimals` of numbers; negative: as many as needed.
std::optional<std::string> value_text(const Kind& kind, const json::value& value, int decimals = -1);

}  // namespace hearth::domains
