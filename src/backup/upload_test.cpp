// SPDX-License-Identifier: Apache-2.0
#include "backup/upload.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <future>

#include "backup/test_home.h"
#include "base/testing/wait_until.h"

namespace hearth::backup {
namespace {

namespace fs = std::filesystem;
using base::Result;

class UploadTest : public BackupFixture {
 protected:
  void SetUp() override {
    fill_home();
    std::promise<Result<BackupInfo>> made;
    backups_.create({"made", "Home", true, true, {}}, [&](Result<BackupInfo> one) { made.set_value(std::move(one)); });
    base::wait_for(made.get_future()).value();
    bytes_ = text_of(home() / "backups/made.tar.zst");
  }

  static bool write(Upload& upload, std::string bytes) {
    std::promise<bool> wanted;
    upload.write(std::move(bytes), [&](bool more) { wanted.set_value(more); });
    return base::wait_for(wanted.get_future());
  }
  static Result<BackupInfo> finish(Upload& upload) {
    std::promise<Result<BackupInfo>> done;
    upload.finish([&](Result<BackupInfo> kept) { done.set_value(std::move(kept)); });
    return base::wait_for(done.get_future());
  }
  // Waits until the one before has ended, which its thread does later.
  std::unique_ptr<Upload> begin(std::string_view name = {}, bool replace = false) {
    std::unique_ptr<Upload> begun;
    base::wait_until([&] {
      auto upload = backups_.upload(name, replace);
      if (upload) begun = std::move(*upload);
      return begun != nullptr;
    });
    return begun;
  }
  std::vector<std::string> files() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(home() / "backups")) names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }

  base::ManualClock clock_;
  Backups backups_{home(), "2026.11.0", clock_};
  std::string bytes_;
};

TEST_F(UploadTest, IsKeptOnlyAfterItsCheck) {
  auto upload = begin("Copy");
  const std::size_t half = bytes_.size() / 2;
  EXPECT_TRUE(write(*upload, bytes_.substr(0, half)));
  EXPECT_EQ((std::vector<std::string>{"made.tar.zst", "upload.partial"}), files());
  EXPECT_TRUE(write(*upload, bytes_.substr(half)));
  const auto kept = finish(*upload).value();
  EXPECT_EQ("copy", kept.name);
  EXPECT_EQ(bytes_.size(), kept.bytes);
  EXPECT_EQ(clock_.now(), kept.created);
  EXPECT_EQ(bytes_, text_of(home() / "backups/copy.tar.zst"));
  upload.reset();
  begin();
  EXPECT_EQ((std::vector<std::string>{"copy.tar.zst", "made.tar.zst"}), files());
}

TEST_F(UploadTest, IsNamedAfterTheTimeOfTheBackup) {
  clock_.advance(std::chrono::hours(1));
  auto upload = begin();
  write(*upload, bytes_);
  EXPECT_EQ("2026-11-21_00-00-00", finish(*upload)->name);
}

TEST_F(UploadTest, LeavesNothingIfItIsDroppedOrNoBackup) {
  begin().reset();
  auto upload = begin();
  write(*upload, bytes_.substr(0, 100));
  upload.reset();
  upload = begin();
  write(*upload, "nonsense");
  EXPECT_EQ("The file: it is no backup of Hearth.", finish(*upload).error().message);
  upload.reset();
  upload = begin();
  write(*upload, bytes_.substr(0, bytes_.size() - 1));
  EXPECT_EQ(base::ErrorCode::invalid, finish(*upload).error().code);
  upload.reset();
  upload = begin();
  EXPECT_EQ("The body is empty: expected the bytes of a backup.", finish(*upload).error().message);
  upload.reset();
  begin().reset();
  begin();
  EXPECT_EQ((std::vector<std::string>{"made.tar.zst"}), files());
}

TEST_F(UploadTest, SaysEarlyThatTheNameIsTaken) {
  auto upload = begin("made");
  EXPECT_FALSE(write(*upload, bytes_));
  EXPECT_EQ("name: there is a backup named made already", finish(*upload).error().message);
  upload.reset();
  upload = begin("made", true);
  EXPECT_TRUE(write(*upload, bytes_));
  EXPECT_EQ("made", finish(*upload)->name);
}

TEST_F(UploadTest, ComesOneAtATime) {
  const auto first = begin();
  const auto second = backups_.upload({});
  ASSERT_FALSE(second);
  EXPECT_EQ(base::ErrorCode::unavailable, second.error().code);
}

}  // namespace
}  // namespace hearth::backup
