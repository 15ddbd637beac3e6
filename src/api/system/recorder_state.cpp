// SPDX-License-Identifier: Apache-2.0
#include "api/system/recorder_state.h"

#include "base/text/timestamp.h"

namespace hearth::api {

json::object recorder_state(const Parts& parts) {
  json::object state{{"migration_in_progress", false}, {"migration_is_live", false}};
  state["recording"] = parts.recorder != nullptr;
  state["thread_running"] = parts.recorder != nullptr;
  if (!parts.recorder) return state;
  const recorder::Recorder::Health health = parts.recorder->health();
  state["recording"] = !health.failing;
  state["backlog"] = health.waiting;
  state["max_backlog"] = recorder::Recorder::kMaxWaiting;
  state["db_in_default_location"] = true;
  state["last_commit"] = health.last_commit ? json::value(base::to_string(*health.last_commit)) : json::value();
  state["last_error"] = health.last_error.empty() ? json::value() : json::value(health.last_error);
  state["changes_committed"] = health.committed;
  state["changes_dropped"] = health.dropped;
  state["database_bytes"] = parts.recorder->database_bytes();
  return state;
}

}  // namespace hearth::api
