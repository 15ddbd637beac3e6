// SPDX-License-Identifier: Apache-2.0
#include "automation/sun_times.h"

#include "automation/test_automations.h"
#include "base/timestamp.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

constexpr Place kBerlin{52.52, 13.405}, kNewYork{40.7128, -74.006}, kSydney{-33.8688, 151.2093}, kTromso{69.65, 18.96};

// `2024-06-21T02:43`
std::string minute_of_next(SunEvent event, std::string_view after, const Place& place) {
  const auto time = next_sun_event(event, base::parse_timestamp(after).value(), place);
  return time ? base::to_string(*time).substr(0, 16) : "never";
}

TEST(SunTimes, AreThoseOfAlmanacs) {
  EXPECT_EQ(minute_of_next(SunEvent::rise, "2024-06-21T00:00:00Z", kBerlin), "2024-06-21T02:43");
  EXPECT_EQ(minute_of_next(SunEvent::set, "2024-06-21T00:00:00Z", kBerlin), "2024-06-21T19:33");
  EXPECT_EQ(minute_of_next(SunEvent::rise, "2024-12-21T00:00:00Z", kBerlin), "2024-12-21T07:15");
  EXPECT_EQ(minute_of_next(SunEvent::set, "2024-12-21T00:00:00Z", kBerlin), "2024-12-21T14:54");
  EXPECT_EQ(minute_of_next(SunEvent::rise, "2024-03-20T00:00:00Z", kNewYork), "2024-03-20T10:58");
  EXPECT_EQ(minute_of_next(SunEvent::set, "2024-03-20T00:00:00Z", kNewYork), "2024-03-20T23:08");
  EXPECT_EQ(minute_of_next(SunEvent::rise, "2023-12-31T13:00:00Z", kSydney), "2023-12-31T18:47");
  EXPECT_EQ(minute_of_next(SunEvent::set, "2023-12-31T13:00:00Z", kSydney), "2024-01-01T09:09");
}

TEST(SunTimes, ComeOnceADay) {
  base::Timestamp time = base::parse_timestamp("2026-01-01T00:00:00Z").value();
  for (int i = 0; i < 365; ++i) {
    const auto next = next_sun_event(SunEvent::rise, time, kBerlin);
    if (i > 0) {
      EXPECT_LT(std::chrono::abs(*next - time - 24h), 3min) << base::to_string(*next);
    }
    time = *next;
  }
}

TEST(SunTimes, WaitForTheEndOfThePolarDay) {
  EXPECT_EQ(minute_of_next(SunEvent::set, "2024-06-01T00:00:00Z", kTromso).substr(0, 7), "2024-07");
  EXPECT_EQ(next_sun_event(SunEvent::rise, base::Timestamp(), {90, 0}), std::nullopt);
}

TEST(SunTimes, ComeLaterInTheEveningFromAbove) {
  const auto low = next_sun_event(SunEvent::set, base::Timestamp(), kBerlin);
  const auto high = next_sun_event(SunEvent::set, base::Timestamp(), {52.52, 13.405, 1'000});
  EXPECT_GT(*high, *low + 2min);
}

struct SunTest : testing::Test {
  SunTest() {
    core::HubConfig config = *home.home.hub.config.load();
    config.latitude = kBerlin.latitude;
    config.longitude = kBerlin.longitude;
    core::update_config(home.home.hub, config, core::Context::create(home.home.clock.now()));
    home.run();
  }
  void at(std::string_view time) { home.home.clock.set(base::parse_timestamp(time).value()); }
  bool holds(std::string_view condition) {
    home.take_one(R"({"trigger": "event", "event_type": "go"})", "[" + note_step("x") + "]",
                  fmt::format(R"("conditions": [{{"condition": "sun", {}}}])", condition));
    home.fire("go");
    return home.noted() == "x";
  }

  TestAutomations home;
};

TEST_F(SunTest, TriggersWithAnOffset) {
  at("2024-06-21T19:00:00Z");
  home.take_one(
      R"([{"trigger": "sun", "event": "sunset"}, {"trigger": "sun", "event": "sunset", "offset": "-00:30:00"}])",
      "[" + note_step("{{ trigger.event }} {{ trigger.offset }}") + "]");
  home.advance(5min);
  EXPECT_EQ(home.noted(), "sunset -1 day, 23:30:00");
  home.advance(30min);
  EXPECT_EQ(home.noted(), "sunset 0:00:00");
  home.advance(23h, 1min);
  EXPECT_EQ(home.noted(), "");
}

TEST_F(SunTest, ConditionsAreOfTheLocalDay) {
  at("2024-06-21T20:00:00Z");  // in the evening
  EXPECT_TRUE(holds(R"("after": "sunset")"));
  EXPECT_FALSE(holds(R"("after": "sunset", "after_offset": "01:00:00")"));
  EXPECT_FALSE(holds(R"("before": "sunset")"));
  EXPECT_TRUE(holds(R"("after": "sunset", "before": "sunrise")"));
  at("2024-06-21T01:00:00Z");  // before the sunrise of the same day
  EXPECT_FALSE(holds(R"("after": "sunset")"));
  EXPECT_TRUE(holds(R"("after": "sunset", "before": "sunrise")"));
  EXPECT_TRUE(holds(R"("before": "sunrise")"));
  at("2024-06-21T12:00:00Z");
  EXPECT_TRUE(holds(R"("after": "sunrise", "before": "sunset")"));
  EXPECT_FALSE(holds(R"("after": "sunset", "before": "sunrise")"));
}

}  // namespace
}  // namespace hearth::automation
