// SPDX-License-Identifier: Apache-2.0
#include "storage/checkpointer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "storage/temporary_folder.h"

namespace hearth::storage {
namespace {

class CheckpointerTest : public ::testing::Test {
 protected:
  static constexpr int kRows = 100;

  // Each commit writes some 100 pages.
  void write(int commits) {
    for (int i = 0; i < commits; ++i) database_.execute("UPDATE t SET a = randomblob(3800)").value();
  }
  std::uintmax_t log_size() const { return std::filesystem::file_size(folder_ / "home.db-wal"); }

  TemporaryFolder folder_;
  Database made_ = [this] {
    auto made = Database::open(folder_ / "home.db").value();
    made.execute(
            "CREATE TABLE t(a); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) "
            "INSERT INTO t SELECT randomblob(3800) FROM n")
        .value();
    return made;
  }();
  std::unique_ptr<Checkpointer> checkpointer_ = Checkpointer::open(folder_ / "home.db").value();
  Database database_ = Database::open(folder_ / "home.db").value();
};

TEST_F(CheckpointerTest, KeepsTheLogShort) {
  checkpointer_->serve(database_);
  // However slow the machine is, the log begins anew before long: then so many commits do not make it longer.
  constexpr int kCommits = 50;  // 5,000 pages
  int unchanged = 0;
  for (int i = 0; i < 5'000 && unchanged < kCommits; ++i) {
    const auto before = log_size();
    write(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    unchanged = log_size() == before ? unchanged + 1 : 0;
  }
  EXPECT_EQ(kCommits, unchanged);
}

TEST_F(CheckpointerTest, LetsNoLogGrowForEver) {
  checkpointer_->serve(database_);
  checkpointer_->stop();  // otherwise commits wait for it only briefly, and a slow disk lets the log grow meanwhile
  write(400);             // 40,000 pages
  EXPECT_LT(log_size(), (Checkpointer::kMost + 2 * kRows) * 4'120u);
}

TEST_F(CheckpointerTest, LeavesTheLogWhileAReaderNeedsIt) {
  checkpointer_->serve(database_);
  auto reader = Database::open(folder_ / "home.db").value();
  auto moment = Transaction::begin(reader, Transaction::Kind::read).value();
  const auto first = [&] {
    auto select = reader.prepare("SELECT hex(a) FROM t LIMIT 1").value();
    return select.step().value() ? std::string(select.text(0)) : "";
  };
  const std::string before = first();
  write(30);
  EXPECT_EQ(before, first());
  EXPECT_GT(log_size(), 30 * kRows * 4'000u);
}

}  // namespace
}  // namespace hearth::storage
