// SPDX-License-Identifier: Apache-2.0
#include "storage/checkpointer.h"

#include <sqlite3.h>

#include "base/log/log.h"

namespace hearth::storage {
namespace {

constexpr int kRounds = 10;
constexpr int kWait = 200;  // ms

}  // namespace

Checkpointer::Checkpointer(Database database)
    : database_(std::move(database)), thread_("checkpoint", "storage", {1}, [this] { return copy_if_due(); }) {
  thread_.start();
}

base::Result<std::unique_ptr<Checkpointer>> Checkpointer::open(const std::filesystem::path& file) {
  auto database = Database::open(file);
  if (!database) return std::unexpected(std::move(database.error()));
  return std::unique_ptr<Checkpointer>(new Checkpointer(std::move(*database)));
}

void Checkpointer::serve(Database& database) {
  // A hook takes the place of SQLite's own, which copies after 1,000 pages.
  const auto committed = [](void* self, sqlite3* connection, const char* name, int pages) {
    if (pages < kPages) return SQLITE_OK;
    auto& checkpointer = *static_cast<Checkpointer*>(self);
    if (!checkpointer.due_.exchange(true)) checkpointer.thread_.wake();
    if (pages < kMost) return SQLITE_OK;
    // It waits for the thread, if that copies, and for readers, but not for long: what fails here leaves the log as it
    // is, and the next commit tries again.
    sqlite3_busy_timeout(connection, kWait);
    sqlite3_wal_checkpoint_v2(connection, name, SQLITE_CHECKPOINT_FULL, nullptr, nullptr);
    sqlite3_busy_timeout(connection, static_cast<int>(Database::kBusyTimeout.count()));
    return SQLITE_OK;
  };
  sqlite3_wal_hook(database.connection_.get(), committed, this);
}

base::Duration Checkpointer::copy_if_due() {
  if (!due_.exchange(false)) return base::TaskThread::kUntilWoken;
  // The log begins anew only if a commit finds all of it copied. What was committed meanwhile is short and copied in
  // the next round.
  for (int round = 0; round < kRounds; ++round) {
    int pages = 0, copied = 0;
    const int status =
        sqlite3_wal_checkpoint_v2(database_.connection_.get(), "main", SQLITE_CHECKPOINT_PASSIVE, &pages, &copied);
    if (status != SQLITE_OK) {
      base::log_debug("storage", "the write-ahead log of {} stays: {}", database_.file(), sqlite3_errstr(status));
      break;
    }
    if (copied >= pages) break;
  }
  return base::TaskThread::kUntilWoken;
}

}  // namespace hearth::storage
