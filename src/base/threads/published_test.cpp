// SPDX-License-Identifier: Apache-2.0
#include "base/threads/published.h"

#include <gtest/gtest.h>

#include <latch>
#include <thread>
#include <vector>

namespace hearth::base {
namespace {

using Number = Published<int>;

TEST(Published, GivesTheNewestVersion) {
  Number number(std::make_shared<const int>(1));
  EXPECT_EQ(*number.load(), 1);
  number.publish(std::make_shared<const int>(2));
  EXPECT_EQ(*number.load(), 2);
  EXPECT_EQ(*number.load(), 2);
}

TEST(Published, CountsVersions) {
  Number number(std::make_shared<const int>(1));
  const auto first = number.version();
  number.load();
  EXPECT_EQ(number.version(), first);
  number.publish(std::make_shared<const int>(2));
  EXPECT_EQ(number.version(), first + 1);
}

TEST(Published, LeavesOldHandlesAsTheyWere) {
  Number number(std::make_shared<const int>(1));
  const auto old = number.load();
  for (int i = 2; i < 10; ++i) number.publish(std::make_shared<const int>(i));
  number.load();
  EXPECT_EQ(*old, 1);
}

TEST(Published, ReleasesAnOldVersionOnceNobodyHoldsIt) {
  auto value = std::make_shared<const int>(1);
  const std::weak_ptr<const int> watched = value;
  Number number(std::move(value));
  auto handle = number.load();
  number.publish(std::make_shared<const int>(2));
  number.load();
  EXPECT_FALSE(watched.expired());
  handle.reset();
  EXPECT_TRUE(watched.expired());
}

TEST(Published, KeepsNothingForAThreadThatLoadsOnceOrReleases) {
  auto value = std::make_shared<const int>(1);
  const std::weak_ptr<const int> watched = value;
  Number number(std::move(value));
  EXPECT_EQ(*number.load(), 1);
  number.publish(std::make_shared<const int>(2));
  EXPECT_FALSE(watched.expired());
  EXPECT_EQ(*number.load_once(), 2);
  number.release();
  EXPECT_TRUE(watched.expired());
  EXPECT_EQ(*number.load(), 2);
}

TEST(Published, HandlesOutliveIt) {
  std::shared_ptr<const int> handle;
  {
    const Number number(std::make_shared<const int>(7));
    handle = number.load();
  }
  EXPECT_EQ(*handle, 7);
}

TEST(Published, ServesAThreadThatTakesTheSlotOfOneThatEnded) {
  Number number(std::make_shared<const int>(0));
  for (int i = 1; i < 10; ++i) {
    number.publish(std::make_shared<const int>(i));
    std::jthread([&] { EXPECT_EQ(*number.load(), i); });
  }
}

TEST(Published, ServesMoreThreadsThanThereAreSlots) {
  Number number(std::make_shared<const int>(1));
  const std::size_t threads_now = ThreadSlot::count() + 8;
  std::latch loaded(static_cast<std::ptrdiff_t>(threads_now) + 1), published(1);
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < threads_now; ++i) {
    threads.emplace_back([&] {
      EXPECT_EQ(*number.load(), 1);
      loaded.count_down();
      published.wait();
      EXPECT_EQ(*number.load(), 2);
    });
  }
  loaded.arrive_and_wait();
  number.publish(std::make_shared<const int>(2));
  published.count_down();
}

}  // namespace
}  // namespace hearth::base
