// SPDX-License-Identifier: Apache-2.0
#include "base/threads/task_thread.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <array>
#include <atomic>
#include <future>
#include <memory>
#include <new>
#include <stdexcept>

#include "base/log/log.h"
#include "base/testing/wait_until.h"

namespace hearth::base {
namespace {

// Blocks the thread in a task of its own until released.
class Held {
 public:
  explicit Held(TaskThread& thread, std::size_t queue = 0) {
    EXPECT_TRUE(thread.post(
        [this] {
          begun_.set_value();
          wait_for(go_on_.get_future());
        },
        queue));
    wait_for(begun_.get_future());
  }
  void go_on() { go_on_.set_value(); }

 private:
  std::promise<void> begun_, go_on_;
};

// Returns after the thread has run what was posted before.
void finish(TaskThread& thread, std::size_t queue = 0) {
  std::promise<void> done;
  ASSERT_TRUE(thread.post([&] { done.set_value(); }, queue));
  wait_for(done.get_future());
}

TEST(TaskThread, RunsTasksInTheOrderOfPostingOnAThreadOfThatName) {
  TaskThread thread("tasks", "test", {8});
  std::string order;  // used by the thread only
  std::array<char, 16> name{};
  for (const char one : {'a', 'b', 'c'}) EXPECT_TRUE(thread.post([&, one] { order += one; }));
  EXPECT_TRUE(thread.post([&] { pthread_getname_np(pthread_self(), name.data(), name.size()); }));
  EXPECT_FALSE(thread.idle());
  thread.start();  // they have waited for the start
  finish(thread);
  EXPECT_TRUE(thread.idle());
  EXPECT_EQ("abc", order);
  EXPECT_STREQ("tasks", name.data());
}

TEST(TaskThread, RefusesTasksBeyondTheBoundOfTheirQueueOnly) {
  TaskThread thread("tasks", "test", {2, 1});
  thread.start();
  Held held(thread);
  int ran = 0;
  const auto task = [&] { ++ran; };
  EXPECT_TRUE(thread.post(task));
  EXPECT_TRUE(thread.post(task));
  EXPECT_FALSE(thread.post(task));
  EXPECT_TRUE(thread.post(task, 1));
  EXPECT_FALSE(thread.post(task, 1));
  held.go_on();
  wait_until([&] { return thread.idle(); });
  finish(thread);
  EXPECT_EQ(3, ran);
}

TEST(TaskThread, LetsQueuesTakeTurns) {
  TaskThread thread("tasks", "test", {8, 8, 8});
  std::string order;
  const auto note = [&](char one) { return [&order, one] { order += one; }; };
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(thread.post(note('a')));
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(thread.post(note('b'), 1));
  EXPECT_TRUE(thread.post(note('c'), 2));
  thread.start();
  wait_until([&] { return thread.idle(); });
  finish(thread);
  EXPECT_EQ("abcabaa", order);
}

TEST(TaskThread, DestroysATaskAndCallsBetweenBeforeTheNextOne) {
  std::string order;  // used by the thread only
  struct Owned {
    std::string& order;
    ~Owned() { order += "destroyed "; }
  };
  TaskThread thread("tasks", "test", {8}, [&] {
    order += "look ";
    return TaskThread::kUntilWoken;
  });
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(thread.post([&order, owned = std::make_unique<Owned>(order)] { order += "run "; }));
  }
  std::promise<std::string> seen;
  EXPECT_TRUE(thread.post([&] { seen.set_value(order); }));
  thread.start();
  EXPECT_EQ("look run destroyed look run destroyed look ", wait_for(seen.get_future()));
}

TEST(TaskThread, SleepsAsLongAsBetweenReturnsUnlessItIsWoken) {
  std::atomic<int> looks{0};
  const auto wait_for = [&](int count) { wait_until([&] { return looks >= count; }); };
  std::atomic<Duration> pause{Duration(1)};
  TaskThread thread("tasks", "test", {}, [&] {
    ++looks;
    return pause.load();
  });
  thread.start();
  wait_for(10);  // nobody wakes it
  pause = TaskThread::kUntilWoken;
  thread.wake();
  for (int i = 0; i < 3; ++i) {
    const int before = looks;
    thread.wake();
    wait_for(before + 1);
  }
}

TEST(TaskThread, CallsBetweenAgainIfItIsWokenDuringBetween) {
  std::atomic<int> looks{0};
  std::promise<void> begun, woken;
  TaskThread thread("tasks", "test", {}, [&] {
    if (++looks == 1) {
      begun.set_value();
      wait_for(woken.get_future());
    }
    return TaskThread::kUntilWoken;
  });
  thread.start();
  wait_for(begun.get_future());
  thread.wake();
  woken.set_value();
  wait_until([&] { return looks >= 2; });
}

TEST(TaskThread, LogsExceptionsAndGoesOn) {
  recent_log().clear();
  std::atomic<int> looks{0};
  TaskThread thread("lamps", "house", {8}, [&]() -> Duration {
    if (++looks == 1) throw std::bad_alloc();
    return TaskThread::kUntilWoken;
  });
  thread.start();
  wait_until([&] { return looks >= 2; });  // nobody wakes it
  EXPECT_TRUE(thread.post([] { throw std::runtime_error("no bulb"); }));
  finish(thread);
  std::vector<std::string> messages;
  for (const LogRecordPtr& record : recent_log().records()) {
    if (record->component == "house") messages.push_back(record->message);
  }
  ASSERT_EQ(2u, messages.size());
  EXPECT_EQ("a task of the thread lamps failed: std::bad_alloc", messages[0]);
  EXPECT_EQ("a task of the thread lamps failed: no bulb", messages[1]);
}

TEST(TaskThread, FinishesTheRunningTaskAndDestroysWaitingOnesWhenItStops) {
  const auto owned = std::make_shared<int>(0);
  bool finished = false, ran = false;
  constexpr std::size_t kNeverFull = 1'000'000;
  TaskThread thread("tasks", "test", {8, kNeverFull});
  thread.start();
  std::promise<void> begun, go_on;
  EXPECT_TRUE(thread.post([&] {
    begun.set_value();
    wait_for(go_on.get_future());
    finished = true;
  }));
  wait_for(begun.get_future());
  for (const std::size_t queue : {0, 0, 1}) EXPECT_TRUE(thread.post([&, owned] { ran = true; }, queue));
  std::thread stopping([&] { EXPECT_TRUE(thread.stop()); });
  // From then on no task is accepted.
  wait_until([&] { return !thread.post([] {}, 1); });
  go_on.set_value();
  stopping.join();
  EXPECT_TRUE(finished);
  EXPECT_FALSE(ran);
  EXPECT_EQ(1, owned.use_count());
}

TEST(TaskThread, StopsOnceAndForGood) {
  TaskThread thread("tasks", "test", {8});
  thread.start();
  thread.start();  // it runs already
  EXPECT_TRUE(thread.stop());
  EXPECT_FALSE(thread.stop());
  thread.start();
  EXPECT_FALSE(thread.post([] {}));
  EXPECT_FALSE(thread.stop());
  TaskThread never("tasks", "test", {8});
  EXPECT_TRUE(never.post([] {}));
  EXPECT_FALSE(never.stop());
}

}  // namespace
}  // namespace hearth::base
