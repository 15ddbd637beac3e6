// SPDX-License-Identifier: Apache-2.0
// Reads changes of the log by number, and indexes the numbers by entity: the log itself has no index, so frequent
// readers keep one in memory.
//
// One thread at a time, the database's user.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "recorder/log/change.h"
#include "storage/database.h"

namespace hearth::recorder {

class LogReader {
 public:
  static base::Result<LogReader> create(storage::Database& database);

  // At the start of each transaction: the id of an attribute set may refer to another one by now.
  void forget() { set_id_ = 0; }
  // Appends the change; does nothing if the number does not exist.
  base::Result<void> read(std::int64_t id, ChangeList& list);

 private:
  LogReader(storage::Statement change, storage::Statement set, storage::Statement user)
      : change_(std::move(change)), set_(std::move(set)), user_(std::move(user)) {}

  base::Result<void> read_set(std::int64_t id);
  base::Result<std::string_view> user(std::int64_t id);

  storage::Statement change_, set_, user_;
  std::unordered_map<std::int64_t, std::string> users_;
  std::int64_t set_id_ = 0;
  std::string set_text_;
};

// The numbers of the log's changes by entity, at most as many as the log holds, which is packed at Recorder::kPackSize.
class LogIndex {
 public:
  static base::Result<LogIndex> create(storage::Database& database);

  // Adds what is new and drops what was deleted. REQUIRES: a transaction, whose moment the index then shows.
  base::Result<void> refresh();
  // In ascending order.
  const std::vector<std::int64_t>& of(std::int64_t entity) const;
  std::int64_t last() const { return last_; }
  // A lower bound of the times in the log.
  base::Timestamp earliest() const { return earliest_; }

 private:
  LogIndex(storage::Statement bounds, storage::Statement newer)
      : bounds_(std::move(bounds)), newer_(std::move(newer)) {}

  storage::Statement bounds_, newer_;
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> by_entity_;
  std::int64_t first_ = 0, last_ = 0;
  base::Timestamp earliest_ = base::Timestamp::max();
};

}  // namespace hearth::recorder
