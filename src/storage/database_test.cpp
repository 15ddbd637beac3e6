// SPDX-License-Identifier: Apache-2.0
#include "storage/database.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "storage/temporary_folder.h"

namespace hearth::storage {
namespace {

using namespace std::string_view_literals;

std::string first_text(Database& database, std::string_view sql) {
  auto select = database.prepare(sql).value();
  return select.step().value() ? std::string(select.text(0)) : "no row";
}

TEST(Database, CreatesAFileThatOnlyItsOwnerCanRead) {
  TemporaryFolder folder;
  const auto old_mask = ::umask(0);
  auto database = Database::open(folder / "home.db").value();
  database.execute("CREATE TABLE t(a)").value();
  for (const auto name : {"home.db", "home.db-wal", "home.db-shm"}) {
    struct stat about{};
    ASSERT_EQ(0, ::stat((folder / name).c_str(), &about)) << name;
    EXPECT_EQ(0600u, about.st_mode & 0777) << name;
  }
  ::umask(old_mask);
}

TEST(Database, ShrinksIfItWasCreatedForIt) {
  TemporaryFolder folder;
  auto database = Database::open(folder / "h.db", Durability::full, Shrinking::incremental).value();
  database.execute("CREATE TABLE t(a)").value();
  EXPECT_EQ("2", first_text(database, "PRAGMA auto_vacuum"));
  auto other = Database::open(folder / "home.db").value();
  EXPECT_EQ("0", first_text(other, "PRAGMA auto_vacuum"));
}

TEST(Database, OpensForAReaderBesideAWriter) {
  TemporaryFolder folder;
  const auto open = [&] { return Database::open(folder / "h.db", Durability::full, Shrinking::incremental).value(); };
  auto writer = open();
  writer.execute("CREATE TABLE t(a); BEGIN IMMEDIATE; INSERT INTO t VALUES(1)").value();
  const auto start = std::chrono::steady_clock::now();
  auto reader = open();
  EXPECT_EQ("0", first_text(reader, "SELECT count(*) FROM t"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, Database::kBusyTimeout);
}

TEST(Database, ReadsWithoutChangingWhatAnotherConnectionWrites) {
  TemporaryFolder folder;
  const auto rows_by = [&](Reading reading) {
    auto reader = Database::open_to_read(folder / "h.db", reading).value();
    EXPECT_FALSE(reader.execute("INSERT INTO t VALUES(2)"));
    return first_text(reader, "SELECT count(*) FROM t");
  };
  auto writer = Database::open(folder / "h.db").value();
  writer.execute("CREATE TABLE t(a)").value();
  writer.execute("PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO t VALUES(1)").value();
  EXPECT_EQ("1", rows_by(Reading::in_use));
  EXPECT_EQ("1", rows_by(Reading::with_log));
  EXPECT_EQ("0", rows_by(Reading::immutable));  // without the log
  std::filesystem::copy_file(folder / "h.db", folder / "copy.db");
  std::filesystem::copy_file(folder / "h.db-wal", folder / "copy.db-wal");
  auto alone = Database::open_to_read(folder / "copy.db", Reading::in_use);
  EXPECT_FALSE(alone && alone->execute("SELECT count(*) FROM t"));
  EXPECT_FALSE(std::filesystem::exists(folder / "copy.db-shm"));
}

TEST(Database, CallsBackWhileStatementsRun) {
  TemporaryFolder folder;
  auto database = Database::open(folder / "h.db").value();
  int steps = 0;
  database.while_running([&] { ++steps; });
  auto moved = std::move(database);
  moved.execute("CREATE TABLE t(a)").value();
  const int before = steps;
  moved
      .execute(
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) INSERT INTO t SELECT i FROM "
          "n")
      .value();
  EXPECT_GT(steps - before, 1000);
  EXPECT_EQ("10000", first_text(moved, "SELECT count(*) FROM t"));
}

TEST(Database, WritesAheadAndEnforcesForeignKeys) {
  TemporaryFolder folder;
  auto normal = Database::open(folder / "home.db").value();
  EXPECT_EQ("wal", first_text(normal, "PRAGMA journal_mode"));
  EXPECT_EQ("1", first_text(normal, "PRAGMA synchronous"));
  EXPECT_EQ("1", first_text(normal, "PRAGMA foreign_keys"));
  EXPECT_EQ("5000", first_text(normal, "PRAGMA busy_timeout"));
  auto full = Database::open(folder / "home.db", Durability::full).value();
  EXPECT_EQ("2", first_text(full, "PRAGMA synchronous"));
}

TEST(Database, GivesBackWhatWasBound) {
  TemporaryFolder folder;
  auto database = Database::open(folder / "home.db").value();
  database.execute("CREATE TABLE t(a, b, c, d, e, f, g)").value();
  const std::array<std::uint8_t, 3> bytes{0, 255, 7};
  const base::Timestamp time(std::chrono::microseconds(1'732'176'000'123'456));
  database
      .run("INSERT INTO t VALUES(?, ?, ?, ?, ?, ?, ?)", std::int64_t{-9'000'000'000'000'000'000}, "a\0b"sv, Blob(bytes),
           time, std::optional<std::string_view>(), std::string_view(), true)
      .value();

  auto select = database.prepare("SELECT * FROM t").value();
  ASSERT_TRUE(select.step().value());
  EXPECT_EQ(-9'000'000'000'000'000'000, select.integer(0));
  EXPECT_EQ("a\0b"sv, select.text(1));
  EXPECT_TRUE(std::ranges::equal(bytes, select.blob(2)));
  EXPECT_EQ(time, select.timestamp(3));
  EXPECT_EQ(time, select.optional_timestamp(3));
  EXPECT_EQ(std::nullopt, select.optional_text(4));
  EXPECT_EQ(std::nullopt, select.optional_timestamp(4));
  EXPECT_FALSE(select.is_null(5));
  EXPECT_EQ("", select.text(5));
  EXPECT_EQ(1, select.integer(6));
  EXPECT_FALSE(select.step().value());
}

TEST(Database, BindsAgainEachTime) {
  TemporaryFolder folder;
  auto database = Database::open(folder / "home.db").value();
  auto echo = database.prepare("SELECT ?, ?").value();
  ASSERT_TRUE(echo.bind(1, 2).step().value());
  ASSERT_TRUE(echo.bind(3).step().value());
  EXPECT_EQ(3, echo.integer(0));
  EXPECT_TRUE(echo.is_null(1));
}

TEST(Database, RefusesAWrongNumberOfParameters) {
  TemporaryFolder folder;
  auto database = Database::open(folder / "home.db").value();
  EXPECT_FALSE(database.run("SELECT ?", 1, 2).has_value());
}

TEST(Database, RollsBackATransactionThatWasNotCommitted) {
  TemporaryFolder folder;
  auto database = Database::open(folder / "home.db").value();
  database.execute("CREATE TABLE t(a)").value();
  {
    auto transaction = Transaction::begin(database, Transaction::Kind::write).value();
    database.run("INSERT INTO t VALUES(1)").value();
  }
  EXPECT_EQ("0", first_text(database, "SELECT count(*) FROM t"));
  {
    auto transaction = Transaction::begin(database, Transaction::Kind::write).value();
    database.run("INSERT INTO t VALUES(1)").value();
    transaction.commit().value();
  }
  EXPECT_EQ("1", first_text(database, "SELECT count(*) FROM t"));
}

TEST(Database, SeesOneMomentThroughoutAReadTransaction) {
  TemporaryFolder folder;
  auto database = Database::open(folder / "home.db").value();
  auto other = Database::open(folder / "home.db").value();
  database.execute("CREATE TABLE t(a)").value();
  auto transaction = Transaction::begin(database, Transaction::Kind::read).value();
  EXPECT_EQ("0", first_text(database, "SELECT count(*) FROM t"));
  other.run("INSERT INTO t VALUES(1)").value();
  EXPECT_EQ("0", first_text(database, "SELECT count(*) FROM t"));
}

TEST(Database, CountsOnlyWhatOthersCommitAsANewDataVersion) {
  TemporaryFolder folder;
  auto database = Database::open(folder / "home.db").value();
  auto other = Database::open(folder / "home.db").value();
  const auto before = database.data_version().value();
  database.execute("CREATE TABLE t(a)").value();
  EXPECT_EQ(before, database.data_version().value());
  other.run("INSERT INTO t VALUES(1)").value();
  EXPECT_NE(before, database.data_version().value());
}

TEST(Database, RefusesAFileThatIsNoDatabase) {
  TemporaryFolder folder;
  const auto file = folder / "home.db";
  std::ofstream(file) << std::string(4096, 'x');
  const auto opened = Database::open(file);
  ASSERT_FALSE(opened);
  EXPECT_EQ(base::ErrorCode::unavailable, opened.error().code);
  EXPECT_EQ(file.string() + " is not a database.", opened.error().message);
}

TEST(Database, ReportsADamagedFile) {
  TemporaryFolder folder;
  const auto file = folder / "home.db";
  {
    auto database = Database::open(file).value();
    database.execute("CREATE TABLE t(a)").value();
    for (int i = 0; i < 100; ++i) database.run("INSERT INTO t VALUES(?)", std::string(1000, 'a')).value();
  }
  {
    std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(100);
    bytes << std::string(8192, '\xFF');
  }
  const auto opened = Database::open(file);
  ASSERT_FALSE(opened);
  EXPECT_EQ(base::ErrorCode::unavailable, opened.error().code);
  EXPECT_TRUE(opened.error().message.starts_with(file.string() + " is damaged (")) << opened.error().message;
}

TEST(Database, NamesTheFileThatCannotBeOpened) {
  TemporaryFolder folder;
  const auto missing = Database::open(folder / "nowhere" / "home.db");
  ASSERT_FALSE(missing);
  EXPECT_EQ((folder / "nowhere/home.db").string() + " cannot be made: No such file or directory.",
            missing.error().message);

  std::filesystem::create_directory(folder / "home.db");
  const auto directory = Database::open(folder / "home.db");
  ASSERT_FALSE(directory);
  EXPECT_TRUE(directory.error().message.starts_with((folder / "home.db").string() + " cannot be opened: "))
      << directory.error().message;
}

TEST(Database, ReportsABrokenConstraintAsConflict) {
  TemporaryFolder folder;
  auto database = Database::open(folder / "home.db").value();
  database.execute("CREATE TABLE t(a UNIQUE); INSERT INTO t VALUES(1)").value();
  const auto again = database.run("INSERT INTO t VALUES(1)");
  ASSERT_FALSE(again);
  EXPECT_EQ(base::ErrorCode::conflict, again.error().code);
}

}  // namespace
}  // namespace hearth::storage
