// SPDX-License-Identifier: Apache-2.0
#include "recorder/log_entry.h"

#include <algorithm>

namespace hearth::recorder {

ChangeCopy::ChangeCopy(const LogEntry& entry)
    : entry_(entry), context_(entry.is_removal() ? entry.event->context : entry.state->context()) {}

Change ChangeCopy::view() const {
  Change change;
  const core::State& state = *entry_.state;
  if (entry_.is_removal()) {
    change.removed = true;
    change.updated = change.changed = std::max(entry_.event->time_fired, state.last_updated());
  } else {
    change.updated = state.last_updated();
    change.changed = state.last_changed();
    change.value = state.value();
    change.attributes = state.attributes_json();
  }
  change.context_id = context_.id;
  if (context_.parent_id) change.parent_id = *context_.parent_id;
  if (context_.user_id) change.user_id = *context_.user_id;
  return change;
}

}  // namespace hearth::recorder
