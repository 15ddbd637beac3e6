// SPDX-License-Identifier: Apache-2.0
// Entities of the configuration that are fed by a text that is fetched now and then: the answer of a server, the output
// of a command, a line of a file. Immutable after reading; any thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "automation/values/data.h"
#include "building_blocks/polled/json_path.h"
#include "configured/section.h"
#include "core/values/words.h"

namespace hearth::building_blocks {

class Source;
struct PolledEnvironment;

struct PolledEntityPlan {
  std::string domain;  // sensor, binary_sensor, switch or cover
  std::string name, unique_id, object_id;
  std::optional<base::ConfigNode::Place> id_place;  // of the unique id in the file; null: it is made of the name
  std::string place;                                // configuration.yaml:14

  // They see `value`, the text, `value_json`, if it is JSON, and `this`, the entity's state.
  std::optional<automation::Data> value_template, availability, icon, picture;
  std::vector<std::string> json_attributes;  // names in the JSON that become attributes
  std::optional<JsonPath> json_attributes_path;
  bool attributes_only = false;  // without a template the state stays unknown if there are json_attributes
  std::string device_class, unit_of_measurement, state_class;
  // Of a binary sensor: the texts that mean on and off. Empty: numbers other than 0, true, on, open and yes are on.
  std::string payload_on, payload_off;
  bool force_update = false;
  // Of a switch or cover. False: nothing tells its state, so that a command that succeeds counts as done.
  bool has_state = true;
  core::Words features = {};  // beside those that every cover has, such as stop
};

// One item: what is fetched at once, and all entities that it feeds.
struct PolledPlan {
  std::string block;                 // command_line: the integration of its entities
  std::string id;                    // stays the same as long as it is the same one
  std::string written;               // all of it as JSON: equal if nothing has changed
  std::string place;                 // configuration.yaml:14
  std::string error;                 // why its entities are unavailable, a line for each error
  std::vector<std::string> secrets;  // in what is written; the log must not show them

  base::Duration scan_interval{};  // from the end of one fetch to the next; zero: it is never fetched
  std::vector<PolledEntityPlan> entities;
  // Null if there is an error.
  std::function<std::unique_ptr<Source>(const PolledEnvironment& environment)> source;
};

using PolledConfiguration = configured::Section<std::shared_ptr<const PolledPlan>>;

// For configured::InForce.
inline const std::string& id_of(const PolledPlan& plan) {
  return plan.id;
}
inline bool is_good(const PolledPlan& plan) {
  return plan.error.empty();
}
inline bool is_same(const PolledPlan& known, const PolledPlan& plan) {
  return known.written == plan.written && known.error == plan.error;
}

}  // namespace hearth::building_blocks
