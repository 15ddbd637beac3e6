// SPDX-License-Identifier: Apache-2.0
#include "recorder/log/log_entry.h"

#include <algorithm>

namespace hearth::recorder {

namespace {

// As LogEntry::returned.
bool is_return(const core::StateChange& change) {
  return change.old_state && change.new_state && change.new_state->last_changed() != change.new_state->last_updated() &&
         change.new_state->value() != change.old_state->value();
}

}  // namespace

LogEntry entry_of(const core::EventPtr& event) {
  LogEntry entry;
  if (const auto* const change = event->state_change()) {
    entry.state = change->new_state ? change->new_state : change->old_state;
    if (!change->new_state) entry.event = event;
    entry.returned = is_return(*change);
    return entry;
  }
  // A client's event of this name is no state change; nor are its others the hub's.
  if (event->by_client || event->type == core::event_type::kStateChanged) return entry;
  if (event->registry_change && event->registry_change->former_entity_id.empty()) return entry;
  entry.event = event;
  return entry;
}

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
