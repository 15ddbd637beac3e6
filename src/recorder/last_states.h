// SPDX-License-Identifier: Apache-2.0
// Every entity's last state in home.db, so that a restart finds it again: value, attributes, times and context. Saved
// now and then; the mark says up to where, and what came later is in the log of history.db.
//
// One thread at a time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/limits.h"
#include "core/state.h"
#include "recorder/text_map.h"
#include "storage/database.h"

namespace hearth::recorder {

class LastStates {
 public:
  // By entity id. Null: the entity was removed.
  using States = TextMap<core::StatePtr>;

  // The number of a change in the log of one history file, which is told from others by its name.
  struct Mark {
    std::string history;
    std::int64_t change = 0;
    bool operator==(const Mark&) const = default;
  };

  static base::Result<LastStates> open(const std::filesystem::path& file);

  // A row that makes no state is left out and logged. So, into `left_out`, are those for which the home has no room, by
  // the bounds of the state machine: what is never read takes no memory.
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

// Says which entities the home has no room for, and what can be done.
void warn_of_left_out(std::vector<std::string> entities, const core::Limits& limits);

// What a state was made of, put together again. Null where the parts make none, as when somebody has edited the file.
core::StatePtr make_state(std::string_view entity_id, std::string_view value, std::string_view attributes,
                          core::State::Times times, const core::Context& context);

}  // namespace hearth::recorder
