// SPDX-License-Identifier: Apache-2.0
#include "import_ha/steps/helper_entries.h"

#include <gtest/gtest.h>

namespace hearth::import_ha {
namespace {

const std::map<std::string, std::string, std::less<>> kIds{{"0123456789abcdef0123456789abcdef", "sensor.power"}};

json::object object(std::string_view text) {
  return base::parse_json(text).value().get_object();
}

ConfigEntry entry(std::string domain, std::string_view values) {
  return {.id = "e1", .domain = std::move(domain), .title = "Title", .values = object(values)};
}

struct Case {
  std::string domain;
  std::string_view there, here;
};

TEST(HelperEntriesTest, BecomeTheSameHelpers) {
  const Case cases[] = {
      {"derivative",
       R"({"name":"Rate","source":"0123456789abcdef0123456789abcdef","round":2.0,"time_window":{"minutes":5},
        "unit_time":"h","unit_prefix":"none"})",
       R"({"name":"Rate","source":"sensor.power","round":2,"time_window":{"minutes":5},"unit_time":"h"})"},
      {"min_max", R"({"name":"Mean","entity_ids":["sensor.a","sensor.b"],"type":"mean","round_digits":1.0})",
       R"({"name":"Mean","entity_ids":["sensor.a","sensor.b"],"round_digits":1,"sensor_type":"mean"})"},
      {"tod", R"({"name":"Morning","after_time":"06:00:00","before_time":"10:00:00"})",
       R"({"name":"Morning","after":"06:00:00","before":"10:00:00"})"},
      {"threshold", R"({"lower":null,"upper":9.0,"name":"Warm","entity_id":"sensor.a","hysteresis":0.5})",
       R"({"upper":9,"name":"Warm","entity_id":"sensor.a","hysteresis":0.5})"},
      {"utility_meter",
       R"({"name":"Energy","source":"sensor.a","cycle":"monthly","offset":3.0,"tariffs":["day","night"],
        "net_consumption":false,"delta_values":false,"periodically_resetting":true,"always_available":false})",
       R"({"name":"Energy","source":"sensor.a","cycle":"monthly","tariffs":["day","night"],"net_consumption":false,
        "delta_values":false,"periodically_resetting":true,"offset":{"days":3}})"},
      {"utility_meter", R"({"name":"Energy","source":"sensor.a","cycle":"none","offset":0,"tariffs":[]})",
       R"({"name":"Energy","source":"sensor.a"})"},
      {"switch_as_x", R"({"entity_id":"switch.a","target_domain":"light","invert":false})",
       R"({"entity_id":"switch.a","target_domain":"light","name":"Title"})"},
      {"random", R"({"entity_type":"sensor","name":"Dice","minimum":1,"maximum":6})",
       R"({"name":"Dice","minimum":1,"maximum":6,"domain":"sensor"})"},
      {"season", R"({"type":"astronomical"})", R"({"name":"Title","sensor_type":"astronomical"})"},
      {"filter", R"({"name":"Calm","entity_id":"sensor.a","filter":"lowpass","window_size":5.0,"time_constant":10.0,
        "precision":2.0})",
       R"({"name":"Calm","entity_id":"sensor.a","filters":[{"filter":"lowpass","window_size":5,"time_constant":10,
        "precision":2}]})"},
      {"group", R"({"group_type":"sensor","name":"Warmest","entities":["sensor.a"],"hide_members":false,"type":"max",
        "ignore_non_numeric":false,"all":false})",
       R"({"name":"Warmest","entities":["sensor.a"],"all":false,"group_type":"sensor","sensor_type":"max"})"},
      {"group", R"({"group_type":"light","name":"All","entities":["light.a"],"hide_members":true,"all":true})",
       R"({"name":"All","entities":["light.a"],"all":true,"group_type":"light"})"},
  };
  for (const Case& each : cases) {
    const auto item = helper_item(entry(each.domain, each.there), kIds);
    ASSERT_TRUE(item) << each.domain << ": " << item.error().message;
    EXPECT_EQ(item->id, "e1");
    EXPECT_EQ(item->note, "");
    for (const auto& [key, value] : object(each.here)) {
      ASSERT_TRUE(item->fields.contains(key)) << each.domain << " " << key;
      EXPECT_EQ(item->fields.at(key), value) << each.domain << " " << key;
    }
    EXPECT_EQ(item->fields.size(), object(each.here).size()) << base::to_json(item->fields);
  }
}

TEST(HelperEntriesTest, ObservationsAreParts) {
  ConfigEntry bayesian = entry("bayesian", R"({"name":"Home","prior":0.3,"probability_threshold":0.5})");
  bayesian.parts.push_back({"s1", "observation", "Phone",
                            object(R"({"platform":"state","entity_id":"sensor.a","to_state":"on","prob_given_true":0.9,
                              "prob_given_false":0.2,"name":"Phone"})")});
  const auto item = helper_item(bayesian, kIds);
  ASSERT_TRUE(item) << item.error().message;
  EXPECT_EQ(item->id, "bayesian-e1");
  EXPECT_EQ(item->fields.at("observations").get_array().size(), 1u);
}

TEST(HelperEntriesTest, UnknownFieldsAreNamedAndBrokenOnesRefused) {
  const auto item =
      helper_item(entry("tod", R"({"name":"M","after_time":"06:00","before_time":"10:00","new":1})"), kIds);
  ASSERT_TRUE(item) << item.error().message;
  EXPECT_EQ(item->note, "left out: new");
  EXPECT_FALSE(helper_item(entry("tod", R"({"name":"M","after_time":"late"})"), kIds));
}

TEST(HelperEntriesTest, TemplatesAreEntitiesOfTheirSection) {
  const auto made = template_entry(entry("template", R"({"template_type":"switch","name":"Pump",
      "value_template":"{{ 1 }}","turn_on":[],"device_id":"d","advanced_options":{"availability":"{{ true }}"}})"),
                                   "switch.pump");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->domain, "switch");
  EXPECT_EQ(json::value(made->fields),
            base::parse_json(R"({"unique_id":"e1","default_entity_id":"switch.pump","name":"Pump","state":"{{ 1 }}",
              "turn_on":[],"availability":"{{ true }}"})")
                .value());
  EXPECT_EQ(made->note, "left out: device_id");
  EXPECT_FALSE(template_entry(entry("template", "{}"), ""));
}

}  // namespace
}  // namespace hearth::import_ha
