// SPDX-License-Identifier: Apache-2.0
// A habit: something that people do again and again after the same cause, with the occasions that show it. Values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json/json.h"

namespace hearth::suggestions {

// When it counts.
enum class When { any, dark, morning, day, evening, night, workdays, weekend };

struct Habit {
  enum class Cause { state, time, sunrise, sunset };
  // An occasion: the cause, and the effect if it followed.
  struct Occasion {
    base::Timestamp cause;
    std::optional<base::Timestamp> effect;
  };

  Cause cause = Cause::state;
  std::string cause_entity, cause_value;  // of a state
  base::Duration offset{0};               // since midnight, or from the sun's event, which may be negative
  When when = When::any;
  std::string entity_id, value, service;  // the effect
  base::Duration within{0};               // how much later it came at most

  std::size_t hits = 0, occasions = 0;  // how often the effect followed, of how often it could
  std::size_t days = 0;                 // on how many days it did
  std::size_t effects = 0;              // how often it was done by hand at such times, with or without the cause
  double lift = 0;                      // how many times as often as by chance
  double score = 0;                     // of two habits with the same effect the one with more of it is the better one
  std::vector<Occasion> examples = {};  // the last ones, newest first

  // The same for the same habit, whatever its numbers are.
  std::string id() const;
};

constexpr std::size_t kExamples = 10;

// Its triggers, conditions and actions, as an automation has them.
json::object automation_of(const Habit& habit);

// True if an automation, as it is written by present keys, begins by the cause and names the effect's entity. `device`
// and `area`: those of that entity; `cause_device`: that of the cause; each may be empty.
struct Places {
  std::string device, area, cause_device;
};
bool does_already(const json::value& automation, const Habit& habit, const Places& places);

json::object to_json_object(const Habit& habit);

}  // namespace hearth::suggestions
