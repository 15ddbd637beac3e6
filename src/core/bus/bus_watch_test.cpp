// SPDX-License-Identifier: Apache-2.0
#include "core/bus/bus_watch.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/log/log.h"
#include "base/log/recent_log.h"
#include "core/services/service_test_home.h"

namespace hearth::core {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

struct BusWatchTest : testing::Test, ServiceTestHome {
  BusWatchTest() { base::recent_log().clear(); }
  // A callback that takes that long.
  auto takes(base::Duration time) {
    return [this, time](auto&&...) { clock.advance(time); };
  }
  std::vector<BusWatch::Slow> slow() { return bus.watch().slow(); }
  // The slow locations, each with its count and its time.
  std::vector<std::string> names() {
    std::vector<std::string> list;
    for (const auto& [where, longest, times, last, now] : slow()) {
      list.push_back(fmt::format("{} {} {}{}", where, times, longest.count() / 1000, now ? " now" : ""));
    }
    return list;
  }
  static std::string here(std::uint32_t line) { return fmt::format("src/core/bus/bus_watch_test.cpp:{}", line); }
  static std::size_t lines() { return base::recent_log().records().size(); }
  using Names = std::vector<std::string>;
};

TEST_F(BusWatchTest, NamesTasksTimersAndListenersThatTakeTooLong) {
  bus.post(takes(milliseconds(150)));
  const auto line = std::source_location::current().line();
  const auto timer = bus.schedule(seconds(1), takes(milliseconds(160)));
  const auto listener = bus.listen("a", takes(milliseconds(170)));
  bus.run_pending();
  clock.advance(seconds(1));
  bus.run_pending();
  bus.fire("a", "{}", Origin::local, Context::create(clock.now()));
  bus.run_pending();
  EXPECT_EQ(names(), (Names{here(line + 2) + " 1 170", here(line + 1) + " 1 160", here(line - 1) + " 1 150"}));
  const auto records = base::recent_log().records();
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0]->level, base::LogLevel::warning);
  EXPECT_EQ(records[0]->message, here(line - 1) + " held the bus for 150 ms; times so far: 1");
}

TEST_F(BusWatchTest, IgnoresCallbacksThatTakeTheirTimeAtMost) {
  for (int i = 0; i < 10; ++i) bus.post(takes(BusWatch::kTooLong));
  bus.run_pending();
  clock.advance(seconds(10));  // nothing runs
  bus.post([] {});
  bus.run_pending();
  EXPECT_EQ(names(), Names());
}

TEST_F(BusWatchTest, NamesTheLocationOfAServiceAndNotTheRegistrys) {
  const auto line = std::source_location::current().line();
  const auto slow_one = services.add(description, [&](const ServiceCall&, const ServiceReply& reply) {
    clock.advance(milliseconds(300));
    reply(nullptr);
  });
  call(request());
  ASSERT_EQ(names().size(), 1u);
  EXPECT_EQ(names()[0], here(line + 1) + " 1 300");
}

TEST_F(BusWatchTest, NamesWhatHasNotReturnedAndCountsItOnce) {
  const auto line = std::source_location::current().line();
  bus.post([&] {
    clock.advance(milliseconds(100));
    EXPECT_EQ(names(), Names());
    clock.advance(milliseconds(100));
    EXPECT_EQ(names(), Names{here(line + 1) + " 1 200 now"});
    EXPECT_EQ(lines(), 1u);
    EXPECT_EQ(base::recent_log().records()[0]->message,
              here(line + 1) + " has held the bus for 200 ms and has not returned");
    clock.advance(milliseconds(100));
    bus.watch().check();
  });
  bus.run_pending();
  EXPECT_EQ(names(), Names{here(line + 1) + " 1 300"});
  EXPECT_EQ(slow()[0].last, clock.now());
  EXPECT_EQ(lines(), 1u);
}

TEST_F(BusWatchTest, LogsALocationThatIsSlowRepeatedlyOnceAMinute) {
  const auto post = [&] { bus.post(takes(milliseconds(500))); };
  for (int i = 0; i < 100; ++i) {
    post();
    bus.run_pending();
  }
  ASSERT_EQ(names().size(), 1u);
  EXPECT_EQ(slow()[0].times, 100u);
  EXPECT_EQ(lines(), 1u);
  clock.advance(BusWatch::kLogInterval);
  post();
  bus.run_pending();
  ASSERT_EQ(lines(), 2u);
  EXPECT_TRUE(base::recent_log().records()[1]->message.ends_with("; times so far: 101"));
}

TEST_F(BusWatchTest, CountsTheTimeOfACommandForItsLocationAndTheRestForTheCaller) {
  BusWatch watch(clock);
  watch.begin({"src/outer.cpp", 1});
  clock.advance(milliseconds(200));
  {
    const BusWatch::Inner inner(watch, {"/anywhere/src/inner.cpp", 2});
    clock.advance(milliseconds(300));
  }
  clock.advance(milliseconds(50));
  watch.begin({});
  const auto list = watch.slow();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].where, "src/inner.cpp:2");
  EXPECT_EQ(list[0].longest, milliseconds(300));
  EXPECT_EQ(list[1].where, "src/outer.cpp:1");
  EXPECT_EQ(list[1].times, 1u);
}

TEST_F(BusWatchTest, ForgetsTheLocationThatWasSlowLongestAgo) {
  BusWatch watch(clock);
  for (std::uint32_t line = 1; line <= BusWatch::kMaxPlaces + 1; ++line) {
    watch.begin({"x.cpp", line});
    clock.advance(milliseconds(200));
  }
  watch.begin({});
  const auto list = watch.slow();
  EXPECT_EQ(list.size(), BusWatch::kMaxPlaces);
  for (const auto& place : list) EXPECT_NE(place.where, "x.cpp:1");
}

}  // namespace
}  // namespace hearth::core
