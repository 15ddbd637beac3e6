// SPDX-License-Identifier: Apache-2.0
#include "automation/store/trigger_notes.h"

#include <fmt/format.h>

#include "base/json/json_fields.h"

namespace hearth::automation {

TriggerNotes::TriggerNotes(Home& home, std::string_view kind, const std::string& place)
    : home_(home), prefix_(place.empty() ? "" : fmt::format("{}/{}/", kind, place)) {
  if (prefix_.empty()) return;
  TriggerNotes*& known = home_.trigger_notes[prefix_];
  if (TriggerNotes* const former = std::exchange(known, this)) notes_ = std::exchange(former->notes_, {});
  for (auto entry = home_.stored.lower_bound(prefix_); entry != home_.stored.end() && entry->first.starts_with(prefix_);
       entry = home_.stored.erase(entry))
    notes_.insert_or_assign(entry->first.substr(prefix_.size()), std::move(entry->second));
}

TriggerNotes::~TriggerNotes() {
  if (prefix_.empty()) return;
  while (!notes_.empty()) forget(std::string(notes_.begin()->first));
  const auto known = home_.trigger_notes.find(prefix_);
  if (known != home_.trigger_notes.end() && known->second == this) home_.trigger_notes.erase(known);
}

const json::object* TriggerNotes::find(std::string_view entity_id) const {
  const auto found = notes_.find(entity_id);
  return found == notes_.end() ? nullptr : &found->second;
}

void TriggerNotes::put(std::string_view entity_id, json::object note) {
  const auto [found, is_new] = notes_.try_emplace(std::string(entity_id));
  if (!is_new && found->second == note) return;
  if (!prefix_.empty() && home_.journal) home_.put(prefix_ + found->first, base::to_json(note));
  found->second = std::move(note);
}

void TriggerNotes::forget(std::string_view entity_id) {
  const auto found = notes_.find(entity_id);
  if (found == notes_.end()) return;
  if (!prefix_.empty()) home_.forget(prefix_ + found->first);
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
