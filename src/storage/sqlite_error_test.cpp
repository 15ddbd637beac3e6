// SPDX-License-Identifier: Apache-2.0
#include "storage/sqlite_error.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <memory>

namespace hearth::storage {
namespace {

using Connection = std::unique_ptr<sqlite3, decltype(&sqlite3_close)>;

Connection open_in_memory() {
  sqlite3* connection = nullptr;
  EXPECT_EQ(sqlite3_open(":memory:", &connection), SQLITE_OK);
  return {connection, &sqlite3_close};
}

TEST(SqliteError, TellsWhatHappenedAndWhetherItMayPass) {
  const Connection connection = open_in_memory();
  struct Case {
    int code;
    base::ErrorCode error;
    std::string_view message;
  };
  using enum base::ErrorCode;
  for (const Case& one : {
           Case{SQLITE_NOTADB, unavailable, "The database is not a database."},
           Case{SQLITE_CORRUPT, unavailable, "The database is damaged"},
           Case{SQLITE_CORRUPT_VTAB, unavailable, "The database is damaged"},
           Case{SQLITE_CANTOPEN, unavailable, "The database cannot be opened"},
           Case{SQLITE_PERM, unavailable, "no permission"},
           Case{SQLITE_READONLY_DBMOVED, unavailable, "no permission"},
           Case{SQLITE_BUSY_SNAPSHOT, unavailable, "in use by another program"},
           Case{SQLITE_FULL, unavailable, "the disk is full"},
           Case{SQLITE_IOERR_WRITE, unavailable, "cannot be read or written"},
           Case{SQLITE_CONSTRAINT_UNIQUE, conflict, "The database: "},
           Case{SQLITE_MISUSE, internal, "The database: "},
       }) {
    const base::Error error = sqlite_error(connection.get(), one.code);
    EXPECT_EQ(error.code, one.error) << one.code;
    EXPECT_TRUE(error.message.contains(one.message)) << one.code << ": " << error.message;
    EXPECT_TRUE(error.message.ends_with('.')) << error.message;
  }
}

TEST(SqliteError, NamesTheFile) {
  const std::string path = testing::TempDir() + "sqlite_error_test.db";
  sqlite3* opened = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &opened), SQLITE_OK);
  const Connection connection(opened, &sqlite3_close);
  EXPECT_TRUE(sqlite_error(opened, SQLITE_FULL).message.starts_with(path + " cannot be written"));
}

TEST(SqliteError, GivesTheReasonOfTheSystemIfThereIsOne) {
  sqlite3* opened = nullptr;
  EXPECT_EQ(sqlite3_open((testing::TempDir() + "no/such/folder/home.db").c_str(), &opened), SQLITE_CANTOPEN);
  const Connection connection(opened, &sqlite3_close);
  EXPECT_EQ(failure_reason(opened), "No such file or directory");
  EXPECT_TRUE(sqlite_error(opened, SQLITE_CANTOPEN).message.ends_with("cannot be opened: No such file or directory."));
  EXPECT_EQ(failure_reason(open_in_memory().get()), "not an error");
}

}  // namespace
}  // namespace hearth::storage
