// SPDX-License-Identifier: Apache-2.0
// A test of a home's automations: its states at first, the events that happen to it, and the expected results.
// Immutable; any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "automation/items/sections.h"
#include "base/clock.h"
#include "base/config/config_node.h"
#include "base/json/json.h"
#include "core/values/hub_config.h"

namespace hearth::simulation {

struct GivenState {
  std::string value;
  json::object attributes;
  bool replaces = false;  // of `set`: the attributes are all that it has, not only those that differ
};
using GivenStates = std::map<std::string, GivenState>;  // by entity

struct Step {
  enum class Kind { set, event, call, restart };
  Kind kind = Kind::set;
  base::Timestamp at;
  std::string place;      // tests.yaml:14: steps[0]
  GivenStates set = {};   // without attributes an entity keeps those it has
  std::string name = {};  // of the event, or of the service such as light.turn_on
  json::object data = {};
  base::Duration down = {};  // of the restart
  bool kill = false;         // without the hub's own end
};

// An expected call or event. It has at least these data; a list of entities may have more.
struct Pattern {
  enum class Kind { call, event, state };
  Kind kind = Kind::call;
  std::string name = {};  // of the service or the event
  json::object data = {};
  GivenStates states = {};  // an entity has that value, and at least these attributes
};

struct Expectation {
  Pattern pattern;
  std::optional<base::Timestamp> at;  // null: anywhere; a state: at the end
  base::Duration within;              // before and after
  std::string place;
};

struct Scenario {
  std::string name;
  base::Timestamp time, until;
  core::HubConfig home;  // its place and time zone
  // As they are written; null if the home's own count.
  std::optional<base::ConfigNode> automations, config;
  automation::Sections sections;  // what both mean: set by who knows files
  GivenStates states;
  std::vector<Step> steps;  // in the order of their times
  std::vector<Expectation> expect, never;
  std::optional<std::size_t> calls_total;
};

}  // namespace hearth::simulation
