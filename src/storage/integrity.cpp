// SPDX-License-Identifier: Apache-2.0
#include "storage/integrity.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/log/guarded.h"
#include "storage/sqlite_error.h"
#include "storage/sqlite_handles.h"

namespace hearth::storage {
namespace {

constexpr char kUnchanging[] = "?immutable=1";
constexpr int kAskEvery = 10'000;  // of SQLite's virtual machine

// https://sqlite.org/uri.html; with immutable=1 without locks and without a log beside the file.
std::string uri_of(const std::filesystem::path& file) {
  std::string uri = "file:";
  for (const char c : file.native()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
                       byte == '/' || byte == '.' || byte == '-' || byte == '_';
    if (plain)
      uri += c;
    else
      uri += fmt::format("%{:02X}", byte);
  }
  return uri;
}

int ask(void* go_on) {
  bool goes_on = false;
  base::run_guarded("storage", "the check of a database", [&] { goes_on = (*static_cast<const GoOn*>(go_on))(); });
  return goes_on ? 0 : 1;
}

base::Result<void> check(const std::filesystem::path& file, const std::string& address, const char* question,
                         const GoOn& go_on) {
  const std::string name = file.filename().string();
  sqlite3* opened = nullptr;
  int status =
      sqlite3_open_v2(address.c_str(), &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  const Connection connection(opened);
  if (!connection) return base::fail(base::ErrorCode::internal, "Out of memory.");
  std::string found;
  if (status == SQLITE_OK) {
    sqlite3_busy_timeout(opened, static_cast<int>(Database::kBusyTimeout.count()));
    sqlite3_progress_handler(opened, kAskEvery, ask, const_cast<GoOn*>(&go_on));
    sqlite3_stmt* prepared = nullptr;
    status = sqlite3_prepare_v2(opened, question, -1, &prepared, nullptr);
    const Query query(prepared);
    while (status == SQLITE_OK || status == SQLITE_ROW) {
      status = sqlite3_step(prepared);
      if (status == SQLITE_ROW) found = reinterpret_cast<const char*>(sqlite3_column_text(prepared, 0));
    }
  }
  switch (status & 0xFF) {
    case SQLITE_DONE:
      break;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      found = sqlite3_errmsg(opened);
      break;
    case SQLITE_INTERRUPT:
      return base::fail(base::ErrorCode::unavailable, name + ": the work was ended before it was done.");
    default:
      return base::fail(base::ErrorCode::unavailable,
                        fmt::format("{} cannot be read: {}.", name, failure_reason(opened)));
  }
  if (found == "ok") return {};
  std::ranges::replace(found, '\n', ' ');
  return base::fail(base::ErrorCode::invalid, fmt::format("{} is damaged: {}.", name, found));
}

}  // namespace

base::Result<void> check_integrity(const std::filesystem::path& file, const GoOn& go_on) {
  return check(file, uri_of(file) + kUnchanging, "PRAGMA integrity_check(1)", go_on);
}

base::Result<void> check_in_use(const std::filesystem::path& file, const GoOn& go_on) {
  // Without a write-ahead log nobody writes, and all is in the file itself; to look for a log would create one.
  std::error_code unknown;
  const bool written = std::filesystem::exists(file.native() + "-wal", unknown);
  return check(file, uri_of(file) + (written ? "" : kUnchanging), "PRAGMA quick_check(1)", go_on);
}

}  // namespace hearth::storage
