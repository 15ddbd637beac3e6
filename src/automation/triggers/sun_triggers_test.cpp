// SPDX-License-Identifier: Apache-2.0
// Triggers and conditions of the sun.
#include "automation/test_automations.h"
#include "base/text/timestamp.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

constexpr domains::Place kBerlin{52.52, 13.405};

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
    home.apply_one(R"({"trigger": "event", "event_type": "go"})", "[" + note_step("x") + "]",
                   fmt::format(R"("id": "one", "conditions": [{{"condition": "sun", {}}}])", condition));
    home.fire("go");
    return home.noted() == "x";
  }

  TestAutomations home;
};

TEST_F(SunTest, TriggersWithAnOffset) {
  at("2024-06-21T19:00:00Z");
  home.apply_one(
      R"([{"trigger": "sun", "event": "sunset"}, {"trigger": "sun", "event": "sunset", "offset": "-00:30:00"}])",
      "[" + note_step("{{ trigger.event }} {{ trigger.offset }}") + "]");
  home.advance(5min);
  EXPECT_EQ(home.noted(), "sunset -1 day, 23:30:00");
  home.advance(30min);
  EXPECT_EQ(home.noted(), "sunset 0:00:00");
  home.advance(23h, 1min);
  EXPECT_EQ(home.noted(), "");
}

TEST_F(SunTest, TriggersMayNameTheirEvent) {
  at("2024-06-21T19:00:00Z");
  home.apply_one(
      R"([{"trigger": "sun.sunset", "options": {"offset": "00:30:00", "offset_type": "before"}}, {"trigger": "sun.dusk"},
          {"trigger": "sun.solar_midnight"}])",
      "[" + note_step("{{ trigger.platform }}") + "]");
  home.advance(30min, 1min);
  EXPECT_EQ(home.noted(), "sun.sunset");
  home.advance(90min, 1min);
  EXPECT_EQ(home.noted(), "sun.dusk");
  home.advance(4h, 1min);
  EXPECT_EQ(home.noted(), "sun.solar_midnight");
}

TEST_F(SunTest, ATraceNamesTheTimesThatWereCompared) {
  at("2024-06-21T12:00:00Z");
  EXPECT_FALSE(holds(R"("after": "sunset", "after_offset": "-00:30:00", "before": "sunrise")"));
  const auto sun = base::parse_json(home.newest_trace("automation", "one")).value();
  const auto& compared = sun.at_pointer("/trace/condition~10/0/result").as_object();
  EXPECT_EQ(compared.at("result"), json::value(false));
  EXPECT_TRUE(compared.at("wanted_time_after").as_string().starts_with("2024-06-21T19:0"));
  EXPECT_TRUE(compared.at("wanted_time_before").as_string().starts_with("2024-06-21T02:4"));
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
