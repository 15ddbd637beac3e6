// SPDX-License-Identifier: Apache-2.0
#include "base/threads/thread_slot.h"

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
  const std::size_t threads_now = ThreadSlot::count() + 8;
  std::vector<std::size_t> indices(threads_now);
  std::latch all_have_one(static_cast<std::ptrdiff_t>(threads_now));
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < threads_now; ++i) {
      threads.emplace_back([&, i] {
        indices[i] = ThreadSlot::index();
        all_have_one.arrive_and_wait();
      });
    }
  }
  std::set<std::size_t> own;
  std::size_t without = 0;
  for (const std::size_t index : indices) {
    if (index == ThreadSlot::count())
      ++without;
    else
      EXPECT_TRUE(own.insert(index).second) << index;
  }
  EXPECT_LE(own.size(), ThreadSlot::count());
  EXPECT_GE(without, 8u);
}

TEST(ThreadSlot, IsThereForAWorkerOnEachCoreBesideTheOtherThreads) {
  for (const std::size_t cores : {1, 8, 28, 128, 512}) {
    EXPECT_GE(ThreadSlot::count_for(cores), cores + ThreadSlot::kOthers) << cores;
  }
  EXPECT_EQ(ThreadSlot::count(), ThreadSlot::count_for(std::thread::hardware_concurrency()));
}

TEST(ThreadSlot, IsGivenBackWhenTheThreadEnds) {
  for (std::size_t i = 0; i < 2 * ThreadSlot::count(); ++i) {
    std::jthread([] { EXPECT_LT(ThreadSlot::index(), ThreadSlot::count()); });
  }
}

}  // namespace
}  // namespace hearth::base
