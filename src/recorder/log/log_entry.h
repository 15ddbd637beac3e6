// SPDX-License-Identifier: Apache-2.0
// An entry of the recorder's queue, on its way from the bus to the database. Any thread.
#pragma once

#include <cstdint>

#include "core/bus/event.h"
#include "recorder/log/change.h"

namespace hearth::recorder {

struct LogEntry {
  std::int64_t id = 0;   // increasing; its number in the log
  core::StatePtr state;  // the new state; the last one if the entity was removed; null if this is no state change
  core::EventPtr event;  // of a removal, of an entity that got another id, or of anything but a state change
  // Another value than before, of a hub there that has it since longer: it was unavailable here. Here it is new.
  bool returned = false;
  std::size_t weight = 0;  // about how many bytes it keeps alive, computed on arrival: later its memory is cold

  bool is_change() const { return state != nullptr; }
  bool is_removal() const { return state && event; }
  bool is_event() const { return event && !state; }
  bool is_rename() const { return is_event() && event->registry_change; }
  // Emptied because a newer change makes it unnecessary.
  bool is_gap() const { return !state && !event; }
  std::size_t weigh() const {
    constexpr std::size_t kSelf = 256;
    return kSelf + (state ? state->json().size() : 0) + (event && !state ? event->weight() : 0);
  }
};

// Without id and weight; a gap if the recorder keeps nothing of the event.
LogEntry entry_of(const core::EventPtr& event);

// The change that an entry describes. REQUIRES: a state change.
class EntryChange {
 public:
  // The entry must outlive this.
  explicit EntryChange(const LogEntry& entry);
  EntryChange(const EntryChange&) = delete;
  EntryChange& operator=(const EntryChange&) = delete;

  // Its strings belong to the entry or to this object.
  const Change& change() const { return change_; }

 private:
  const core::Context context_;
  Change change_;
};

}  // namespace hearth::recorder
