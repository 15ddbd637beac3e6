// SPDX-License-Identifier: Apache-2.0
// Runs a scenario with the hub's own engine, and reports what happened and which expectations failed. Any thread, one
// scenario at a time on each.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "simulation/scenario.h"
#include "simulation/timeline.h"
#include "template/values/environment.h"

namespace hearth::simulation {

using Imports = std::function<std::shared_ptr<const templates::Imports>()>;

struct Outcome {
  std::string name;
  std::string time_zone;
  std::vector<std::string> failures;
  std::vector<Happening> timeline;

  bool passed() const { return failures.empty(); }
};

// Wrong parts of it count as a failure. `imports`: the files that templates import; null: none.
Outcome simulate(const Scenario& scenario, const Imports& imports);

// {"name", "passed", "failures", "timeline": [{"at", "kind", …}]}
json::object to_json_object(const Outcome& outcome);
// Some lines for people; with the timeline if it has failed.
std::string to_text(const Outcome& outcome);

}  // namespace hearth::simulation
