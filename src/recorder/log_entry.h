// SPDX-License-Identifier: Apache-2.0
// One thing that the recorder writes down, on its way from the bus to the database. Any thread.
#pragma once

#include <cstdint>

#include "core/event.h"
#include "recorder/change.h"

namespace hearth::recorder {

struct LogEntry {
  std::int64_t id = 0;     // rising; its place in the log
  core::StatePtr state;    // the new one; of an entity that was removed the last one; null: no change
  core::EventPtr event;    // of a removal, or what is no change
  std::size_t weight = 0;  // about how many bytes it keeps alive, noted when it came: later its memory is cold

  bool is_change() const { return state != nullptr; }
  bool is_removal() const { return state && event; }
  bool is_event() const { return event && !state; }
  // Nothing any more: a newer change says all that has to be written.
  bool is_gap() const { return !state && !event; }
  std::size_t weigh() const {
    constexpr std::size_t kSelf = 256;
    return kSelf + (state ? state->json().size() : 0) + (event && !state ? event->weight() : 0);
  }
};

// What the entry says. REQUIRES: a change.
class EntryChange {
 public:
  // The entry must outlive it.
  explicit EntryChange(const LogEntry& entry);
  EntryChange(const EntryChange&) = delete;
  EntryChange& operator=(const EntryChange&) = delete;

  // Its texts are the entry's or live here.
  const Change& change() const { return change_; }

 private:
  const core::Context context_;
  Change change_;
};

}  // namespace hearth::recorder
