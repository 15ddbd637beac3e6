// SPDX-License-Identifier: Apache-2.0
// Copies of a database, and integrity checks.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "storage/database.h"
#include "storage/integrity.h"
#include "storage/temporary_folder.h"

namespace hearth::storage {
namespace {

class DatabaseCopyTest : public testing::Test {
 protected:
  DatabaseCopyTest() {
    auto database = open();
    database.execute("CREATE TABLE numbers(n INTEGER PRIMARY KEY, text TEXT)").value();
    for (int i = 0; i < 500; ++i) add(database);
  }
  Database open() { return Database::open(folder_ / "a.db").value(); }
  static void add(Database& database) {
    database.run("INSERT INTO numbers(text) VALUES(?)", std::string(2'000, 'x')).value();
  }
  static std::int64_t count(Database database) {
    auto select = database.prepare("SELECT count(*) FROM numbers").value();
    EXPECT_TRUE(select.step().value());
    return select.integer(0);
  }

  static bool always() { return true; }
  TemporaryFolder folder_;
};

TEST_F(DatabaseCopyTest, HasAllThatWasCommittedAndNothingElse) {
  open().copy_to(folder_ / "b.db", always).value();
  EXPECT_TRUE(check_integrity(folder_ / "b.db", always));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "b.db-wal") || std::filesystem::exists(folder_ / "b.db-shm"));
  EXPECT_EQ(std::filesystem::perms(0600), std::filesystem::status(folder_ / "b.db").permissions());
  EXPECT_EQ(500, count(Database::open(folder_ / "b.db").value()));
}

TEST_F(DatabaseCopyTest, IsOneMomentsIfOthersWriteBetweenItsSteps) {
  auto source = open();
  auto other = open();
  int steps = 0;
  {
    const auto moment = Transaction::begin(source, Transaction::Kind::read).value();
    source.execute("SELECT count(*) FROM numbers").value();
    source
        .copy_to(folder_ / "b.db",
                 [&] {
                   ++steps;
                   add(other);  // nobody waits
                   return true;
                 })
        .value();
  }
  EXPECT_GT(steps, 2);
  EXPECT_LT(steps, 100);  // it never restarted
  EXPECT_TRUE(check_integrity(folder_ / "b.db", always));
  EXPECT_EQ(500, count(Database::open(folder_ / "b.db").value()));
  EXPECT_EQ(500 + steps, count(std::move(other)));
}

TEST_F(DatabaseCopyTest, EndsWhenItIsCancelled) {
  const auto ended = open().copy_to(folder_ / "b.db", [] { return false; });
  ASSERT_FALSE(ended);
  EXPECT_EQ(base::ErrorCode::unavailable, ended.error().code);
}

TEST_F(DatabaseCopyTest, OverwritesNothing) {
  std::ofstream(folder_ / "b.db") << "precious";
  const auto copied = open().copy_to(folder_ / "b.db", always);
  ASSERT_FALSE(copied);
  EXPECT_EQ((folder_ / "b.db").string() + " cannot be made: File exists.", copied.error().message);
  EXPECT_EQ(8u, std::filesystem::file_size(folder_ / "b.db"));
}

TEST_F(DatabaseCopyTest, DetectsADamagedFile) {
  open().copy_to(folder_ / "b #1?%.db", always).value();
  const auto file = folder_ / "b #1?%.db";
  EXPECT_TRUE(check_integrity(file, always));
  {
    std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(100 * 4096 + 8);
    bytes << std::string(200, '\x55');
  }
  const auto damaged = check_integrity(file, always);
  ASSERT_FALSE(damaged);
  EXPECT_EQ(base::ErrorCode::invalid, damaged.error().code);
  EXPECT_TRUE(damaged.error().message.starts_with("b #1?%.db is damaged: ")) << damaged.error().message;

  std::filesystem::resize_file(file, 40'000);
  EXPECT_FALSE(check_integrity(file, always));
  std::ofstream(folder_ / "c.db") << std::string(5'000, 'x');
  EXPECT_EQ("c.db is damaged: file is not a database.", check_integrity(folder_ / "c.db", always).error().message);
  EXPECT_EQ(base::ErrorCode::unavailable, check_integrity(folder_ / "none.db", always).error().code);
}

TEST_F(DatabaseCopyTest, EndsTheCheckWhenItIsCancelled) {
  auto large = open();
  for (int i = 0; i < 3'000; ++i) large.run("INSERT INTO numbers(text) VALUES(?)", i).value();
  large.copy_to(folder_ / "b.db", always).value();
  const auto ended = check_integrity(folder_ / "b.db", [] { return false; });
  ASSERT_FALSE(ended);
  EXPECT_EQ("b.db: the work was ended before it was done.", ended.error().message);
}

}  // namespace
}  // namespace hearth::storage
