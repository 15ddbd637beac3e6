// SPDX-License-Identifier: Apache-2.0
// The answer to callers if memory is so short that not even the error can be stored.
#include <gtest/gtest.h>

#include "base/memory_shortage.h"
#include "recorder/threads/commit_thread.h"

namespace hearth::recorder {
namespace {

TEST(MemoryShortage, FailsTheFlushAndEndsNoThread) {
  std::atomic<bool> full{true};
  CommitThread thread("things", "things", std::chrono::hours(1), [&]() -> base::Result<void> {
    base::memory_is_short = false;
    if (!full) return {};
    base::Result<void> failed = base::fail(base::ErrorCode::unavailable, "The disk is full, and this text is long.");
    base::memory_is_short = true;  // from here on the thread can neither keep nor log it
    return failed;
  });
  thread.start();
  const auto failed = thread.flush();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "out of memory");
  full = false;
  EXPECT_TRUE(thread.flush());
  thread.stop();
}

}  // namespace
}  // namespace hearth::recorder
