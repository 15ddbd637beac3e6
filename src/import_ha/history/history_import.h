// SPDX-License-Identifier: Apache-2.0
// Carries the past of the old home into history.db of the new one: states, the events of the logbook, statistics.
//
// The old database is read once from its first row to its last. Its rows are dealt into compressed temporary files by
// entity; then each file is sorted and written as the packed days that the recorder writes, so that nothing needs to be
// packed later. Memory stays below 150 MiB whatever the size.
//
// One thread. A run that was killed or cancelled goes on where it was when it is called again with the same scratch
// folder, target and fingerprint, and ends with the same history.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "import_ha/report/report.h"
#include "storage/database.h"

namespace hearth::import_ha {

struct HistoryPlan {
  storage::Database& old;         // only read
  std::filesystem::path target;   // the folder of the new home; history.db and home.db are made in it if absent
  std::filesystem::path scratch;  // a folder for temporary files and progress.db; made if needed
  base::Timestamp now;
  std::string fingerprint = {};  // of the source: with another one a run begins anew
  // Only states and events so long before the newest state of the file; null: all.
  std::optional<base::Duration> last = {};
  bool dry_run = false;                // counts, and writes nothing
  std::size_t rows_at_once = 250'000;  // read between two notes of the progress: after a kill they are read again
  // Called between pieces of reading, while no statement of `old` runs: may end its transaction and begin another.
  std::function<base::Result<void>()> renew = [] { return base::Result<void>(); };
  storage::GoOn go_on = [] { return true; };  // asked every few thousand rows; false cancels
  // Rows done, of about so many; called every few thousand rows. One that is read, and not yet written, is half done.
  std::function<void(std::uint64_t done, std::uint64_t of)> progress = [](std::uint64_t, std::uint64_t) {};
};

// The oldest and newest state that was carried; null if there was none.
struct PastSpan {
  std::optional<base::Timestamp> oldest, newest;
};

// Changes of states. Counts "states" and "history_entities". A state that is not older than the entity's own first
// change in the new home is left; one that an earlier import has brought counts as carried.
//
// All three fail with unavailable: if a file cannot be read or written, or if the work was cancelled. What cannot be
// read of a damaged file is counted as lost, and named.
base::Result<PastSpan> import_states(const HistoryPlan& plan, Report& report);

// Events that the logbook shows and that explain changes: automation_triggered, script_started, logbook_entry,
// scene_activated, and calls of scene.turn_on. Counts "events"; others are left, counted by type in a note.
base::Result<void> import_events(const HistoryPlan& plan, Report& report);

// Statistics: those of entities into the hub's own, others into the imported ones. Counts "statistics" (hours),
// "short_term_statistics" (five minutes), and "statistic_ids". After import_states, whose changes say in which unit
// an entity's state is.
base::Result<void> import_statistics(const HistoryPlan& plan, Report& report);

}  // namespace hearth::import_ha
