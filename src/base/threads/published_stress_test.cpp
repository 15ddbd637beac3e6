// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "base/testing/wait_until.h"
#include "base/threads/published.h"

namespace hearth::base {
namespace {

constexpr int kVersions = 20'000;
constexpr int kReaders = 4;

// Every element is the version's number, so that a mix of two versions shows.
using Numbers = Published<std::vector<int>>;
Numbers::Handle version(int n) {
  return std::make_shared<const std::vector<int>>(8, n);
}

int whole(const std::vector<int>& numbers) {
  EXPECT_TRUE(std::all_of(numbers.begin(), numbers.end(), [&](int n) { return n == numbers.front(); }));
  return numbers.front();
}

TEST(PublishedStress, ShowsEachReaderWholeVersionsThatNeverGoBack) {
  Numbers numbers(version(0));
  std::vector<std::jthread> threads;
  for (int reader = 0; reader < kReaders; ++reader) {
    threads.emplace_back([&] {
      for (int last = 0; last < kVersions;) {
        const int now = whole(*numbers.load());
        ASSERT_GE(now, last);
        last = now;
      }
    });
  }
  for (int n = 1; n <= kVersions; ++n) numbers.publish(version(n));
}

TEST(PublishedStress, ShowsWhatWasPublishedBeforeTheReaderIsNotified) {
  constexpr int kTold = 1'000;
  Numbers numbers(version(0));
  std::atomic<int> told = 0, heard = 0;
  std::jthread reader([&] {
    while (heard < kTold) {
      const int known = told;
      const int seen = whole(*numbers.load());
      EXPECT_GE(seen, known);
      heard = known;
    }
  });
  for (int n = 1; n <= kTold; ++n) {
    numbers.publish(version(n));
    told = n;
    // Each version is published while the reader reads.
    wait_until([&] { return heard >= n; });
  }
}

TEST(PublishedStress, KeepsHandlesWholeWhileVersionsComeAndGo) {
  Numbers numbers(version(0));
  std::vector<std::jthread> threads;
  for (int reader = 0; reader < kReaders; ++reader) {
    threads.emplace_back([&] {
      std::vector<std::pair<Numbers::Handle, int>> kept(64, {numbers.load(), 0});
      for (auto& [handle, number] : kept) number = whole(*handle);
      for (std::size_t i = 0;; ++i) {
        auto& [handle, number] = kept[i % kept.size()];
        ASSERT_EQ(whole(*handle), number);
        handle = numbers.load();
        number = whole(*handle);
        if (number == kVersions) break;
      }
    });
  }
  for (int n = 1; n <= kVersions; ++n) numbers.publish(version(n));
}

TEST(PublishedStress, ServesThreadsThatComeAndGoAndHandHandlesOn) {
  Numbers numbers(version(0));
  std::atomic<bool> done = false;
  std::vector<std::jthread> spawners;
  for (int i = 0; i < 2; ++i) {
    spawners.emplace_back([&] {
      int last = 0;
      while (!done) {
        Numbers::Handle handed;
        std::jthread([&] { handed = numbers.load(); }).join();
        const int now = whole(*handed);
        ASSERT_GE(now, last);
        last = now;
      }
    });
  }
  for (int n = 1; n <= kVersions; ++n) numbers.publish(version(n));
  done = true;
}

TEST(PublishedStress, CountsPublishesOfSeveralWriters) {
  Numbers numbers(version(0));
  {
    std::vector<std::jthread> writers;
    for (int writer = 0; writer < 4; ++writer) {
      writers.emplace_back([&, writer] {
        for (int n = 0; n < 2'000; ++n) {
          numbers.publish(version(writer));
          whole(*numbers.load());
        }
      });
    }
  }
  EXPECT_EQ(numbers.version(), 1u + 4 * 2'000);
}

}  // namespace
}  // namespace hearth::base
