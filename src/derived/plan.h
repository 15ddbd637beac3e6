// SPDX-License-Identifier: Apache-2.0
// Derived sensors, which are made of other entities, as the configuration says them. Immutable after reading. Any
// thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "automation/values/data.h"
#include "configured/section.h"
#include "derived/engine.h"

namespace hearth::automation {
struct Home;
}
namespace hearth::domains {
class EntityTable;
}

namespace hearth::derived {

class Unit;
class HistoryQuestions;
struct Plan;

// The parts of the home that a unit needs. Outlives it.
struct Environment {
  automation::Home& home;
  domains::EntityTable& entities;
  HistoryQuestions& history;
  base::Timestamp began;  // the hub: states that are older were restored
};

struct Plan {
  std::string platform, domain;  // min_max, sensor
  std::string unique_id;         // made of the name if none was given
  std::string object_id;         // wanted for the entity id
  std::string name;
  std::string place;    // configuration.yaml:14
  std::string written;  // all of it as JSON: equal if nothing has changed
  std::string error;    // why it is unavailable, a line for each error; then all below is empty
  std::string warning;  // what it does otherwise than it is written; empty if nothing
  bool anew = false;    // the state of a former sensor with this id is not restored

  std::vector<std::string> also;  // domains of further entities with that object id
  std::vector<std::string> sources;
  std::vector<automation::Data> templates;          // rendered again when what they look at changes
  std::string device_class;                         // instead of the engine's; empty: the engine's
  std::function<std::unique_ptr<Engine>()> engine;  // of what shows one value
  // Of what is more than that. It keeps the plan.
  std::function<std::unique_ptr<Unit>(std::shared_ptr<const Plan> plan, const Environment& environment)> unit;

  std::string id() const { return platform + " " + unique_id; }
  // The names of its entities unless others are given; not of those that have more than the object id in theirs.
  std::vector<std::string> wanted_entities() const;
};

using Configuration = configured::Section<std::shared_ptr<const Plan>>;

// For configured::InForce.
inline std::string id_of(const Plan& plan) {
  return plan.id();
}
inline bool is_good(const Plan& plan) {
  return plan.error.empty();
}
inline bool is_same(const Plan& known, const Plan& plan) {
  return known.written == plan.written && known.error == plan.error && known.domain == plan.domain;
}

}  // namespace hearth::derived
