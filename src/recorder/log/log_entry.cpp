// SPDX-License-Identifier: Apache-2.0
#include "recorder/log/log_entry.h"

#include <algorithm>

namespace hearth::recorder {
EntryChange::EntryChange(const LogEntry& entry)
    : context_(entry.is_removal() ? entry.event->context : entry.state->context()) {
  const core::State& state = *entry.state;
  change_.context_id = context_.id;
  if (context_.parent_id) change_.parent_id = *context_.parent_id;
  if (context_.user_id) change_.user_id = *context_.user_id;
  if (entry.is_removal()) {
    change_.removed = true;
    change_.updated = change_.changed = std::max(entry.event->time_fired, state.last_updated());
    return;
  }
  change_.updated = state.last_updated();
  change_.changed = entry.returned ? state.last_updated() : state.last_changed();
  change_.value = state.value();
  change_.attributes = state.attributes_json();
}

}  // namespace hearth::recorder
