// SPDX-License-Identifier: Apache-2.0
// Notes of a trigger about its entities, for facts that their states do not tell. They survive a restart, and a reload
// that does not change the trigger. Bus thread only.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "automation/store/store.h"

namespace hearth::automation {

class TriggerNotes {
 public:
  // The store must outlive it. `place` tells the trigger apart in the home; empty: the notes end with it. `kind` tells
  // them from other notes of the trigger.
  TriggerNotes(Store& store, std::string_view kind, const std::string& place);
  ~TriggerNotes();
  TriggerNotes(const TriggerNotes&) = delete;
  TriggerNotes& operator=(const TriggerNotes&) = delete;

  // Null if there is none.
  const json::object* find(std::string_view entity_id) const;
  void put(std::string_view entity_id, json::object note);
  void forget(std::string_view entity_id);

 private:
  using Notes = std::map<std::string, json::object, std::less<>>;  // by entity id

  Store& store_;
  const std::string prefix_;  // of the keys in the journal; empty: it has none
  Notes notes_;
};

// True if a trigger may fire once what it waits for has come, for each entity: noted where the present state does not
// say so itself.
class ArmedStates {
 public:
  ArmedStates(Store& store, const std::string& place) : notes_(store, "armed", place) {}

  std::optional<bool> find(std::string_view entity_id) const;
  // `by_state`: what a trigger that begins now would take the state for.
  void keep(std::string_view entity_id, std::optional<bool> armed, std::optional<bool> by_state);

 private:
  TriggerNotes notes_;
};

}  // namespace hearth::automation
