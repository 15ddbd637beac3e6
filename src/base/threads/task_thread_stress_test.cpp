// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "base/testing/wait_until.h"
#include "base/threads/task_thread.h"

namespace hearth::base {
namespace {

constexpr int kThreads = 4;

TEST(TaskThreadStress, RunsEachAcceptedTaskOnceInTheOrderOfItsPoster) {
  constexpr int kTasks = 5'000;
  struct Place {
    int next = 0;  // the task thread's
    std::atomic<int> taken{0}, ran{0};
  };
  std::vector<Place> places(kThreads);
  std::atomic<int> looks{0};
  int wrong = 0;
  TaskThread thread("tasks", "test", {16, 16}, [&] {
    ++looks;
    return TaskThread::kUntilWoken;
  });
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      Place& place = places[static_cast<std::size_t>(i)];
      thread.start();
      for (int n = 0; n < kTasks;) {
        const bool taken = thread.post(
            [&, n] {
              if (place.next++ != n) ++wrong;
              ++place.ran;
            },
            static_cast<std::size_t>(i) % 2);
        if (taken)
          ++n, ++place.taken;
        else
          thread.wake();
      }
    });
  }
  threads.clear();
  for (const Place& place : places) {
    wait_until([&] { return place.ran >= kTasks; });
  }
  EXPECT_TRUE(thread.stop());
  for (const Place& place : places) EXPECT_EQ(place.taken, place.ran);
  EXPECT_EQ(0, wrong);
  EXPECT_GT(looks, 0);
}

TEST(TaskThreadStress, StopsWhileTasksComeAndLosesNone) {
  constexpr int kPosted = 200;
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> ran{0}, destroyed{0};
    // Counts itself if it is destroyed without having run.
    struct Owned {
      std::atomic<int>* destroyed;
      ~Owned() {
        if (destroyed) ++*destroyed;
      }
    };
    TaskThread thread("tasks", "test", {64}, [] { return Duration(10); });
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        thread.start();
        for (int n = 0; n < kPosted; ++n) {
          static_cast<void>(thread.post([&ran, owned = std::make_unique<Owned>(&destroyed)] {
            owned->destroyed = nullptr;
            ++ran;
          }));
        }
      });
    }
    wait_until([&] { return ran != 0; });
    thread.stop();
    threads.clear();
    EXPECT_EQ(kThreads * kPosted, ran + destroyed);
  }
}

TEST(TaskThreadStress, SeesEveryWake) {
  constexpr int kWakes = 20'000;
  std::atomic<int> asked{0}, seen{0};
  TaskThread thread("tasks", "test", {}, [&] {
    seen = asked.load();
    return TaskThread::kUntilWoken;
  });
  thread.start();
  for (int n = 1; n <= kWakes; ++n) {
    asked = n;
    thread.wake();
    wait_until([&] { return n % 16 != 0 || seen >= n; });
  }
}

}  // namespace
}  // namespace hearth::base
