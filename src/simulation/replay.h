// SPDX-License-Identifier: Apache-2.0
// Runs a recorded span of a home's history through the automations of a configuration, and reports the differences:
// runs and calls that happened only in history or only in the replay. Any thread, one replay at a time on each.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/registry/registry_data.h"
#include "simulation/simulation.h"

namespace hearth::simulation {

// The history of a span, slice by slice.
struct Past {
  struct Change {
    base::Timestamp at;
    std::uint32_t entity = 0;  // its place among `entities`
    bool removed = false;
    std::string_view value = {}, attributes = {}, context_id = {}, parent_id = {}, user_id = {};
  };
  // A run, a script's begin or a call, as its event says.
  struct Event {
    base::Timestamp at;
    std::string type, data, context_id, parent_id;
  };
  struct Slice {
    base::Timestamp until;                   // nothing later is in it, nothing earlier in the next
    std::vector<Change> changes;             // in their order
    std::vector<Event> events;               // likewise
    std::shared_ptr<const void> texts = {};  // owns what the changes are views of
  };

  base::Timestamp from, until;
  std::vector<std::string> entities;
  std::vector<Change> first;  // how each was at `from`; views of what outlives the replay
  // Since when each entity is known, as `entities`, and since when anything is. Empty, and a time before `from`: since
  // `from`.
  std::vector<base::Timestamp> known_since = {};
  base::Timestamp kept_since = {};
  // The next slice of what is later than `from`; null at the end.
  std::function<base::Result<std::optional<Slice>>()> next;
};

// The home as it is configured now.
struct Present {
  const automation::Sections& sections;
  const core::HubConfig& home;
  Imports imports;
  std::vector<core::RegisteredEntity> registered = {};  // as Parts
};

// The parts to compare.
struct Question {
  std::vector<std::string> names = {};                         // entity ids or aliases of automations; empty: all
  std::string edited = {};                                     // the `id` of the only one to compare, instead of names
  std::function<void(base::Timestamp reached)> progress = {};  // called now and then; null: nobody asks
  std::size_t most = 1'000'000;                                // runs and calls together, those there would be or were
};

struct Difference {
  enum class Kind { run, call };
  bool added = false;  // it would be; otherwise it was
  Kind kind = Kind::run;
  base::Timestamp at;
  std::string automation, trigger;  // its entity id; what began the run
  std::string service = {};         // of a call
  json::object data = {};           // likewise
};

struct Comparison {
  std::string time_zone;
  base::Timestamp from;
  // Since when history has all that the triggers and conditions of the compared automations name: `from` or later.
  base::Timestamp known_since;
  std::vector<Difference> differences;  // in the order of their times
  // Runs and their calls, as they would be and as they were; runs that were begun by what history does not keep.
  std::size_t changes = 0, runs = 0, calls = 0, recorded_runs = 0, recorded_calls = 0, left_out = 0;
  std::vector<std::string> faults;  // of the configuration: what it concerns does not run
};

// At most this much earlier or later, it is the same run or call.
constexpr base::Duration kSameMoment = std::chrono::seconds(2);

// Fails with not_found if there is no such automation, with full if there would be, or were, more than `most` runs
// and calls, and as the past's next().
base::Result<Comparison> replay(const Present& present, const Past& past, const Question& question);

// At most `limit` differences, and how many are left off.
json::object to_json_object(const Comparison& comparison, std::size_t limit = SIZE_MAX);
// Some lines for people.
std::string to_text(const Comparison& comparison);

}  // namespace hearth::simulation
