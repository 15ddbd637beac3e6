// SPDX-License-Identifier: Apache-2.0
#include "automation/triggers/skip_unavailable.h"

#include "automation/values/stored_value.h"
#include "base/json/json_fields.h"

namespace hearth::automation {

bool SkipUnavailable::is_away(std::string_view entity_id) const {
  return gap_ && is_no_real_state(hub_.states.find(entity_id));
}

std::optional<core::StateChange> SkipUnavailable::seen(const core::StateChange& change, const core::StatePtr& known) {
  if (!gap_) return change;
  const std::string id(change.entity_id());
  if (is_no_real_state(change.new_state)) {
    const auto [entry, is_first] = away_.try_emplace(id);
    if (!is_first) return {};
    const core::StatePtr last = is_no_real_state(change.old_state) ? last_real(id, known) : change.old_state;
    if (last) last_real_.put(id, {{"state", to_stored(last)}});
    entry->second.last_real = last;
    entry->second.timer = hub_.bus.schedule(*gap_, [this, id] { too_long_(id); });
    return {};
  }
  core::StateChange real = change;
  if (is_no_real_state(change.old_state)) {
    const auto entry = away_.find(id);
    real.old_state = entry == away_.end() ? last_real(id, known) : entry->second.last_real;
    if (entry != away_.end()) away_.erase(entry);
  }
  last_real_.forget(id);
  if (is_no_real_state(change.old_state) && !real.old_state) return {};  // nobody knows what it was: it begins here
  return real;
}

core::StatePtr SkipUnavailable::last_real(std::string_view entity_id, const core::StatePtr& known) const {
  const json::object* const note = last_real_.find(entity_id);
  return note ? state_from_stored(base::value_at(*note, "state")) : known;
}

}  // namespace hearth::automation
