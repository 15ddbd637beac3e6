// SPDX-License-Identifier: Apache-2.0
// Last states: what helpers, automations, timers and other entities that this hub brings go on from, with their times
// from the recorder; and the last state of entities that no registry knows, which clients have written.
//
// One thread.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "base/json/json.h"
#include "base/result.h"
#include "import_ha/report/report.h"
#include "import_ha/source/old_database.h"
#include "import_ha/source/source.h"
#include "recorder/journal/last_states.h"

namespace hearth::import_ha {

// An entity in core.restore_state.
struct RestoredState {
  std::string value;
  json::object attributes;
  json::object extra;  // extra_data; empty if there is none
  base::Timestamp updated;
  std::string context_id, user_id;
};
using RestoredStates = std::map<std::string, RestoredState, std::less<>>;

// Without those that were only restored there themselves. Fails with unavailable or invalid if the file cannot be used.
base::Result<RestoredStates> read_restored_states(const Source& source, Report& report);

struct StatesPlan {
  const RestoredStates& restored;
  OldDatabase* history = nullptr;  // null: there is none
  // The source of the last state of an entity.
  enum class Use {
    provided,      // this hub brings it: what was restored, with the recorder's times
    unregistered,  // the recorder's newest
    none,
  };
  std::function<Use(std::string_view entity_id)> use;
  bool automations_off = false;
};

// Counts "last_states". Fails with unavailable.
base::Result<recorder::LastStates::States> last_states_of(const StatesPlan& plan, Report& report);

}  // namespace hearth::import_ha
