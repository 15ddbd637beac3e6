// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <random>
#include <thread>
#include <vector>

#include "base/testing/wait_until.h"
#include "core/bus/event_bus.h"

namespace hearth::core {
namespace {

using std::chrono::microseconds;

const base::SystemClock kClock;

std::uint64_t fire(EventBus& bus, std::string_view type, int number = 0) {
  return bus.fire(type, std::to_string(number), Origin::local, Context{"A", {}, {}});
}

void wait_until(const auto& condition) {
  base::wait_until([&] { return condition(); });
}

// Fires until stopped, never far ahead of the bus, so that new listeners do not wait for a long queue.
void fire_steadily(EventBus& bus, const std::atomic<bool>& done) {
  std::atomic<std::uint64_t> delivered = 0;
  const auto own = bus.listen("a", [&](const Event& event) { delivered = event.sequence; });
  while (!done) {
    const auto sequence = fire(bus, "a");
    wait_until([&] { return done || delivered + 20 > sequence; });
  }
}

struct Recorder final : EventListener {
  void on_event(const EventPtr& event) override { events.push_back(event); }
  std::vector<EventPtr> events;
};

TEST(EventBusStress, GivesAllListenersOneOrder) {
  constexpr int kThreads = 6, kEvents = 3'000;
  EventBus bus(kClock);
  Recorder first, second;
  std::vector<std::uint64_t> third;
  const auto one = bus.listen(EventFilter{}, first);
  const auto two = bus.listen(EventFilter{}, second);
  const auto three = bus.listen("*", [&](const Event& event) { third.push_back(event.sequence); });
  bus.start();
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        std::uint64_t last = 0;
        for (int i = 0; i < kEvents; ++i) {
          const auto sequence = fire(bus, "thread_" + std::to_string(thread), i);
          ASSERT_GT(sequence, last);
          last = sequence;
        }
      });
    }
  }
  bus.stop();
  ASSERT_EQ(first.events.size(), kThreads * kEvents);
  EXPECT_EQ(first.events, second.events);
  ASSERT_EQ(third.size(), kThreads * kEvents);
  std::unordered_map<std::string, int> next;
  for (std::size_t i = 0; i < first.events.size(); ++i) {
    const Event& event = *first.events[i];
    ASSERT_EQ(event.sequence, i + 1);
    ASSERT_EQ(third[i], i + 1);
    ASSERT_EQ(std::get<std::string>(event.data), std::to_string(next[event.type]++));
    if (i > 0) {
      ASSERT_GE(event.time_fired, first.events[i - 1]->time_fired);
    }
  }
}

TEST(EventBusStress, CallsNoListenerBeforeItsStartOrAfterItsEnd) {
  struct Guarded final : EventListener {
    void on_event(const EventPtr& event) override {
      EXPECT_FALSE(ended);
      EXPECT_EQ(event->sequence, last > 0 ? last + 1 : event->sequence);
      last = event->sequence;
      ++calls;
      for (int i = 0; i < 3; ++i) std::this_thread::yield();  // so that it often ends meanwhile
      EXPECT_FALSE(ended);
    }
    std::atomic<bool> ended = false;
    std::uint64_t last = 0;  // bus thread only
    std::atomic<int> calls = 0;
  };
  EventBus bus(kClock);
  bus.start();
  std::atomic<bool> done = false;
  std::vector<std::jthread> firing;
  for (int i = 0; i < 2; ++i) {
    firing.emplace_back([&] { fire_steadily(bus, done); });
  }
  {
    std::vector<std::jthread> listening;
    for (int thread = 0; thread < 3; ++thread) {
      listening.emplace_back([&, thread] {
        for (int i = 0; i < 1'000; ++i) {
          const auto listener = std::make_unique<Guarded>();
          Subscription subscription = bus.listen(EventFilter{}, *listener);
          const auto start = subscription.start();
          if (thread > 0) wait_until([&] { return listener->calls >= thread; });
          if (i % 2) {
            const Subscription moved = std::move(subscription);
          }
          subscription = Subscription();
          listener->ended = true;
          // No call is running any more, so what the bus thread wrote may be read.
          if (listener->calls > 0) {
            EXPECT_GE(listener->last, start + listener->calls);
          }
        }
      });
    }
  }
  done = true;
  firing.clear();
  bus.stop();
  EXPECT_TRUE(bus.listener_counts().empty());
}

TEST(EventBusStress, MissesNothingBetweenReplayedAndNewEvents) {
  EventBus bus(kClock);
  bus.start();
  std::atomic<bool> done = false;
  std::jthread firing([&] { fire_steadily(bus, done); });
  int complete = 0;
  for (std::uint64_t last = 0; complete < 2'000;) {
    Recorder later;
    const auto resumed = bus.resume(EventFilter{}, later, last);
    std::atomic<bool> passed = false;
    bus.post([&] { passed = true; });
    wait_until([&] { return passed.load(); });
    std::vector<EventPtr> got = resumed.missed;
    const auto start = resumed.subscription.start();
    {
      std::atomic<bool> copied = false;
      bus.post([&] {
        got.insert(got.end(), later.events.begin(), later.events.end());
        copied = true;
      });
      wait_until([&] { return copied.load(); });
    }
    if (resumed.complete) {
      ++complete;
      for (const auto& event : got) ASSERT_EQ(event->sequence, ++last);
    }
    last = std::max(start, got.empty() ? 0 : got.back()->sequence);
  }
  done = true;
}

