// SPDX-License-Identifier: Apache-2.0
#include "automation/config/condition.h"

#include "automation/test_automations.h"
#include "base/text/timestamp.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

struct ConditionTest : testing::Test {
  // yes, no, or why nobody can say.
  std::string holds(std::string_view condition) {
    const auto result = home.engine.one_off_steps().test(base::parse_json(condition).value(), {});
    return result ? *result ? "yes" : "no" : result.error().message;
  }

  TestAutomations home;
};

TEST_F(ConditionTest, AttributesThatAreNumbersCountByTheirValue) {
  home.set("climate.a", "heat", R"({"t":21.0,"n":null,"list":[1.0,2]})");
  const auto attribute = [&](std::string_view name, std::string_view value) {
    return holds(fmt::format(R"({{"condition": "state", "entity_id": "climate.a", "attribute": "{}", "state": {}}})",
                             name, value));
  };
  EXPECT_EQ(attribute("t", "21"), "yes");
  EXPECT_EQ(attribute("t", R"("21")"), "no");
  EXPECT_EQ(attribute("list", "[[1, 2.0]]"), "yes");
  EXPECT_EQ(attribute("n", "null"), "yes");
  EXPECT_EQ(attribute("t", "null"), "no");
  EXPECT_EQ(attribute("none", "null"), "no");
}

TEST_F(ConditionTest, AnAttributeIsANumberWhileTheStateIsUnknown) {
  constexpr std::string_view kBattery =
      R"({"condition": "numeric_state", "entity_id": "event.button", "attribute": "battery", "below": 10})";
  home.set("event.button", "unknown", R"({"battery":5})");
  EXPECT_EQ(holds(kBattery), "yes");
  EXPECT_EQ(holds(R"({"condition": "numeric_state", "entity_id": "event.button", "below": 10})"), "no");
  home.set("event.button", "unavailable", R"({"battery":5})");
  EXPECT_EQ(holds(kBattery), "no");
}

TEST_F(ConditionTest, ALimitThatIsUnavailableIsFalse) {
  home.set("sensor.a", "5");
  home.set("sensor.limit", "unavailable");
  constexpr std::string_view kAboveUnavailable =
      R"({"condition": "numeric_state", "entity_id": "sensor.a", "above": "sensor.limit"})";
  EXPECT_EQ(holds(kAboveUnavailable), "no");
  EXPECT_EQ(holds(fmt::format(R"({{"not": [{}]}})", kAboveUnavailable)), "yes");
  home.set("sensor.limit", "high");
  EXPECT_EQ(holds(kAboveUnavailable), "the limit sensor.limit is high: expected a number");
  home.set("sensor.a", "on", R"({"effect":"rain"})");
  EXPECT_EQ(holds(R"({"condition": "numeric_state", "entity_id": "sensor.a", "attribute": "effect", "above": 1})"),
            "effect of sensor.a is rain: expected a number");
}

TEST_F(ConditionTest, AnOrOfNothingIsFalse) {
  EXPECT_EQ(holds(R"({"or": []})"), "no");
  EXPECT_EQ(holds(R"({"or": [{"condition": "template", "value_template": "{{ true }}", "enabled": false}]})"), "no");
  EXPECT_EQ(holds(R"({"and": []})"), "yes");
  EXPECT_EQ(holds(R"({"not": []})"), "yes");
}

TEST_F(ConditionTest, EntitiesThatTellATime) {
  home.home.clock.set(base::parse_timestamp("2026-11-25T12:00:00+01:00").value());
  const auto after = [&](std::string_view id) {
    return holds(fmt::format(R"({{"condition": "time", "after": "{}"}})", id));
  };
  EXPECT_EQ(holds(R"({"condition": "time", "after": "07:00:00", "before": "07:00:00"})"), "yes");  // the whole day
  home.set("input_datetime.time", "11:00:00");
  home.set("input_datetime.date", "2026-11-25");
  home.set("sensor.stamp", "2026-11-20T10:00:00+00:00", R"({"device_class":"timestamp"})");
  home.set("sensor.away", "unavailable", R"({"device_class":"timestamp"})");
  home.set("sensor.plain", "2026-11-20T10:00:00+00:00");
  EXPECT_EQ(after("input_datetime.time"), "yes");
  EXPECT_EQ(after("input_datetime.date"), "no");  // the last second of the day
  EXPECT_EQ(holds(R"({"condition": "time", "before": "input_datetime.date"})"), "yes");
  EXPECT_EQ(after("sensor.stamp"), "yes");
  EXPECT_EQ(after("sensor.away"), "no");
  EXPECT_EQ(after("sensor.plain"), "sensor.plain is no sensor of the device class timestamp");
}

}  // namespace
}  // namespace hearth::automation
