// SPDX-License-Identifier: Apache-2.0
// Stores a follower's position in the log in home.db, so that delivered entries are not delivered again after a
// restart.
//
// One thread at a time.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "recorder/journal/last_states.h"
#include "storage/database.h"
#include "storage/migrate.h"

namespace hearth::recorder {

class FollowerMark {
 public:
  // Of its tables.
  static storage::Schema schema();

  // Fails with unavailable if the file cannot be written.
  static base::Result<FollowerMark> open(const std::filesystem::path& file, std::string follower);
  // Empty, with 0, if it has never delivered anything.
  const LastStates::Mark& mark() const { return mark_; }
  // Survives the process, and a power failure after some seconds.
  base::Result<void> save(LastStates::Mark mark);

 private:
  FollowerMark(storage::Database database, std::string follower)
      : database_(std::move(database)), follower_(std::move(follower)) {}

  storage::Database database_;
  std::string follower_;
  LastStates::Mark mark_;
};

}  // namespace hearth::recorder