TEST(EventBusStress, MakesFiringThreadsWaitAtTheBoundAndLosesNothing) {
  constexpr std::size_t kThreads = 3, kEvents = 40'000;
  EventBus bus(kClock);
  std::atomic<std::size_t> fired = 0;
  std::size_t received = 0;
  std::uint64_t last = 0;
  const auto listener = bus.listen("a", [&](const Event& event) {
    ++received;
    EXPECT_EQ(event.sequence, last + 1);
    last = event.sequence;
  });
  std::latch busy(1), go_on(1);
  bus.post([&] {
    busy.count_down();
    go_on.wait();
  });
  bus.start();
  busy.wait();
  {
    std::vector<std::jthread> threads;
    for (std::size_t thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&] {
        for (std::size_t i = 0; i < kEvents; ++i) {
          fire(bus, "a");
          ++fired;
        }
      });
    }
    // The running task counts, too.
    wait_until([&] { return fired == EventBus::kMaxQueued - 1; });
    for (int i = 0; i < 1'000; ++i) {
      std::this_thread::yield();
      const auto passing = bus.listen("b", [](const Event&) {});
    }
    EXPECT_EQ(fired, EventBus::kMaxQueued - 1);
    go_on.count_down();
  }
  bus.stop();
  EXPECT_EQ(received, kThreads * kEvents);
}

TEST(EventBusStress, ReleasesWaitingThreadsWhenItStops) {
  EventBus bus(kClock);
  std::latch busy(1), go_on(1);
  bus.post([&] {
    busy.count_down();
    go_on.wait();
  });
  bus.start();
  busy.wait();
  std::atomic<std::size_t> fired = 0;
  std::jthread firing([&] {
    for (std::size_t i = 0; i <= EventBus::kMaxQueued; ++i, ++fired) fire(bus, "a");
  });
  wait_until([&] { return fired == EventBus::kMaxQueued - 1; });
  std::jthread stopping([&] { bus.stop(); });
  firing.join();
  EXPECT_EQ(fired, EventBus::kMaxQueued + 1);
  go_on.count_down();
}

TEST(EventBusStress, RunsEveryPostedTaskOnceOnItsThread) {
  constexpr int kThreads = 4, kTasks = 5'000;
  EventBus bus(kClock);
  bus.start();
  std::array<int, kThreads> next{};  // bus thread only
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        for (int i = 0; i < kTasks; ++i) {
          bus.post([&, thread, i] {
            EXPECT_TRUE(bus.on_bus_thread());
            EXPECT_EQ(next[thread]++, i);
          });
        }
      });
    }
  }
  bus.stop();
  for (const int count : next) EXPECT_EQ(count, kTasks);
}

TEST(EventBusStress, RunsTimersOnceAndNoneThatWasCancelledBeforeItWasDue) {
  constexpr int kThreads = 4, kTimers = 1'000;
  EventBus bus(kClock);
  bus.start();
  std::vector<std::atomic<int>> runs(kThreads * kTimers);
  std::atomic<int> kept = 0, ran = 0;
  std::vector<std::vector<Timer>> timers(kThreads);
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        std::mt19937 random(thread);
        std::vector<Timer> cancelled;
        for (int i = 0; i < kTimers; ++i) {
          auto& count = runs[thread * kTimers + i];
          switch (random() % 3) {
            case 0:  // runs
              ++kept;
              timers[thread].push_back(bus.schedule(microseconds(random() % 2'000), [&] { ++count, ++ran; }));
              break;
            case 1:  // may run before it is cancelled
              cancelled.push_back(bus.schedule(microseconds(random() % 500), [&] { ++count; }));
              if (cancelled.size() > 10) cancelled.clear();
              break;
            default:  // never runs
              const Timer never = bus.schedule(std::chrono::hours(1), [&] { count += 100; });
          }
        }
      });
    }
  }
  wait_until([&] { return ran == kept; });
  bus.stop();
  EXPECT_EQ(ran, kept);
  for (const auto& count : runs) EXPECT_LE(count, 1);
}

TEST(EventBusStress, WakesForTheFirstOfATurnsEventsToo) {
  const base::SystemClock clock;
  EventBus bus(clock);
  std::atomic<int> seen{0};
  const auto all = bus.listen("*", [&](const Event&) { ++seen; });
  bus.start();
  for (int round = 1; round <= 200; ++round) {
    {
      EventBus::Turn turn(bus);
      for (const char* type : {"a", "b", "c"})
        turn.fire(std::make_shared<Event>(type, "{}", Origin::local, Context{"A", {}, {}}));
    }
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (seen < 3 * round && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    ASSERT_EQ(seen, 3 * round);
  }
  bus.stop();
}

}  // namespace
}  // namespace hearth::core
