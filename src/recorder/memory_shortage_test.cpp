// SPDX-License-Identifier: Apache-2.0
// What callers are told if memory is so short that not even the error can be stored.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "recorder/commit_thread.h"

namespace {

// For this thread: allocation fails.
thread_local bool memory_is_short = false;

}  // namespace

void* operator new(std::size_t size) {
  if (memory_is_short) throw std::bad_alloc();
  if (void* const place = std::malloc(size)) return place;
  throw std::bad_alloc();
}
void operator delete(void* place) noexcept {
  std::free(place);
}
void operator delete(void* place, std::size_t) noexcept {
  std::free(place);
}

namespace hearth::recorder {
namespace {

TEST(MemoryShortage, FailsTheFlushAndEndsNoThread) {
  std::atomic<bool> full{true};
  CommitThread thread("things", "things", std::chrono::hours(1), [&]() -> base::Result<void> {
    memory_is_short = false;
    if (!full) return {};
    base::Result<void> failed = base::fail(base::ErrorCode::unavailable, "The disk is full, and this text is long.");
    memory_is_short = true;  // from here on the thread can neither store nor log the error
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
