// SPDX-License-Identifier: Apache-2.0
// Triggers and conditions by purpose, such as light.turned_on and light.is_on: the meaning of each for an entity, as in
// Home Assistant 2026.11. Immutable values; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::automation {

struct Purpose {
  // Entities that it is about, and where their value is.
  struct Source {
    std::string domain, device_class, attribute;  // empty: of any class; the state itself
  };
  // When an entity is so.
  enum class Test : std::uint8_t {
    any,
    listed,    // its value is one of `values`
    unlisted,  // its value is none of them
    number,    // its value is within the threshold
    whole,     // its value is a whole number
    limit,     // its state is that of the attribute which `values` names
    closed,
    open,
    muted,
    unmuted,
    in_zone,
    out_of_zone,
    occupied,  // a zone with somebody in it
    deserted,
  };
  // Which change to a state that is so makes a trigger fire.
  enum class Change : std::uint8_t {
    becomes,  // it was not so
    listed,   // its value was one of `from`
    state,    // its state was another
    value,    // its number was another
    up,
    down,
    happens,  // its state is the time of the last time, and was another, perhaps unknown
    block,    // of a schedule: `next_event` was another
  };

  std::string name;
  std::vector<Source> sources;
  Test test = Test::listed;
  Change change = Change::becomes;
  std::vector<std::string> values = {}, from = {};
  std::string option = {};    // of the configuration, whose texts are the values
  std::string unit = {};      // of numbers without one; empty: none
  double scale = 1;           // of numbers
  std::string target = {};    // the only entity; otherwise the configuration names them
  std::uint32_t feature = 0;  // bits of `supported_features`, of which an entity that shows some has one
  bool auxiliary = false;     // also entities that are for the configuration or the diagnosis of a device
  bool needs_value = false;   // an entity without the attribute does not count
  bool has_behavior = true;   // the keys `behavior` and `for` are known
};

// Null if there is none of that name.
const Purpose* find_trigger_purpose(std::string_view name);
const Purpose* find_condition_purpose(std::string_view name);
// All names, sorted.
const std::vector<std::string_view>& trigger_purposes();
const std::vector<std::string_view>& condition_purposes();

}  // namespace hearth::automation
