// SPDX-License-Identifier: Apache-2.0
// Appends to the log of history.db: entities, users and attribute sets become small numbers, each string stored once.
// For entities without history, only the newest change of a transaction is written, for their last state.
//
// One thread at a time. After a failed call the caller rolls back the transaction.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/text/text_map.h"
#include "recorder/journal/last_states.h"
#include "recorder/log/log_entry.h"
#include "storage/database.h"

namespace hearth::recorder {

class HistoryWriter {
 public:
  // Attribute sets remembered, so that a repeated one is not stored again, and bytes of the states that contain them;
  // at either bound all are forgotten.
  static constexpr std::size_t kMaxSets = 2'048;
  static constexpr std::size_t kMaxSetBytes = 1024 * 1024;

  // The part of an entity that is written: its history; its newest change only; nothing.
  enum class Kept { history, newest, nothing };
  using Keeps = std::function<Kept(std::string_view entity_id)>;
  static base::Result<HistoryWriter> open(const std::filesystem::path& file, Keeps keeps);

  const std::string& name() const { return name_; }
  // The highest number in the log as of the last commit; 0 if it is empty.
  std::int64_t last_change() const { return last_change_; }
  // The number of changes in the log as of the last commit, and the day of the oldest.
  std::size_t log_size() const { return log_size_; }
  std::optional<std::int64_t> log_day() const { return log_day_; }

  // Begins a transaction if none is open; the entry must stay valid until it ends. Returns the earlier entry that need
  // not be written any more, null if there is none. REQUIRES: no gap.
  base::Result<LogEntry*> append(LogEntry& entry);
  base::Result<void> commit();
  void rollback();

  // Reads the log's state again, after others have written to it.
  base::Result<void> refresh();
  // Applies the log's changes after the number `after` to `states`, except to states that are newer. Adds what it
  // changed to `touched`.
  base::Result<void> replay(std::int64_t after, base::Timestamp now, LastStates::States& states,
                            LastStates::States& touched);

  storage::Database& database() { return database_; }

 private:
  struct Entity {
    std::int64_t id = 0;
    std::int64_t set = 0;  // of `latest`; 0 if this part of the log has none
    core::StatePtr latest;
    Kept kept = Kept::history;
    LogEntry* newest = nullptr;  // of the transaction, if the entity has no history
  };
  struct Set {
    std::int64_t id;
    core::StatePtr owner;  // of the string that is the key
  };

  HistoryWriter(storage::Database database, std::string name, Keeps keeps)
      : database_(std::move(database)), name_(std::move(name)), keeps_(std::move(keeps)) {}
  base::Result<void> prepare();
  static bool put_back(const storage::Statement& row, base::Timestamp now, LastStates::States& states,
                       LastStates::States& touched);
  base::Result<void> begin();
  base::Result<void> append_change(const LogEntry& entry, Entity& entity);
  base::Result<void> append_event(const LogEntry& entry);
  base::Result<void> append_newest();
  base::Result<void> rename(const core::RegistryChange& change);
  base::Result<bool> has_history(std::int64_t entity);
  base::Result<Entity*> entity(std::string_view entity_id);
  base::Result<std::int64_t> attribute_set(Entity& entity, const core::StatePtr& state);
  base::Result<std::optional<std::int64_t>> user(std::string_view user_id);
  // The number of a string in a dictionary's table, inserted if absent.
  base::Result<std::int64_t> number_of(storage::Statement& find, storage::Statement& add, std::string_view text);
  void forget();

  storage::Database database_;
  std::string name_;
  Keeps keeps_;
  std::optional<storage::Statement> add_change_, add_event_, add_set_, find_entity_, add_entity_, find_user_, add_user_;
  base::TextMap<Entity> entities_;  // entities since the last forget
  std::vector<Entity*> deferred_;   // those with a `newest`
  std::unordered_map<std::string_view, Set> sets_;
  std::size_t set_bytes_ = 0;
  base::TextMap<std::int64_t> users_;
  std::int64_t last_set_ = 0;
  std::int64_t last_change_ = 0, appended_change_ = 0;
  std::size_t log_size_ = 0, appended_ = 0;
  std::optional<std::int64_t> log_day_, appended_day_;
};

}  // namespace hearth::recorder
