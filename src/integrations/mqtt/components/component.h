// SPDX-License-Identifier: Apache-2.0
// A component of the discovery format as a table: its keys, where the entity's values come from, and what its services
// send. Anything that a table cannot say is a function in the component's source. Any thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "domains/entities/kinds.h"
#include "domains/entities/thing.h"
#include "integrations/mqtt/components/mqtt_entity.h"

namespace hearth::integrations::mqtt {

class ThingEntity;

// A value of the entity, and the key of the text that means it.
struct Word {
  std::string_view value, key;
};

// A topic's text that becomes the value or an attribute.
struct Reading {
  enum class As { text, number, integer, words };

  std::string_view topic, value_template;  // keys
  std::string_view sets = "state";         // the attribute; `state`: the value
  As as = As::text;
  std::span<const Word> words = {};
  std::string_view reset = {};   // the key of the text that means unknown
  std::string_view listed = {};  // the key of the list of possible texts
  // Instead of all this.
  void (*receive)(ThingEntity& entity, const Reading& reading, const core::MqttMessage& message,
                  std::string text) = nullptr;
  bool raw = false;  // any bytes, without a template; an empty message counts, too
};

// The message of a service. Without `field` always, otherwise if the call has the field, as its value.
struct Sending {
  std::string_view service;
  std::string_view topic, command_template;  // keys
  std::string_view payload = {};             // key
  std::string_view field = {};
  // Instead: everything that the call sends to this topic.
  void (*send)(ThingEntity& entity, const Sending& sending, const json::object& data) = nullptr;
};

// A feature that the entity has if one of the keys is given.
struct Ability {
  core::Words feature;
  core::Words keys;
};
// An attribute that never changes, and its key.
struct Fixed {
  std::string_view attribute, key;
};

struct Component {
  std::string_view name;  // in topics
  const domains::Kind* kind;
  std::span<const Key> keys;
  std::span<const Reading> readings = {};
  std::span<const Sending> sendings = {};
  std::span<const Ability> abilities = {};
  std::span<const Fixed> fixed = {};
  core::Words device_classes = {};
  std::string_view default_name = {};
  // Services whose rows count even though the domain has turned them into another action (which is not turn_off).
  core::Words as_asked = {};
  // Keys that depend on each other. Fails with invalid.
  base::Result<void> (*check)(Settings& settings, std::vector<DroppedKey>& dropped) = nullptr;
  // The entity's abilities beyond the tables.
  void (*describe)(const Settings& settings, domains::Abilities& can) = nullptr;
  // Reasons against a call that only the device knows. Fails with invalid.
  base::Result<void> (*allow)(const ThingEntity& entity, const domains::Action& action,
                              const json::object& data) = nullptr;
  // An entity that is no Thing.
  std::unique_ptr<MqttEntity> (*create)(EntityHome& home, EntityPlan plan) = nullptr;
};

// The component of a message with these keys. Null if there is none.
const Component* find_component(std::string_view name, const json::object& keys);

}  // namespace hearth::integrations::mqtt
