// SPDX-License-Identifier: Apache-2.0
#include "domains/sky/sun_times.h"

#include <gtest/gtest.h>

#include "base/text/timestamp.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

using namespace std::chrono_literals;

constexpr Place kBerlin{52.52, 13.405}, kNewYork{40.7128, -74.006}, kSydney{-33.8688, 151.2093}, kTromso{69.65, 18.96};

// `2024-06-21T02:43`
std::string minute_of(SunEvent event, std::string_view after, const Place& place) {
  const auto time = next_sun_event(event, base::parse_timestamp(after).value(), place);
  return time ? base::to_string(*time).substr(0, 16) : "never";
}

TEST(SunTimes, AreThoseOfAlmanacs) {
  EXPECT_EQ(minute_of(SunEvent::rise, "2024-06-21T00:00:00Z", kBerlin), "2024-06-21T02:43");
  EXPECT_EQ(minute_of(SunEvent::set, "2024-06-21T00:00:00Z", kBerlin), "2024-06-21T19:33");
  EXPECT_EQ(minute_of(SunEvent::rise, "2024-12-21T00:00:00Z", kBerlin), "2024-12-21T07:15");
  EXPECT_EQ(minute_of(SunEvent::set, "2024-12-21T00:00:00Z", kBerlin), "2024-12-21T14:54");
  EXPECT_EQ(minute_of(SunEvent::rise, "2024-03-20T00:00:00Z", kNewYork), "2024-03-20T10:58");
  EXPECT_EQ(minute_of(SunEvent::set, "2024-03-20T00:00:00Z", kNewYork), "2024-03-20T23:08");
  EXPECT_EQ(minute_of(SunEvent::rise, "2023-12-31T13:00:00Z", kSydney), "2023-12-31T18:47");
  EXPECT_EQ(minute_of(SunEvent::set, "2023-12-31T13:00:00Z", kSydney), "2024-01-01T09:09");
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
  EXPECT_EQ(minute_of(SunEvent::set, "2024-06-01T00:00:00Z", kTromso).substr(0, 7), "2024-07");
  EXPECT_EQ(next_sun_event(SunEvent::rise, base::Timestamp(), {90, 0}), std::nullopt);
}

TEST(SunTimes, ComeLaterInTheEveningFromAbove) {
  const auto low = next_sun_event(SunEvent::set, base::Timestamp(), kBerlin);
  const auto high = next_sun_event(SunEvent::set, base::Timestamp(), {52.52, 13.405, 1'000});
  EXPECT_GT(*high, *low + 2min);
}

TEST(SunTimes, TellDawnDuskNoonAndMidnight) {
  EXPECT_EQ(minute_of(SunEvent::dawn, "2024-03-20T00:00:00Z", kNewYork), "2024-03-20T10:31");
  EXPECT_EQ(minute_of(SunEvent::dusk, "2024-03-20T00:00:00Z", kNewYork), "2024-03-20T23:36");
  EXPECT_EQ(minute_of(SunEvent::noon, "2024-03-20T00:00:00Z", kNewYork), "2024-03-20T17:03");
  EXPECT_EQ(minute_of(SunEvent::midnight, "2024-03-20T01:00:00Z", kNewYork), "2024-03-20T05:03");
}

TEST(SunTimes, TellWhereItIs) {
  const auto at = [](std::string_view time, const Place& place) {
    return sun_position(base::parse_timestamp(time).value(), place);
  };
  // At the solstice, at noon, in the south as high as its declination says.
  const SunPosition noon = at("2024-06-21T11:08:00Z", kBerlin);
  EXPECT_NEAR(noon.elevation, 90 - 52.52 + 23.44, 0.02);
  EXPECT_NEAR(noon.azimuth, 180, 0.5);
  // When it rises, its centre is 50' below the horizon, of which the air hides 34'.
  const auto rise = next_sun_event(SunEvent::rise, base::parse_timestamp("2024-03-20T00:00:00Z").value(), kBerlin);
  EXPECT_NEAR(sun_position(*rise, kBerlin).elevation, -0.833 + 0.4, 0.03);
  EXPECT_NEAR(sun_position(*rise, kBerlin).azimuth, 89, 1.5);
  // South of the equator it is in the north.
  const SunPosition southern = at("2024-06-21T02:00:00Z", kSydney);
  EXPECT_TRUE(southern.azimuth < 10 || southern.azimuth > 350) << southern.azimuth;
  EXPECT_NEAR(at("2024-06-21T23:00:00Z", kBerlin).azimuth, 360, 3);
}

struct SunEntityTest : testing::Test {
  SunEntityTest() {
    core::HubConfig config = *home.hub.config.load();
    config.latitude = kBerlin.latitude;
    config.longitude = kBerlin.longitude;
    home.clock.set(base::parse_timestamp("2024-03-20T12:00:00Z").value());
    core::update_config(home.hub, config, core::Context::create(home.clock.now()));
    home.hub.bus.fire(core::event_type::kPlatformStart, "{}", core::Origin::local,
                      core::Context::create(home.clock.now()));
    home.hub.bus.run_pending();
  }
  json::value attribute(std::string_view name) const { return home.hub.states.find("sun.sun")->attributes().at(name); }
  std::string text(std::string_view name) const { return std::string(attribute(name).as_string()); }

  TestHome home;
};

TEST_F(SunEntityTest, FollowsTheSun) {
  EXPECT_EQ(home.value("sun.sun"), "above_horizon");
  EXPECT_EQ(text("next_setting").substr(0, 16), "2024-03-20T17:20");
  EXPECT_EQ(attribute("rising"), json::value(false));
  home.advance(5h, 1min);
  EXPECT_EQ(home.value("sun.sun"), "above_horizon");
  home.advance(21min, 1s);
  EXPECT_EQ(home.value("sun.sun"), "below_horizon");
  EXPECT_EQ(text("next_rising").substr(0, 13), "2024-03-21T05");
  home.advance(12h, 1min);
  EXPECT_EQ(home.value("sun.sun"), "above_horizon");
  EXPECT_EQ(attribute("rising"), json::value(true));
}

TEST_F(SunEntityTest, KnowsPolarNights) {
  core::HubConfig config = *home.hub.config.load();
  config.latitude = 80;
  home.clock.set(base::parse_timestamp("2024-12-20T12:00:00Z").value());
  core::update_config(home.hub, config, core::Context::create(home.clock.now()));
  home.hub.bus.run_pending();
  EXPECT_EQ(home.value("sun.sun"), "below_horizon");
  home.clock.set(base::parse_timestamp("2024-06-20T00:00:00Z").value());
  core::update_config(home.hub, config, core::Context::create(home.clock.now()));
  home.hub.bus.run_pending();
  EXPECT_EQ(home.value("sun.sun"), "above_horizon");
}

}  // namespace
}  // namespace hearth::domains
