// SPDX-License-Identifier: Apache-2.0
// A file beside the database with the commits of the journal since its last write to the database. Here a commit costs
// only its texts; in the database it costs a page of 4 KiB for each row and more, and a loop makes thousands of
// commits.
//
// One append is one write: a kill of the process leaves it whole or absent. An incomplete record ends the log.
// One thread at a time.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hearth::recorder {

class JournalLog {
 public:
  using Entries = std::map<std::string, std::optional<std::string>, std::less<>>;  // null: removed
  static constexpr std::size_t kMaxBytes = 256 * 1024;
  static constexpr std::size_t kMaxAppend = 16 * 1024;  // what is larger belongs into the database

  explicit JournalLog(std::filesystem::path file) : file_(std::move(file)) {}
  ~JournalLog();
  JournalLog(const JournalLog&) = delete;
  JournalLog& operator=(const JournalLog&) = delete;

  // All entries appended since begin() was called with that generation; empty if the file belongs to another one.
  Entries read(std::string_view generation) const;
  // Empties the file, which is made if there is none. Fails with unavailable.
  base::Result<void> begin(std::string_view generation);
  bool is_begun() const { return descriptor_ >= 0; }
  // False, and nothing is written, if there is no room or if begin() has not been called. Fails with unavailable.
  base::Result<bool> append(const Entries& entries);

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
  std::size_t bytes_ = 0;
};

}  // namespace hearth::recorder
