// SPDX-License-Identifier: Apache-2.0
// Runs a recorded span of a home's history through the automations of a configuration, and says which runs and calls
// there would be that were not, and which were that would not be. Any thread, one replay at a time on each.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "simulation/simulation.h"

namespace hearth::simulation {

// What history has of a span. Its strings must outlive the replay.
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

  base::Timestamp from, until;
  std::vector<std::string> entities;
  std::vector<Change> first;    // how each was at `from`
  std::vector<Change> changes;  // after it, in their order
  std::vector<Event> events;    // likewise
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
  std::vector<Difference> differences;  // in the order of their times
  // Runs and their calls, as they would be and as they were; runs that were begun by what history does not keep.
  std::size_t changes = 0, runs = 0, calls = 0, recorded_runs = 0, recorded_calls = 0, left_out = 0;
  std::vector<std::string> faults;  // of the configuration: what it concerns does not run
};

// At most this much earlier or later, it is the same run or call.
constexpr base::Duration kSameMoment = std::chrono::seconds(2);

// `names`: entity ids or aliases of the automations to compare; empty: all. Fails with not_found if there is none of
// that name, with full if there would be more than Deeds::kMost runs and calls.
base::Result<Comparison> replay(const automation::Sections& sections, const core::HubConfig& home, const Past& past,
                                const std::vector<std::string>& names, const Imports& imports);

json::object to_json_object(const Comparison& comparison);
// Some lines for people.
std::string to_text(const Comparison& comparison);

}  // namespace hearth::simulation
