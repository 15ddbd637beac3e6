// SPDX-License-Identifier: Apache-2.0
#include "base/thread_slot.h"

#include <gtest/gtest.h>

#include <latch>
#include <set>
#include <thread>
#include <vector>

namespace hearth::base {
namespace {

TEST(ThreadSlot, StaysTheSameForOneThread) {
  EXPECT_EQ(ThreadSlot::index(), ThreadSlot::index());
}

TEST(ThreadSlot, DiffersBetweenThreadsAndRunsOutAtItsCount) {
  constexpr std::size_t kThreads = ThreadSlot::kCount + 8;
  std::vector<std::size_t> indices(kThreads);
  std::latch all_have_one(kThreads);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        indices[i] = ThreadSlot::index();
        all_have_one.arrive_and_wait();
      });
    }
  }
  std::set<std::size_t> own;
  std::size_t without = 0;
  for (const std::size_t index : indices) {
    if (index == ThreadSlot::kCount)
      ++without;
    else
      EXPECT_TRUE(own.insert(index).second) << index;
  }
  EXPECT_LE(own.size(), ThreadSlot::kCount);
  EXPECT_GE(without, 8u);
}

TEST(ThreadSlot, IsGivenBackWhenTheThreadEnds) {
  for (std::size_t i = 0; i < 2 * ThreadSlot::kCount; ++i) {
    std::jthread([] { EXPECT_LT(ThreadSlot::index(), ThreadSlot::kCount); });
  }
}

}  // namespace
}  // namespace hearth::base
