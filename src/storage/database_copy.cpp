// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "storage/database.h"
#include "storage/sqlite_error.h"

namespace hearth::storage {
namespace {

constexpr int kPagesInStep = 64;

struct Finish {
  void operator()(sqlite3_backup* copying) const { sqlite3_backup_finish(copying); }
};

}  // namespace

base::Result<void> Database::copy_to(const std::filesystem::path& target, const GoOn& go_on) {
  if (::mknod(target.c_str(), S_IFREG | 0600, 0) != 0) {
    const int reason = errno;
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("{} cannot be made: {}.", target.string(), std::generic_category().message(reason)));
  }
  // Nobody else uses the file: without locks it can be on any file system.
  sqlite3* opened = nullptr;
  const int status = sqlite3_open_v2(target.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, "unix-none");
  const std::unique_ptr<sqlite3, Close> copy(opened);
  if (!copy) return base::fail(base::ErrorCode::internal, "Out of memory.");
  if (status != SQLITE_OK) return std::unexpected(sqlite_error(copy.get(), status));
  // An unfinished copy is useless, so it needs no journal.
  sqlite3_exec(copy.get(), "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", nullptr, nullptr, nullptr);

  std::unique_ptr<sqlite3_backup, Finish> copying(sqlite3_backup_init(copy.get(), "main", connection_.get(), "main"));
  if (!copying) return std::unexpected(sqlite_error(copy.get(), sqlite3_errcode(copy.get())));
  int step;
  while ((step = sqlite3_backup_step(copying.get(), kPagesInStep)) == SQLITE_OK) {
    if (!go_on()) return base::fail(base::ErrorCode::unavailable, "The work was ended before it was done.");
  }
  const int finished = sqlite3_backup_finish(copying.release());
  if (step == SQLITE_DONE && finished == SQLITE_OK) return {};
  // The connection whose error code matches is the one that failed.
  const bool own = (sqlite3_errcode(connection_.get()) & 0xFF) == (step & 0xFF);
  return std::unexpected(sqlite_error(own ? connection_.get() : copy.get(), step == SQLITE_DONE ? finished : step));
}

}  // namespace hearth::storage
