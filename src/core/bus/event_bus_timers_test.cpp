// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/bus/event_bus.h"

namespace hearth::core {
namespace {

using std::chrono::seconds;

struct BusTimers : testing::Test {
  std::uint64_t fire(std::string_view type) {
    return bus.fire(type, "{}", Origin::local, Context::create(clock.now()));
  }
  std::function<void()> note(std::string text) {
    return [this, text = std::move(text)] { seen.push_back(text); };
  }
  using Seen = std::vector<std::string>;

  base::ManualClock clock;
  EventBus bus{clock};
  Seen seen;
};

TEST_F(BusTimers, RunsTimersInTheOrderTheyAreDue) {
  const auto later = bus.schedule(seconds(3), note("3"));
  const auto sooner = bus.schedule(seconds(1), note("1"));
  const auto sooner_too = bus.schedule(seconds(1), note("1 again"));
  bus.run_pending();
  EXPECT_TRUE(seen.empty());
  clock.advance(seconds(2));
  bus.run_pending();
  EXPECT_EQ(seen, (Seen{"1", "1 again"}));
  clock.advance(seconds(1));
  bus.run_pending();
  EXPECT_EQ(seen, (Seen{"1", "1 again", "3"}));
}

TEST_F(BusTimers, TellsHowLongItIsToTheNextOne) {
  EXPECT_EQ(bus.time_to_next_timer(), std::nullopt);
  const auto by_wall = bus.schedule_at(clock.now() + seconds(90), note("wall"));
  EXPECT_EQ(bus.time_to_next_timer(), seconds(90));
  const auto steady = bus.schedule(seconds(60), note("steady"));
  EXPECT_EQ(bus.time_to_next_timer(), seconds(60));
  clock.advance(seconds(61));
  EXPECT_EQ(bus.time_to_next_timer(), seconds(0));
  bus.run_pending();
  EXPECT_EQ(bus.time_to_next_timer(), seconds(29));
}

TEST_F(BusTimers, KeepsTimersWhenTheWallClockIsSet) {
  const auto timer = bus.schedule(seconds(1), note("1"));
  clock.set(clock.now() + std::chrono::hours(24));
  bus.run_pending();
  EXPECT_TRUE(seen.empty());
}

TEST_F(BusTimers, RunsADueTimerAfterWhatIsQueued) {
  const auto all = bus.listen("*", [&](const Event& event) { seen.push_back(event.type); });
  const auto timer = bus.schedule(seconds(1), note("timer"));
  fire("a");
  clock.advance(seconds(1));
  bus.run_pending();
  EXPECT_EQ(seen, (Seen{"a", "timer"}));
}

TEST_F(BusTimers, DoesNotRunACancelledTimer) {
  auto timer = bus.schedule(seconds(1), note("1"));
  timer = bus.schedule(seconds(1), note("2"));
  clock.advance(seconds(1));
  bus.run_pending();
  EXPECT_EQ(seen, (Seen{"2"}));
}

TEST_F(BusTimers, DoesNotRunADueTimerThatATaskBeforeItCancelled) {
  auto timer = std::make_unique<Timer>(bus.schedule(seconds(1), note("timer")));
  bus.post([&] { timer.reset(); });
  clock.advance(seconds(1));
  bus.run_pending();
  EXPECT_TRUE(seen.empty());
}

TEST_F(BusTimers, LetsATimerScheduleItselfAgain) {
  Timer timer;
  std::function<void()> tick = [&] {
    seen.push_back("tick");
    timer = bus.schedule(seconds(1), tick);
  };
  timer = bus.schedule(seconds(1), tick);
  for (int i = 0; i < 3; ++i) {
    clock.advance(seconds(1));
    bus.run_pending();
  }
  EXPECT_EQ(seen.size(), 3u);
}

TEST_F(BusTimers, RunsAllTimersThatAreDueBeforeOthersHaveTheirTurnUpToItsBound) {
  constexpr std::size_t kTimers = EventBus::kMaxTimersAtOnce + 2;
  std::vector<Timer> timers;
  timers.push_back(bus.schedule(seconds(1), [&] {
    seen.push_back("first");
    bus.post(note("task"));
  }));
  while (timers.size() < kTimers) timers.push_back(bus.schedule(seconds(1), note("timer")));
  clock.advance(seconds(1));
  bus.run_pending();
  Seen expected(kTimers, "timer");
  expected.front() = "first";
  expected.insert(expected.begin() + EventBus::kMaxTimersAtOnce, "task");
  EXPECT_EQ(seen, expected);
}

TEST_F(BusTimers, RunsATimerThatATimerAddsAfterWhatIsQueuedThen) {
  Timer second;
  const auto first = bus.schedule(seconds(1), [&] {
    bus.post(note("task"));
    second = bus.schedule(seconds(0), note("second"));
  });
  clock.advance(seconds(1));
  bus.run_pending();
  EXPECT_EQ(seen, (Seen{"task", "second"}));
}

TEST_F(BusTimers, DoesNotRunADueTimerThatATimerBeforeItCancelled) {
  Timer second;
  const auto first = bus.schedule(seconds(1), [&] { second = Timer(); });
  second = bus.schedule(seconds(1), note("second"));
  clock.advance(seconds(1));
  bus.run_pending();
  EXPECT_TRUE(seen.empty());
}

}  // namespace
}  // namespace hearth::core
