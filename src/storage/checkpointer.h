// SPDX-License-Identifier: Apache-2.0
// Copies the write-ahead log of a file into the file on a thread of its own, so that a commit does not wait for it.
// Otherwise SQLite does it in the commit that makes the log longer than 1,000 pages, which takes milliseconds.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>

#include "base/result.h"
#include "base/threads/task_thread.h"
#include "storage/database.h"

namespace hearth::storage {

class Checkpointer {
 public:
  static constexpr int kPages = 1'000;  // of a log that is copied
  static constexpr int kMost = 16'000;  // pages; beyond them commits copy, too: otherwise a log might fill the disk

  // The file exists.
  static base::Result<std::unique_ptr<Checkpointer>> open(const std::filesystem::path& file);
  ~Checkpointer() { stop(); }
  Checkpointer(const Checkpointer&) = delete;
  Checkpointer& operator=(const Checkpointer&) = delete;

  // Nothing is copied any more; commits copy by themselves when the log is long.
  void stop() { thread_.stop(); }

  // Commits of this connection, which is on the same file and ends before this object, leave the log to it.
  void serve(Database& database);

 private:
  explicit Checkpointer(Database database);
  base::Duration copy_if_due();

  Database database_;
  std::atomic<bool> due_ = false;
  base::TaskThread thread_;
};

}  // namespace hearth::storage
