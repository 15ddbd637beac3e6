// SPDX-License-Identifier: Apache-2.0
// A domain as a table: what its entities can be, show and do. From it come the checks of what a device reports and of
// what a service is given, the service descriptions, what a restart restores, and docs/domains.md. Any thread.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "core/service_field.h"

namespace hearth::domains {

namespace field = core::field;

struct Order;
class Thing;

// What an entity can do beyond the least: its bit in supported_features, as all clients of this family know it.
struct Feature {
  std::string_view name;
  unsigned bit;
  std::string_view cannot = {};  // completes "fan.hall cannot …"; empty: nothing asks for it
  bool always = false;           // every entity of the kind has it
};

// What bounds a value beside its type: attributes of the entity, by their names.
struct Bounds {
  std::string_view options = {};        // the list of what it may be
  std::string_view cannot = {};         // completes "fan.hall cannot … storm; it has sleep, breeze."
  std::string_view min = {}, max = {};  // numbers
  std::string_view step = {};           // numbers are rounded to it, from `min`
};

enum class Shown {
  always,       // while the entity is available; null until reported
  if_reported,  // only if it is not null
  once,         // said when the entity is made, and shown even while it is unavailable
};

struct Attribute {
  std::string_view name;
  field::Type type;
  Shown shown = Shown::always;
  core::Words needs = {};         // features: it is not there without them
  bool restored = false;          // after a restart it is what it was
  bool significant = false;       // history shows its changes even while the value stays the same
  std::string_view options = {};  // the attribute that lists what it may be
};

// A field of an action, and what it means for the entity.
struct Input {
  core::Field field;
  Bounds bounds = {};
  core::Words needs = {};      // features
  std::string_view sets = {};  // the attribute that it becomes, if that has another name; `state`: the value itself
};

// A service of the domain, and what it does to an entity.
struct Action {
  std::string_view service;
  std::string_view name;         // for people: "Turn on"
  std::string_view description;  // one sentence
  std::span<const Input> fields = {};
  core::Words needs = {};       // features
  std::string_view value = {};  // that the entity has when it is done; empty: as it was
  core::Words one_of = {};      // fields of which one call has one at most
  bool toggles = false;         // it is Kind::off for what is in Kind::active, and Kind::on for the rest
  bool by_hub = false;          // the hub does it, not the device
  bool answers = false;         // it changes nothing: the device answers with data, for each entity an object
};

// When the hub itself writes the present time as the value.
enum class Stamped { never, when_done, when_reported };

// What a device that moved when the hub ended has come to meanwhile.
struct Arrival {
  std::string_view from, to;
};

struct Kind {
  std::string_view domain;
  std::string_view description;        // one sentence
  field::Type value;                   // what the state may be beside unknown and unavailable
  Bounds bounds = {};                  // of the value
  std::string_view on = {}, off = {};  // the services that platform.turn_on and turn_off call; empty: none
  core::Words active = "on";           // values that count as on, for toggle
  Stamped stamped = Stamped::never;
  std::span<const Feature> features = {};
  std::span<const Attribute> attributes = {};
  std::span<const Action> actions = {};
  std::span<const Arrival> arrivals = {};
  // What is no table. Called after all checks by the table; may put another action or other data into the order. Fails
  // with invalid.
  base::Result<void> (*check)(const Thing& thing, Order& order) = nullptr;
  // The value that follows from the attributes; null if it is reported.
  std::string_view (*value_of)(const json::object& attributes) = nullptr;
  bool pictures = false;  // its entities have one, which /api/<domain>_proxy/<entity_id> gives
  bool code = false;      // its entities are a class of their own, not Things: the tables describe them

  // Null if there is none of that name.
  const Action* find_action(std::string_view service) const;
  const Attribute* find_attribute(std::string_view name) const;
  const Feature* find_feature(std::string_view name) const;
  // supported_features of an entity that can do these. Names that are none count for nothing.
  unsigned features_of(core::Words names) const;
  // Whether history shows changes of attributes alone.
  bool attribute_driven() const;
};

// The value as the kind has it: "21.5" for 21.5, "on" for true; `unknown` for null. Nothing if it cannot be one.
// `decimals` of numbers; negative: as many as they need.
std::optional<std::string> value_text(const Kind& kind, const json::value& value, int decimals = -1);

}  // namespace hearth::domains
