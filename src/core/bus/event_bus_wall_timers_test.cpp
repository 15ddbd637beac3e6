// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <thread>

#include "base/testing/wait_until.h"
#include "core/bus/event_bus.h"

namespace hearth::core {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

struct BusWallTimers : testing::Test {
  std::function<void()> note(std::string text) {
    return [this, text = std::move(text)] { seen += text + " "; };
  }
  // Timers that ran after only the wall clock was set.
  std::string set(base::Timestamp time) {
    clock.set(time);
    return run();
  }
  std::string advance(base::Duration step) {
    clock.advance(step);
    return run();
  }
  std::string run() {
    bus.run_pending();
    return std::exchange(seen, "");
  }

  base::ManualClock clock;
  const base::Timestamp start = clock.now();
  EventBus bus{clock};
  std::string seen;
};

TEST_F(BusWallTimers, RunWhenTheWallClockShowsTheirTime) {
  const auto timer = bus.schedule_at(start + seconds(10), note("timer"));
  EXPECT_EQ("", run());
  EXPECT_EQ("", advance(seconds(10) - base::Duration(1)));
  EXPECT_EQ("timer ", advance(base::Duration(1)));
  EXPECT_EQ("", advance(hours(1)));
}

TEST_F(BusWallTimers, RunAtOnceAfterWhatIsQueuedIfTheirTimeIsPast) {
  bus.post(note("task"));
  const auto past = bus.schedule_at(start - hours(1), note("past"));
  const auto now = bus.schedule_at(start, note("now"));
  EXPECT_EQ("task past now ", run());
}

TEST_F(BusWallTimers, AreDelayedByAClockThatIsSetBack) {
  const auto timer = bus.schedule_at(start + minutes(1), note("timer"));
  EXPECT_EQ("", set(start - hours(1)));
  EXPECT_EQ("", advance(hours(1)));
  EXPECT_EQ("timer ", advance(minutes(1)));
}

TEST_F(BusWallTimers, RunInOrderAfterAJumpPastTheirTime) {
  const auto late = bus.schedule_at(start + hours(2), note("late"));
  const auto early = bus.schedule_at(start + hours(1), note("early"));
  const auto later = bus.schedule_at(start + hours(9), note("later"));
  EXPECT_EQ("early late ", set(start + hours(3)));
}

TEST_F(BusWallTimers, RunOnceEvenIfTheirTimeComesTwice) {
  const auto timer = bus.schedule_at(start + minutes(1), note("timer"));
  EXPECT_EQ("timer ", set(start + minutes(2)));
  EXPECT_EQ("", set(start));
  EXPECT_EQ("", set(start + minutes(2)));
}

TEST_F(BusWallTimers, DoNotMoveTheTimersOfTheSteadyClock) {
  const auto steady = bus.schedule(minutes(1), note("steady"));
  const auto wall = bus.schedule_at(start + minutes(1), note("wall"));
  EXPECT_EQ("wall ", set(start + hours(1)));
  EXPECT_EQ("steady ", advance(minutes(1)));
}

TEST_F(BusWallTimers, RunInTheOrderInWhichTheyWereAddedIfTheirTimesAreEqual) {
  constexpr int kTimers = 1'000;
  std::vector<Timer> timers;
  std::vector<int> ran, expected;
  for (int i = 0; i < kTimers; ++i) {
    timers.push_back(bus.schedule_at(start + hours(1), [&ran, i] { ran.push_back(i); }));
    expected.push_back(i);
  }
  advance(hours(1));
  EXPECT_EQ(expected, ran);
}

TEST_F(BusWallTimers, DoNotRunAfterTheyAreCancelled) {
  auto first = bus.schedule_at(start + seconds(1), note("first"));
  first = Timer();
  std::unique_ptr<Timer> third;
  const auto second = bus.schedule_at(start + seconds(1), [&] { third.reset(); });
  third = std::make_unique<Timer>(bus.schedule_at(start + seconds(1), note("third")));
  auto moved = bus.schedule_at(start + seconds(1), note("moved"));
  moved = bus.schedule(seconds(1), note("instead"));
  EXPECT_EQ("instead ", advance(seconds(1)));
}

// Counts how often it was read.
class CountingClock final : public base::Clock {
 public:
  base::Timestamp now() const override {
    const base::Timestamp time = inner.now();
    ++asked;
    return time;
  }
  base::Timestamp coarse_now() const override { return inner.now(); }
  base::SteadyTime steady_now() const override { return inner.steady_now(); }

  base::ManualClock inner;
  mutable std::atomic<int> asked{0};
};

TEST_F(BusWallTimers, WakeTheBusThreadAfterAJumpOfTheClock) {
  CountingClock jumping;
  EventBus other(jumping);
  std::promise<void> ran;
  other.start();
  const auto steady = other.schedule(hours(9), [] {});
  const auto timer = other.schedule_at(start + hours(1), [&] { ran.set_value(); });
  base::wait_until([&] { return jumping.asked >= 2; });  // whether it is due, and how long to sleep
  jumping.inner.set(start + hours(2));                   // the bus is not notified
  base::wait_for(ran.get_future());
  other.stop();
}

TEST_F(BusWallTimers, EndWithTheBusEvenIfTheirTasksOwnThem) {
  auto other = std::make_unique<EventBus>(clock);
  auto owned = std::make_shared<Timer>();
  *owned = other->schedule_at(start + hours(1), [owned] {});
  const std::weak_ptr<Timer> watched = owned;
  owned.reset();
  EXPECT_FALSE(watched.expired());
  other.reset();
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace hearth::core
