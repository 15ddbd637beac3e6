// SPDX-License-Identifier: Apache-2.0
#include "storage/file_copy.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "storage/temporary_folder.h"

namespace hearth::storage {
namespace {

const GoOn kGoOn = [] { return true; };

class FileCopyTest : public testing::Test {
 protected:
  void SetUp() override {
    auto database = Database::open(file_).value();
    database.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)").value();
  }
  static std::int64_t rows(const std::filesystem::path& file) {
    auto database = Database::open_to_read(file).value();
    auto count = database.prepare("SELECT count(*) FROM t").value();
    count.step().value();
    return count.integer(0);
  }

  TemporaryFolder folder_;
  const std::filesystem::path file_ = folder_ / "home.db", copy_ = folder_ / "copy.db";
};

TEST_F(FileCopyTest, HasWhatWasInTheLogAndIsForItsOwnerAlone) {
  {
    auto database = Database::open(file_).value();
    database.execute("INSERT INTO t VALUES(2)").value();
    // A connection that is lost without being closed leaves its log.
    std::filesystem::copy_file(file_.string() + "-wal", folder_ / "kept");
    std::filesystem::copy_file(file_, folder_ / "kept.db");
  }
  std::filesystem::rename(folder_ / "kept.db", file_);
  std::filesystem::rename(folder_ / "kept", file_.string() + "-wal");
  copy_file(file_, copy_, kGoOn).value();
  std::filesystem::remove(file_.string() + "-wal");
  EXPECT_EQ(2, rows(copy_));
  struct stat found{};
  ASSERT_EQ(0, ::stat(copy_.c_str(), &found));
  EXPECT_EQ(0600, found.st_mode & 0777);
}

TEST_F(FileCopyTest, ReplacesACopyAndAnUnfinishedOne) {
  std::ofstream(copy_) << "an earlier copy";
  std::ofstream(copy_.string() + ".partial") << "of a process that was killed";
  copy_file(file_, copy_, kGoOn).value();
  EXPECT_EQ(1, rows(copy_));
  EXPECT_FALSE(std::filesystem::exists(copy_.string() + ".partial"));
}

TEST_F(FileCopyTest, LeavesNothingIfItIsEnded) {
  const auto ended = copy_file(file_, copy_, [] { return false; });
  if (ended) GTEST_SKIP() << "this file system shares blocks, so that nothing can be ended";
  EXPECT_EQ(base::ErrorCode::unavailable, ended.error().code);
  EXPECT_FALSE(std::filesystem::exists(copy_));
  EXPECT_FALSE(std::filesystem::exists(copy_.string() + ".partial"));
}

TEST_F(FileCopyTest, SaysWhatIsMissing) {
  EXPECT_EQ(base::ErrorCode::unavailable, copy_file(folder_ / "nowhere" / "a.db", copy_, kGoOn).error().code);
  const auto nowhere = copy_file(file_, folder_ / "nowhere" / "copy.db", kGoOn);
  ASSERT_FALSE(nowhere);
  EXPECT_TRUE(nowhere.error().message.contains("nowhere/copy.db.partial cannot be written")) << nowhere.error().message;
}

TEST_F(FileCopyTest, WaitsForAnotherProgramThatWrites) {
  int ready[2], end[2];
  ASSERT_EQ(0, ::pipe(ready));
  ASSERT_EQ(0, ::pipe(end));
  const ::pid_t other = ::fork();
  if (other == 0) {
    const int held = ::open(file_.c_str(), O_RDWR);
    struct flock lock{};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = 0x40000000;
    lock.l_len = 512;
    char byte = ::fcntl(held, F_SETLK, &lock) == 0 ? 'y' : 'n';
    if (::write(ready[1], &byte, 1) != 1 || ::read(end[0], &byte, 1) != 1) ::_exit(1);
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(1, ::read(ready[0], &byte, 1));
  ASSERT_EQ('y', byte);
  EXPECT_FALSE(copy_file(file_, copy_, kGoOn)) << "another program has the file for longer than kBusyTimeout";
  ASSERT_EQ(1, ::write(end[1], &byte, 1));
  ::waitpid(other, nullptr, 0);
  EXPECT_TRUE(copy_file(file_, copy_, kGoOn));
}

}  // namespace
}  // namespace hearth::storage
