// SPDX-License-Identifier: Apache-2.0
#include "storage/statement.h"

#include <sqlite3.h>

#include "storage/sqlite_error.h"

namespace hearth::storage {

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

void Statement::restart() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
  bind_status_ = SQLITE_OK;
}

base::Result<bool> Statement::step() {
  sqlite3* const connection = sqlite3_db_handle(statement_.get());
  if (bind_status_ != SQLITE_OK) return std::unexpected(sqlite_error(connection, bind_status_));
  const int status = sqlite3_step(statement_.get());
  if (status == SQLITE_ROW) return true;
  if (status == SQLITE_DONE) {
    sqlite3_reset(statement_.get());
    return false;
  }
  auto error = sqlite_error(connection, status);
  sqlite3_reset(statement_.get());
  return std::unexpected(std::move(error));
}

base::Result<void> Statement::run() {
  return for_each([](const Statement&) {});
}

void Statement::bind_null(int index) {
  if (const int status = sqlite3_bind_null(statement_.get(), index); status != SQLITE_OK) bind_status_ = status;
}

void Statement::bind_integer(int index, std::int64_t value) {
  if (const int status = sqlite3_bind_int64(statement_.get(), index, value); status != SQLITE_OK) bind_status_ = status;
}

void Statement::bind_text(int index, std::string_view value) {
  // A null pointer would become NULL, not an empty string.
  const int status = sqlite3_bind_text64(statement_.get(), index, value.data() ? value.data() : "", value.size(),
                                         copies_ ? SQLITE_TRANSIENT : SQLITE_STATIC, SQLITE_UTF8);
  if (status != SQLITE_OK) bind_status_ = status;
}

void Statement::bind_blob(int index, Blob value) {
  const int status = value.empty() ? sqlite3_bind_zeroblob(statement_.get(), index, 0)
                                   : sqlite3_bind_blob64(statement_.get(), index, value.data(), value.size(),
                                                         copies_ ? SQLITE_TRANSIENT : SQLITE_STATIC);
  if (status != SQLITE_OK) bind_status_ = status;
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}

std::string_view Statement::text(int column) const {
  const auto* const data = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return data ? std::string_view(data, sqlite3_column_bytes(statement_.get(), column)) : std::string_view();
}

Blob Statement::blob(int column) const {
  const auto* const data = static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_.get(), column));
  return data ? Blob(data, sqlite3_column_bytes(statement_.get(), column)) : Blob();
}

std::optional<std::string_view> Statement::optional_text(int column) const {
  if (is_null(column)) return {};
  return text(column);
}

std::optional<std::string> Statement::optional_string(int column) const {
  if (is_null(column)) return {};
  return std::string(text(column));
}

std::optional<base::Timestamp> Statement::optional_timestamp(int column) const {
  if (is_null(column)) return {};
  return timestamp(column);
}

}  // namespace hearth::storage
