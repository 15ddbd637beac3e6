// SPDX-License-Identifier: Apache-2.0
// Triggers that look through unavailable and unknown.
#include "automation/config/parsing.h"
#include "automation/test_automations.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

struct SkipUnavailableTest : testing::Test {
  // An automation of this trigger, which looks through gaps, that notes a template.
  void on(std::string_view trigger, std::string_view text = "x") {
    home.apply_one(fmt::format(R"({{{}, "skip_unavailable": true}})", trigger), "[" + note_step(text) + "]");
  }

  TestAutomations home;
};

constexpr std::string_view kFromTo = "{{ trigger.from_state.state }}-{{ trigger.to_state.state }}";

TEST_F(SkipUnavailableTest, AStateComesFromTheLastRealOne) {
  home.set("light.a", "off");
  on(R"("trigger": "state", "entity_id": "light.a")", kFromTo);
  home.set("light.a", "unavailable");
  home.set("light.a", "unknown");
  home.set("light.a", "off");
  EXPECT_EQ(home.noted(), "off-off");  // forced: without from and to each writing of the state counts
  on(R"("trigger": "state", "entity_id": "light.a", "to": ["on", "off"])", kFromTo);
  home.set("light.a", "unavailable");
  home.set("light.a", "off");
  EXPECT_EQ(home.noted(), "");
  home.set("light.a", "unavailable");
  home.set("light.a", "on");
  EXPECT_EQ(home.noted(), "off-on");
}

TEST_F(SkipUnavailableTest, AFirstRealStateIsNoChange) {
  home.set("light.a", "unavailable");
  on(R"("trigger": "state", "entity_id": "light.a", "to": "on")", kFromTo);
  home.set("light.a", "on");
  EXPECT_EQ(home.noted(), "");
  home.set("light.a", "off");
  home.set("light.a", "on");
  EXPECT_EQ(home.noted(), "off-on");
}

TEST_F(SkipUnavailableTest, AClockGoesOnOverAShortGap) {
  home.set("binary_sensor.a", "on");
  on(R"("trigger": "state", "entity_id": "binary_sensor.a", "to": "off", "for": 100)");
  home.set("binary_sensor.a", "off");
  home.advance(50s);
  home.set("binary_sensor.a", "unavailable");
  home.advance(30s);
  home.set("binary_sensor.a", "off");
  home.advance(19s);
  EXPECT_EQ(home.noted(), "");
  home.advance(1s);
  EXPECT_EQ(home.noted(), "x");
}

TEST_F(SkipUnavailableTest, AClockThatRunsOutInAGapWaitsForItsEnd) {
  home.set("binary_sensor.a", "on");
  const auto begin = [&] {
    home.set("binary_sensor.a", "on");
    home.set("binary_sensor.a", "off");
    home.advance(90s);
    home.set("binary_sensor.a", "unavailable");
    home.advance(20s);
    EXPECT_EQ(home.noted(), "");
  };
  on(R"("trigger": "state", "entity_id": "binary_sensor.a", "to": "off", "for": 100)");
  begin();
  home.set("binary_sensor.a", "off");
  EXPECT_EQ(home.noted(), "x");
  begin();
  home.set("binary_sensor.a", "on");
  home.advance(200s);
  EXPECT_EQ(home.noted(), "");
}

TEST_F(SkipUnavailableTest, AClockBeginsAnewAfterALongGap) {
  home.set("binary_sensor.a", "on");
  on(R"("trigger": "state", "entity_id": "binary_sensor.a", "to": "off", "for": 100, "gap": 10)");
  home.set("binary_sensor.a", "off");
  home.advance(95s);
  home.set("binary_sensor.a", "unavailable");
  home.advance(11s);
  home.set("binary_sensor.a", "off");
  home.advance(99s);
  EXPECT_EQ(home.noted(), "");
  home.advance(1s);
  EXPECT_EQ(home.noted(), "x");
}

TEST_F(SkipUnavailableTest, ANumberMustReallyCross) {
  home.set("sensor.a", "25");
  on(R"("trigger": "numeric_state", "entity_id": "sensor.a", "above": 20)", kFromTo);
  home.set("sensor.a", "unavailable");
  home.set("sensor.a", "26");
  EXPECT_EQ(home.noted(), "");
  home.set("sensor.a", "19");
  home.set("sensor.a", "unknown");
  home.set("sensor.a", "27");
  EXPECT_EQ(home.noted(), "19-27");
  home.set("sensor.b", "unavailable");
  on(R"("trigger": "numeric_state", "entity_id": "sensor.b", "above": 20)", kFromTo);
  home.set("sensor.b", "26");
  EXPECT_EQ(home.noted(), "");
}

TEST_F(SkipUnavailableTest, ANumbersClockStandsAGap) {
  home.set("sensor.a", "19");
  on(R"("trigger": "numeric_state", "entity_id": "sensor.a", "above": 20, "for": 100)");
  home.set("sensor.a", "25");
  home.advance(50s);
  home.set("sensor.a", "unavailable");
  home.advance(59s);
  home.set("sensor.a", "26");
  EXPECT_EQ(home.noted(), "x");  // it had run out meanwhile
}

TEST_F(SkipUnavailableTest, ATemplateIsNotAskedWhileWhatItReadsIsAway) {
  home.set("sensor.a", "25");
  on(R"("trigger": "template", "value_template": "{{ states('sensor.a') | float(0) > 20 }}")");
  home.set("sensor.a", "unavailable");  // which would be 0
  home.set("sensor.a", "26");
  EXPECT_EQ(home.noted(), "");
  home.set("sensor.a", "10");
  home.set("sensor.a", "unknown");
  home.set("sensor.a", "30");
  EXPECT_EQ(home.noted(), "x");
}

TEST_F(SkipUnavailableTest, ATemplatesClockStandsAGap) {
  home.set("sensor.a", "10");
  on(R"("trigger": "template", "value_template": "{{ states('sensor.a') | float(0) > 20 }}", "for": 100)");
  home.set("sensor.a", "25");
  home.advance(80s);
  home.set("sensor.a", "unavailable");
  home.advance(30s);
  EXPECT_EQ(home.noted(), "");
  home.set("sensor.a", "25");
  EXPECT_EQ(home.noted(), "x");
  home.set("sensor.a", "10");
  home.set("sensor.a", "25");
  home.advance(10s);
  home.set("sensor.a", "unavailable");
  home.advance(61s);
  home.set("sensor.a", "25");
  home.advance(99s);
  EXPECT_EQ(home.noted(), "");
  home.advance(1s);
  EXPECT_EQ(home.noted(), "x");
}

TEST(SkipUnavailable, IsRefusedWhereItCannotBe) {
  const auto error = [](std::string_view trigger) {
    const base::ConfigNode node = test_node(trigger);
    const auto read = parse_triggers(&node);
    return read ? std::string() : read.error().message;
  };
  EXPECT_EQ(error(R"({"trigger": "state", "entity_id": "a.b", "gap": 5})"),
            "f.yaml:1: gap: is only known beside skip_unavailable: true");
  EXPECT_EQ(
      error(R"({"trigger": "state", "entity_id": "a.b", "to": "unavailable", "skip_unavailable": true})"),
      "f.yaml:1: skip_unavailable: the trigger never sees unavailable and unknown; leave them out of to and from");
  EXPECT_TRUE(
      error(R"({"trigger": "event", "event_type": "a", "skip_unavailable": true})").contains("skip_unavailable"));
}

}  // namespace
}  // namespace hearth::automation
