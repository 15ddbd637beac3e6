// SPDX-License-Identifier: Apache-2.0
#include "recorder/threads/commit_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <stdexcept>
#include <thread>

#include "base/testing/wait_until.h"

namespace hearth::recorder {
namespace {

TEST(CommitThread, RetriesACommitThatThrows) {
  std::atomic<int> tries{0};
  CommitThread thread("things", "things", std::chrono::milliseconds(1), [&]() -> base::Result<void> {
    if (++tries <= 2) throw std::bad_alloc();
    return {};
  });
  thread.start();
  thread.wake();
  base::wait_until([&] { return tries >= 3; });
  EXPECT_TRUE(thread.flush());
  thread.stop();
}

TEST(CommitThread, ReturnsTheExceptionOfACommitFromFlush) {
  bool full = true;
  CommitThread thread("things", "things", std::chrono::hours(1), [&]() -> base::Result<void> {
    if (full) throw std::runtime_error("no room for it");
    return {};
  });
  thread.start();
  const auto failed = thread.flush();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "no room for it");
  full = false;
  EXPECT_TRUE(thread.flush());
  full = true;
  thread.stop();  // commits a last time
}

TEST(CommitThread, TellsEachWhoFlushesWhatCameOfIt) {
  std::atomic<bool> full{false};
  CommitThread thread("things", "things", std::chrono::hours(1), [&]() -> base::Result<void> {
    if (full) return base::fail(base::ErrorCode::internal, "no room for it");
    return {};
  });
  std::string told;
  const auto note = [&](const base::Result<void>& saved) { told += saved ? "saved, " : saved.error().message + ", "; };
  thread.flush([&, note](const base::Result<void>& saved) {
    note(saved);
    full = true;
  });
  thread.flush(note);
  thread.start();
  EXPECT_FALSE(thread.flush());  // behind the two
  EXPECT_EQ(told, "saved, no room for it, ");
  full = false;
  thread.stop();
}

TEST(CommitThread, TellsWhoFlushesThatTheHubEnds) {
  int told = 0;
  const auto note = [&](const base::Result<void>& saved) {
    ++told;
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().code, base::ErrorCode::unavailable);
  };
  {
    CommitThread thread("things", "things", std::chrono::hours(1), [] { return base::Result<void>(); });
    for (std::size_t i = 0; i < CommitThread::kMaxFlushes; ++i) thread.flush(note);  // wait for the start
    EXPECT_EQ(told, 0);
    thread.flush(note);
    EXPECT_EQ(told, 1);  // one too many
    thread.stop();
    thread.flush(note);
  }
  EXPECT_EQ(told, static_cast<int>(CommitThread::kMaxFlushes) + 2);
}

TEST(CommitThread, FailsToFlushIfTheHubEnds) {
  CommitThread thread("things", "things", std::chrono::hours(1), [] { return base::Result<void>(); });
  base::Result<void> flushed;
  std::thread flushing([&] { flushed = thread.flush(); });  // waits for the start
  thread.stop();
  flushing.join();
  ASSERT_FALSE(flushed);
  EXPECT_EQ(flushed.error().code, base::ErrorCode::unavailable);
  EXPECT_FALSE(thread.flush());
}

}  // namespace
}  // namespace hearth::recorder
