// SPDX-License-Identifier: Apache-2.0
#include "automation/store/trigger_notes.h"

#include "automation/store/keys.h"
#include "base/json/json_fields.h"

namespace hearth::automation {

TriggerNotes::TriggerNotes(Store& store, std::string_view kind, const std::string& place)
    : store_(store), prefix_(place.empty() ? "" : keys::notes(kind, place)) {
  if (prefix_.empty()) return;
  if (TriggerNotes* const former = store_.trigger_notes.replace(prefix_, this))
    notes_ = std::exchange(former->notes_, {});
  for (auto& [entity_id, note] : store_.extract_all(prefix_)) notes_.insert_or_assign(entity_id, std::move(note));
}

TriggerNotes::~TriggerNotes() {
  if (prefix_.empty()) return;
  while (!notes_.empty()) forget(std::string(notes_.begin()->first));
  store_.trigger_notes.leave(prefix_, this);
}

const json::object* TriggerNotes::find(std::string_view entity_id) const {
  const auto found = notes_.find(entity_id);
  return found == notes_.end() ? nullptr : &found->second;
}

void TriggerNotes::put(std::string_view entity_id, json::object note) {
  const auto [found, is_new] = notes_.try_emplace(std::string(entity_id));
  if (!is_new && found->second == note) return;
  if (!prefix_.empty() && store_.is_durable()) store_.put(prefix_ + found->first, base::to_json(note));
  found->second = std::move(note);
}

void TriggerNotes::forget(std::string_view entity_id) {
  const auto found = notes_.find(entity_id);
  if (found == notes_.end()) return;
  if (!prefix_.empty()) store_.forget(prefix_ + found->first);
  notes_.erase(found);
}

std::optional<bool> ArmedStates::find(std::string_view entity_id) const {
  const json::object* const note = notes_.find(entity_id);
  return note ? std::optional(base::flag_at(*note, "armed")) : std::nullopt;
}

void ArmedStates::keep(std::string_view entity_id, std::optional<bool> armed, std::optional<bool> by_state) {
  if (armed && armed != by_state)
    notes_.put(entity_id, {{"armed", *armed}});
  else
    notes_.forget(entity_id);
}

}  // namespace hearth::automation
