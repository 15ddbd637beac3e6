// SPDX-License-Identifier: Apache-2.0
#include "derived/sensors/made_sensors.h"

#include <gtest/gtest.h>

#include "derived/test_derived.h"

namespace hearth::derived {
namespace {

json::object fields(std::string_view platform, std::string_view given) {
  return fields_of(*find_platform(platform), base::parse_json(given).value().as_object(), nullptr).value();
}

std::string error_of(std::string_view platform, std::string_view given) {
  const auto made = fields_of(*find_platform(platform), base::parse_json(given).value().as_object(), nullptr);
  return made ? "" : made.error().message;
}

struct MadeSensorsTest : testing::Test {
  core::Registry& registry() { return home.automations.home.hub.registry; }
  core::Context context() { return core::Context::create(home.automations.home.hub.clock.now()); }
  void make(const std::string& platform, const std::string& id, std::string_view given) {
    registry().create_item(platform, id, fields(platform, given), context()).value();
    home.run();
  }
  void change(const std::string& platform, const std::string& id, std::string_view given) {
    registry().update_item(platform, id, fields(platform, given), {}, context()).value();
    home.run();
  }
  void remove(const std::string& platform, const std::string& id) {
    registry().delete_items(platform, std::vector<std::string>{id}, context()).value();
    home.run();
  }

  TestDerived home;
};

TEST_F(MadeSensorsTest, AreThereWithTheFirstConfigurationAndFollowTheirItems) {
  home.set("sensor.a", "2");
  home.set("sensor.b", "4");
  make("min_max", "x1", R"({"name": "Most", "entity_ids": ["sensor.a", "sensor.b"]})");
  EXPECT_EQ(home.value("sensor.most"), "");
  home.apply("sensor", "[]");
  EXPECT_EQ(home.value("sensor.most"), "4.0");
  change("min_max", "x1", R"({"name": "Least", "entity_ids": ["sensor.a", "sensor.b"], "sensor_type": "min"})");
  EXPECT_EQ(home.value("sensor.most"), "2.0");
  EXPECT_EQ(home.attribute("sensor.most", "friendly_name"), R"("Least")");
  make("min_max", "x2", R"({"name": "Sum", "entity_ids": ["sensor.a", "sensor.b"], "sensor_type": "sum"})");
  EXPECT_EQ(home.value("sensor.sum"), "6.0");
  remove("min_max", "x1");
  EXPECT_EQ(home.value("sensor.most"), "");
  EXPECT_FALSE(registry().snapshot()->entities.contains("sensor.most"));
  EXPECT_EQ(home.value("sensor.sum"), "6.0");
}

TEST_F(MadeSensorsTest, AnswerTheServicesOfTheirPlatform) {
  home.apply("sensor", "[]");
  make("workday", "x1", R"({"name": "Work"})");
  const auto asked = home.automations.home.begin("workday.check_date",
                                                 R"({"entity_id": "binary_sensor.work", "check_date": "2026-11-21"})");
  ASSERT_TRUE(*asked->outcome) << asked->text();
  EXPECT_EQ(base::to_json((*asked->outcome)->response), R"({"binary_sensor.work":{"workday":false}})");
  home.set("sensor.a", "2");
  make("utility_meter", "x2", R"({"name": "Count", "source": "sensor.a"})");
  home.automations.call("utility_meter.calibrate", R"({"entity_id": "sensor.count", "value": "7"})");
  EXPECT_EQ(home.value("sensor.count"), "7");
}

TEST_F(MadeSensorsTest, AreLeftAloneByTheConfiguration) {
  home.set("sensor.a", "2");
  home.apply("sensor", "[]");
  make("min_max", "x1", R"({"name": "Most", "entity_ids": ["sensor.a"]})");
  home.apply("sensor", R"([{"platform": "min_max", "name": "Most", "entity_ids": ["sensor.a"], "type": "sum"}])");
  EXPECT_EQ(home.value("sensor.most"), "2.0");
  EXPECT_EQ(home.value("sensor.most_2"), "2.0");
  home.apply("sensor", "[]");
  EXPECT_EQ(home.value("sensor.most"), "2.0");
  EXPECT_EQ(home.value("sensor.most_2"), "");
}

TEST_F(MadeSensorsTest, KeepWhatTheyHaveCountedWhileItMeansTheSame) {
  home.apply("sensor", "[]");
  home.set("sensor.e", "10");
  make("utility_meter", "x1", R"({"name": "Used", "source": "sensor.e", "cycle": "daily"})");
  home.set("sensor.e", "13");
  home.run();
  EXPECT_EQ(home.value("sensor.used"), "3");
  change("utility_meter", "x1",
         R"({"name": "Energy", "source": "sensor.e", "cycle": "daily", "net_consumption": true})");
  EXPECT_EQ(home.value("sensor.used"), "3");
  home.set("sensor.f", "500");
  change("utility_meter", "x1", R"({"name": "Energy", "source": "sensor.f", "cycle": "daily"})");
  EXPECT_EQ(home.value("sensor.used"), "0");
  home.set("sensor.f", "502");
  home.run();
  EXPECT_EQ(home.value("sensor.used"), "2");
  change("utility_meter", "x1", R"({"name": "Energy", "source": "sensor.f", "cycle": "monthly"})");
  EXPECT_EQ(home.value("sensor.used"), "0");
}

TEST(MadeItemTest, IsCheckedAsFilesAreAndNamesTheField) {
  EXPECT_EQ(error_of("min_max", R"({"name": "X"})"), "entity_ids: required field of min_max is missing");
  EXPECT_EQ(error_of("min_max", R"({"name": "X", "entity_ids": ["sensor.a"], "type": "max"})"),
            "type: unknown field of min_max");
  EXPECT_TRUE(error_of("min_max", R"({"name": "X", "entity_ids": ["sensor.a"], "sensor_type": "most"})")
                  .starts_with("sensor_type: expected one of min, max"));
  EXPECT_EQ(error_of("threshold", R"({"name": "X", "entity_id": "sensor.a"})"), "expected lower, upper or both");
  EXPECT_EQ(error_of("bayesian", R"({"name": "X", "prior": 0.2, "observations": [{"platform": "numeric_state",
                "entity_id": "sensor.a", "above": 5, "below": 3, "prob_given_true": 0.3, "prob_given_false": 0.1}]})"),
            "observations[0].below: no number is above 5 and below 3");
  EXPECT_EQ(error_of("time_date", R"({"name": "X", "display_options": []})"),
            "display_options: expected one display option or several");
  EXPECT_EQ(
      error_of("threshold", R"({"name": "X", "entity_id": "sensor.a", "lower": 1, "upper": 0, "hysteresis": -1})"),
      "hysteresis: expected a number from 0 to 1000000000000000, found \"-1\"\nupper: expected more than lower");
}

TEST(MadeItemTest, EachPlatformDescribesAllThatItReads) {
  const json::object all = describe_platforms();
  EXPECT_EQ(all.size(), platforms().size());
  for (const auto& [platform, kind] : all) {
    const json::array fields = kind.at("fields").as_array();
    EXPECT_EQ(fields.front().at("key"), "name");
    for (const json::value& field : fields)
      EXPECT_EQ(field.at("selector").as_object().size(), 1u) << std::string_view(platform) << " " << field.at("key");
  }
}

}  // namespace
}  // namespace hearth::derived
