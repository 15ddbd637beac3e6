// SPDX-License-Identifier: Apache-2.0
// An automation or a script, as the configuration says it. Immutable after reading; kept at one address, because runs
// point into it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "automation/config/action.h"
#include "core/values/service_field.h"

namespace hearth::automation {

enum class ItemKind { automation, script };
enum class Mode { single, restart, queued, parallel };
enum class IfExceeded { silent, debug, info, warning, error };
// The treatment of times that came while the hub was down.
enum class Missed { skip, once, all };

std::string_view to_string(Mode mode);
inline std::string_view domain_of(ItemKind kind) {
  return kind == ItemKind::script ? "script" : "automation";
}

struct ScriptField {
  std::string name, description;
  json::object written;  // all that is said of it, with secrets masked
};

struct Item {
  ItemKind kind = ItemKind::automation;
  std::string unique_id;  // an automation's `id`, otherwise made of its alias; a script's object id
  bool has_id = false;    // whether an automation's id was given
  std::string object_id;  // wanted for the entity id
  std::string alias, icon;
  std::string description;           // of a script
  std::string place;                 // automations.yaml:14
  std::string written;               // all of it as JSON, with secrets masked
  std::string fingerprint;           // the same if nothing has changed
  std::string blueprint;             // its path, such as author/motion.yaml; empty if it uses none
  std::string substituted;           // with a blueprint: what runs, as JSON with secrets masked
  std::string outdated;              // why the present version of the blueprint does not fit; it runs a former one
  std::vector<std::string> secrets;  // that are masked

  std::string error;  // why it cannot run, a line for each error; then all below is empty

  Mode mode = Mode::single;
  std::size_t max = 10;  // runs at once, with those that wait in `queued`
  IfExceeded if_exceeded = IfExceeded::warning;
  std::size_t max_rate = 100;  // runs within a second that its own changes begin
  std::optional<bool> initial_state;
  std::size_t stored_traces = 20;
  bool durable = true;  // its runs survive a restart
  // After an end of the hub: of times, of a wait that ended meanwhile, of a call that was under way.
  Missed missed = Missed::skip;
  std::optional<base::Duration> max_late;  // a run that would go on later than this ends; absent: there is no limit
  bool stops_if_interrupted = false;
  NamedData trigger_variables, variables;
  std::vector<Trigger> triggers;
  std::shared_ptr<const base::ConfigNode> late_triggers;  // if they must be read again when they are armed
  std::vector<Condition> conditions;
  Block actions;
  std::vector<ScriptField> fields;
};

// For configured::InForce.
inline const std::string& id_of(const Item& item) {
  return item.unique_id;
}
inline bool is_good(const Item& item) {
  return item.error.empty();
}
inline bool is_same(const Item& known, const Item& item) {
  return known.fingerprint == item.fingerprint;
}

}  // namespace hearth::automation
