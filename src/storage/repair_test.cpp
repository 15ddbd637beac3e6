// SPDX-License-Identifier: Apache-2.0
#include "storage/repair.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <iterator>

#include "storage/database.h"
#include "storage/migrate.h"
#include "storage/temporary_folder.h"

namespace hearth::storage {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPage = 4096;

class RepairTest : public testing::Test {
 protected:
  // 2,000 rows by number and 2,000 by key, on some hundred pages, all in one file.
  void fill() {
    auto database = Database::open(file_).value();
    constexpr std::array<std::string_view, 1> steps{
        "CREATE TABLE numbered(id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;"
        "CREATE TABLE keyed(key TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;"};
    migrate(database, "test", steps).value();
    database.execute("BEGIN").value();
    for (int i = 1; i <= 2'000; ++i) {
      database.run("INSERT INTO numbered VALUES(?, ?)", i, std::to_string(i) + std::string(100, 'n')).value();
      database.run("INSERT INTO keyed VALUES(?, ?)", std::to_string(100'000 + i), std::string(100, 'k')).value();
    }
    database.execute("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)").value();
  }
  void overwrite(std::size_t at, std::size_t size) {
    std::fstream out(file_, std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(static_cast<std::streamoff>(at));
    for (std::size_t i = 0; i < size; ++i) out.put(static_cast<char>(i * 37 + 11));
  }
  // The number of a leaf page in the middle of a table.
  std::size_t page_of(std::string_view content) {
    std::ifstream in(file_, std::ios::binary);
    std::string all((std::istreambuf_iterator<char>(in)), {});
    return all.find(content) / kPage;
  }
  std::int64_t count(std::string_view table) {
    auto database = Database::open(file_).value();
    auto select = database.prepare("SELECT count(*) FROM " + std::string(table)).value();
    select.step().value();
    return select.integer(0);
  }

  TemporaryFolder folder_;
  const fs::path file_ = folder_ / "test.db";
};

TEST_F(RepairTest, LeavesASoundFileAlone) {
  EXPECT_FALSE(repair_if_damaged(file_).value());
  fill();
  EXPECT_FALSE(repair_if_damaged(file_).value());
  EXPECT_FALSE(repair_if_damaged(file_, Depth::whole).value());
  EXPECT_EQ(2'000, count("numbered"));
}

TEST_F(RepairTest, ReadsAllAroundADamagedPage) {
  fill();
  overwrite(page_of("1000nnnn") * kPage, kPage);
  const auto done = repair_if_damaged(file_).value();
  ASSERT_TRUE(done);
  EXPECT_TRUE(fs::exists(done->set_aside));
  EXPECT_GE(done->gaps, 1u);
  EXPECT_LT(count("numbered"), 2'000);
  EXPECT_GT(count("numbered"), 1'900);
  EXPECT_EQ(2'000, count("keyed"));
  EXPECT_FALSE(find_damage(file_, Depth::whole).value());
}

TEST_F(RepairTest, ReadsAcrossSeveralGaps) {
  fill();
  for (const auto content : {"300nnnn", "1000nnnn", "1700nnnn"}) overwrite(page_of(content) * kPage, kPage);
  ASSERT_TRUE(repair_if_damaged(file_).value());
  EXPECT_GT(count("numbered"), 1'700);
}

TEST_F(RepairTest, ReadsAKeyedTableFromBothEnds) {
  fill();
  overwrite(page_of("101000kkkk") * kPage, kPage);
  ASSERT_TRUE(repair_if_damaged(file_).value());
  EXPECT_GT(count("keyed"), 1'800);
  EXPECT_EQ(2'000, count("numbered"));
}

TEST_F(RepairTest, StartsEmptyIfNothingCanBeRead) {
  fill();
  overwrite(0, 200);
  const auto done = repair_if_damaged(file_).value();
  ASSERT_TRUE(done);
  EXPECT_EQ(0u, done->rows);
  EXPECT_GT(fs::file_size(done->set_aside), 100'000u);
  EXPECT_TRUE(Database::open(file_));
}

TEST_F(RepairTest, ReadsAFileThatWasCutShort) {
  fill();
  fs::resize_file(file_, fs::file_size(file_) / 2 / kPage * kPage);
  const auto done = repair_if_damaged(file_).value();
  ASSERT_TRUE(done);
  EXPECT_GT(done->rows, 300u);
}

TEST_F(RepairTest, KeepsEveryDamagedFile) {
  for (int i = 0; i < 3; ++i) {
    fill();
    overwrite(0, 200);
    ASSERT_TRUE(repair_if_damaged(file_).value());
    fs::remove(file_);
  }
  int kept = 0;
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    kept += entry.path().filename().string().find("damaged") != std::string::npos;
  }
  EXPECT_EQ(3, kept);
}

TEST_F(RepairTest, LetsMigrateRecreateWhatTheFileHasLost) {
  constexpr std::array<std::string_view, 2> steps{
      "CREATE TABLE kept(id INTEGER PRIMARY KEY) STRICT; CREATE TABLE lost(id INTEGER PRIMARY KEY) STRICT;"
      "CREATE INDEX lost_index ON lost(id); CREATE TABLE former(id INTEGER PRIMARY KEY) STRICT;"
      "CREATE TRIGGER counts AFTER INSERT ON kept BEGIN INSERT INTO lost VALUES(NEW.id); END;",
      "DROP TABLE former;"};
  {
    auto database = Database::open(file_).value();
    migrate(database, "test", steps).value();
    database.execute("INSERT INTO kept VALUES(1); DROP TABLE lost; PRAGMA wal_checkpoint(TRUNCATE)").value();
  }
  repair(file_, "a test").value();
  auto database = Database::open(file_).value();
  migrate(database, "test", steps).value();
  database.execute("INSERT INTO kept VALUES(2)").value();
  EXPECT_EQ(count("kept"), 2);
  EXPECT_EQ(count("lost"), 1);
  auto objects = database.prepare("SELECT count(*) FROM sqlite_master WHERE name IN ('lost_index', 'former')").value();
  objects.step().value();
  EXPECT_EQ(objects.integer(0), 1);
  // Only the first migration recreates.
  objects.restart();
  auto version = database.prepare("SELECT version FROM schema_version WHERE module = 'test'").value();
  version.step().value();
  EXPECT_EQ(version.integer(0), 2);
}

}  // namespace
}  // namespace hearth::storage
