// SPDX-License-Identifier: Apache-2.0
// The history of a home in which habits can be found: only entities that can be a cause or an effect, and only their
// values. Values; one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "template/values/moment.h"

namespace hearth::suggestions {

// True if nobody waits for an answer any more. Asked often.
using Stopped = std::function<bool()>;

struct Occurrence {
  base::Timestamp at;
  std::uint16_t value = 0;  // its place among the entity's values; differs from the one before
  bool by_hand = false;     // by a person or the device itself: no automation did it
};

struct PastEntity {
  std::string entity_id;
  std::string device;               // the id of its device; empty if it has none
  std::vector<std::string> values;  // of which unknown and unavailable are no occurrences
  std::vector<Occurrence> changes;  // in the order of their times; the first may be its state at the start
  bool is_cause = false, is_effect = false;
};

struct Past {
  base::Timestamp from, until;
  templates::Zone zone = templates::Zone::utc();
  std::vector<PastEntity> entities;
  std::vector<base::Timestamp> sunrises, sunsets;  // in their order, from a day before the start on; none at the poles
};

// The value of an entity, such as light.hall at `on`, and when it came to it.
struct Event {
  std::size_t entity = 0;
  std::uint16_t value = 0;
  std::vector<base::Timestamp> times;
};

// Changes after which something may be done: the entity had another known value before. At most once in `pause`.
std::vector<Event> causes_of(const Past& past, base::Duration pause);
// Actions that were done by hand and could be done by an automation.
std::vector<Event> effects_of(const Past& past);

// The value just before that time; null if there is none.
const std::string* value_before(const PastEntity& entity, base::Timestamp time);

// The service that brings an entity of the domain to the value, such as light.turn_on; empty if none does that an
// automation should do: nothing unlocks a door.
std::string service_for(const std::string& entity_id, const std::string& value);

// True if it brings an entity only to another value than `service` does, as turn_off and turn_on do.
bool is_opposite(std::string_view other, std::string_view service);

bool is_known(const std::string& value);

}  // namespace hearth::suggestions
