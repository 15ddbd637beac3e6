// SPDX-License-Identifier: Apache-2.0
#include "storage/sqlite_error.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <string_view>
#include <system_error>

namespace hearth::storage {

std::string failure_reason(sqlite3* connection) {
  const int system = sqlite3_system_errno(connection);
  return system != 0 ? std::generic_category().message(system) : sqlite3_errmsg(connection);
}

base::Error sqlite_error(sqlite3* connection, int code) {
  const char* const name = sqlite3_db_filename(connection, "main");
  const std::string_view file = name && *name ? name : "The database";
  switch (code & 0xFF) {
    case SQLITE_NOTADB:
      return {base::ErrorCode::unavailable, fmt::format("{} is not a database.", file)};
    case SQLITE_CORRUPT:
      return {base::ErrorCode::unavailable,
              fmt::format("{} is damaged ({}); put a backup in its place.", file, sqlite3_errmsg(connection))};
    case SQLITE_CANTOPEN:
      return {base::ErrorCode::unavailable, fmt::format("{} cannot be opened: {}.", file, failure_reason(connection))};
    case SQLITE_PERM:
    case SQLITE_READONLY:
      return {base::ErrorCode::unavailable, fmt::format("{} cannot be written: no permission.", file)};
    case SQLITE_BUSY:
      return {base::ErrorCode::unavailable, fmt::format("{} is in use by another program that does not let go.", file)};
    case SQLITE_FULL:
      return {base::ErrorCode::unavailable, fmt::format("{} cannot be written: the disk is full.", file)};
    case SQLITE_IOERR:
      return {base::ErrorCode::unavailable,
              fmt::format("{} cannot be read or written: {}.", file, failure_reason(connection))};
    case SQLITE_CONSTRAINT:
      return {base::ErrorCode::conflict, fmt::format("{}: {}.", file, sqlite3_errmsg(connection))};
    default:
      return {base::ErrorCode::internal, fmt::format("{}: {}.", file, sqlite3_errmsg(connection))};
  }
}

}  // namespace hearth::storage
