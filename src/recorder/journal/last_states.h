// SPDX-License-Identifier: Apache-2.0
// Stores every entity's last state in home.db, for the next start: value, attributes, times and context. Saved from
// time to time; the mark says up to where, and later changes are in the log of history.db.
//
// One thread at a time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/text/text_map.h"
#include "core/states/state.h"
#include "core/values/limits.h"
#include "storage/database.h"
#include "storage/migrate.h"

namespace hearth::recorder {

class LastStates {
 public:
  // By entity id. Null if the entity was removed.
  using States = base::TextMap<core::StatePtr>;

  // A change's number in the log of one history file, which its name identifies.
  struct Mark {
    std::string history;
    std::int64_t change = 0;
    bool operator==(const Mark&) const = default;
  };

  // Of its tables.
  static storage::Schema schema();

  // True if a saved state is newer than a change of the log after the mark, or of the journal. The time of a state that
  // was saved while the clock was ahead says nothing: then the change is newer.
  static bool is_newer(const core::State& saved, base::Timestamp changed, base::Timestamp now) {
    return saved.last_updated() > changed && (saved.last_updated() <= now || changed > now);
  }

  static base::Result<LastStates> open(const std::filesystem::path& file);

  // Skips and logs rows that make no state. Skips, and lists in `left_out`, rows beyond the state machine's limits,
  // which are not even read into memory.
  base::Result<States> load(const core::Limits& limits, std::vector<std::string>& left_out);
  base::Result<Mark> mark();
  storage::Database& database() { return database_; }
  // All or nothing.
  base::Result<void> save(const States& changes, const Mark& mark);

 private:
  base::Result<std::vector<std::string>> find_too_much(const core::Limits& limits);

  explicit LastStates(storage::Database database) : database_(std::move(database)) {}

  storage::Database database_;
};

// Logs which entities exceed the home's limits, and what to do.
void warn_of_left_out(std::vector<std::string> entities, const core::Limits& limits);

// Rebuilds a state from its parts. Null if they make none, for example after somebody has edited the file.
core::StatePtr make_state(std::string_view entity_id, std::string_view value, std::string_view attributes,
                          core::State::Times times, const core::Context& context);

}  // namespace hearth::recorder
