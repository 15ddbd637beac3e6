// SPDX-License-Identifier: Apache-2.0
// Backups beside a recorder that writes, packs and saves as fast as it can: each is consistent and complete.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "backup/test_home.h"

namespace hearth::backup {
namespace {

namespace fs = std::filesystem;

constexpr int kEntities = 4;
constexpr int kBackups = 12;

class BackupStressTest : public BackupFixture {
 protected:
  // Every entity counts up. Its history must contain each number once, up to its state, and no other.
  void expect_complete(const fs::path& folder, std::int64_t at_least) {
    const TestHome restored(folder);
    std::int64_t sum = 0;
    for (int i = 0; i < kEntities; ++i) {
      const std::string id = fmt::format("test.n{}", i);
      if (restored.value(id) == "none") continue;
      const std::int64_t last = std::stoll(restored.value(id));
      sum += last;
      std::istringstream history(
          restored.running.history(id, base::ManualClock().now(), base::ManualClock().now() + std::chrono::days(9)));
      std::vector<std::int64_t> found;
      for (std::int64_t n; history >> n;) found.push_back(n);
      ASSERT_EQ(last, static_cast<std::int64_t>(found.size())) << id;
      for (std::size_t n = 0; n < found.size(); ++n) ASSERT_EQ(static_cast<std::int64_t>(n) + 1, found[n]) << id;
    }
    EXPECT_GE(sum, at_least);
  }
};

TEST_F(BackupStressTest, EachIsConsistentAndComplete) {
  TestHome running(home());
  std::atomic<std::int64_t> committed{0};
  std::atomic<bool> ended{false};
  std::thread writer([&] {
    for (std::int64_t n = 1; !ended; ++n) {
      for (int i = 0; i < kEntities; ++i) running.set(fmt::format("test.n{}", i), std::to_string(n));
      if (n % 7 == 0) running.commit();
      if (n % 7 == 0) committed = n * kEntities;
      if (n % 21 == 0) {
        // Saves the states and packs the log, whatever its size.
        recorder::Recorder::Purge purge;
        purge.keep = std::chrono::days(100);
        purge.done = [](const base::Result<void>&) {};
        ASSERT_TRUE(running.recorder->purge(std::move(purge)));
        while (running.recorder->maintain().value()) {
        }
      }
    }
  });
  for (int number = 0; number < kBackups; ++number) {
    auto next = plan();
    next.target = temporary_ / fmt::format("{}.tar.zst", number);
    const std::int64_t before = committed;
    make_backup(next).value();
    const fs::path folder = temporary_ / std::to_string(number);
    fs::create_directory(folder);
    auto backup = to_read();
    backup.file = next.target;
    unpack_backup(backup, folder).value();
    expect_complete(folder, before);
    if (HasFatalFailure()) break;
  }
  ended = true;
  writer.join();
}

}  // namespace
}  // namespace hearth::backup
