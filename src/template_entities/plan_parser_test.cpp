// SPDX-License-Identifier: Apache-2.0
#include "template_entities/plan_parser.h"

#include "template_entities/test_template_entities.h"

namespace hearth::template_entities {
namespace {

TEST(TemplateErrors, NameAllOfAnEntityAndLeaveTheRest) {
  TestTemplates home;
  home.apply(R"([{"sensor": [{"name": "Bad", "stat": "1", "state_class": "much", "icon": "{{ nothing("},
                            {"name": "Good", "state": "1"}]}])");
  const std::string errors = home.errors();
  EXPECT_TRUE(errors.contains("f.yaml:1: sensor[0].stat: unknown key, did you mean state?")) << errors;
  EXPECT_TRUE(errors.contains("f.yaml:1: sensor[0].state_class: expected")) << errors;
  EXPECT_TRUE(errors.contains("f.yaml:1: sensor[0].icon: the template does not compile")) << errors;
  EXPECT_TRUE(errors.contains("sensor[0]: state is missing")) << errors;
  EXPECT_EQ(home.value("sensor.bad"), "unavailable");
  EXPECT_TRUE(home.attribute("sensor.bad", "error").contains("did you mean state?"));
  EXPECT_EQ(home.value("sensor.good"), "1");
}

TEST(TemplateErrors, OfABlockAreThoseOfAllItsEntities) {
  TestTemplates home;
  home.apply(R"([{"triggers": {"trigger": "evnt"}, "sensor": {"name": "A", "state": "1"}},
                {"sensr": {"name": "B", "state": "1"}}, {"conditions": [], "sensor": {"name": "C", "state": "1"}}])");
  const std::string errors = home.errors();
  EXPECT_TRUE(errors.contains("unknown trigger evnt")) << errors;
  EXPECT_TRUE(errors.contains("f.yaml:1: sensr: unknown key, did you mean sensor?")) << errors;
  EXPECT_TRUE(errors.contains("conditions: is only for a block with triggers")) << errors;
  EXPECT_EQ(home.value("sensor.a"), "unavailable");
  EXPECT_EQ(home.value("sensor.c"), "unavailable");
}

TEST(TemplateErrors, ATwiceGivenIdIsOne) {
  TestTemplates home;
  home.apply(
      R"([{"sensor": [{"name": "A", "unique_id": "x", "state": "1"}, {"name": "B", "unique_id": "x", "state": "2"}]},
                {"unique_id": "more", "sensor": {"name": "C", "unique_id": "x", "state": "3"}}])");
  EXPECT_EQ(home.errors(), "f.yaml:1: sensor[1].unique_id: is there twice, also at f.yaml:1\n");
  EXPECT_EQ(home.value("sensor.a"), "1");
  EXPECT_EQ(home.value("sensor.c"), "3");
}

TEST(TemplatePlatform, OfOldFilesIsRead) {
  TestTemplates home;
  home.set("sensor.a", "5");
  home.apply("[]", "sensor",
             R"([{"platform": "template", "sensors": {"half": {"friendly_name": "The half", "entity_id": "sensor.a",
      "value_template": "{{ states('sensor.a') | int / 2 }}", "unit_of_measurement": "W", "icon_template": "mdi:x",
      "availability_template": "{{ true }}", "attribute_templates": {"of": "{{ states('sensor.a') }}"}}}}])");
  EXPECT_EQ(home.errors(), "");
  EXPECT_EQ(home.value("sensor.half"), "2.5");
  EXPECT_EQ(home.attribute("sensor.half", "friendly_name"), "\"The half\"");
  EXPECT_EQ(home.attribute("sensor.half", "icon"), "\"mdi:x\"");
  EXPECT_EQ(home.attribute("sensor.half", "of"), "5");
}

TEST(TemplatePlatform, OfEveryDomainIsRead) {
  const std::pair<std::string, std::string> old[] = {
      {"binary_sensor",
       R"({"platform": "template", "sensors": {"x": {"value_template": "{{ true }}", "delay_off": 5}}})"},
      {"switch",
       R"({"platform": "template", "switches": {"x": {"value_template": "on", "turn_on": [], "turn_off": []}}})"},
      {"light",
       R"({"platform": "template", "lights": {"x": {"level_template": 5, "turn_on": [], "turn_off": [], "set_level": []}}})"},
      {"cover",
       R"({"platform": "template", "covers": {"x": {"position_template": 5, "open_cover": [], "close_cover": []}}})"},
      {"fan",
       R"({"platform": "template", "fans": {"x": {"value_template": "on", "percentage_template": 50, "turn_on": [], "turn_off": []}}})"},
      {"vacuum", R"({"platform": "template", "vacuums": {"x": {"value_template": "docked", "start": []}}})"},
      {"lock", R"({"platform": "template", "name": "X", "value_template": "{{ true }}", "lock": [], "unlock": []})"},
      {"alarm_control_panel", R"({"platform": "template", "panels": {"x": {"value_template": "disarmed"}}})"},
      {"weather",
       R"({"platform": "template", "name": "X", "condition_template": "sunny", "temperature_template": 1, "humidity_template": 2})"}};
  for (const auto& [domain, platform] : old) {
    TestTemplates home;
    home.apply("[]", domain, "[" + platform + "]");
    EXPECT_EQ(home.errors(), "") << domain;
    EXPECT_NE(home.value(domain + ".x"), "") << domain;
    EXPECT_NE(home.value(domain + ".x"), "unavailable") << domain;
  }
}

TEST(TemplatePlatform, OthersAreSkipped) {
  TestTemplates home;
  home.apply(
      "[]", "sensor",
      R"([{"platform": "rocket"}, {"platform": "template", "sensors": {"X": {"value_template": "1"}, "y": {"value_template": "2"}}}])");
  const std::string errors = home.errors();
  EXPECT_FALSE(errors.contains("rocket")) << errors;
  EXPECT_FALSE(knows_platform("sensor", "rocket"));
  EXPECT_TRUE(knows_platform("sensor", "template"));
  EXPECT_TRUE(errors.contains("sensors.X: expected an object id")) << errors;
  EXPECT_EQ(home.value("sensor.y"), "2");
}

TEST(TemplateErrors, ShowNoSecret) {
  std::size_t errors = 0;
  const auto expect_hidden = [&](const Configuration& read) {
    for (const std::string& error : errors_of(read)) {
      ++errors;
      EXPECT_FALSE(error.contains(automation::kTestSecret)) << error;
    }
  };
  for (
      const char* const platform :
      {R"({"platform": "template", "sensors": {"a": {"value_template": "1", "device_class": "power", "unit_of_measurement": "W"}}})",
       R"({"platform": "template", "name": "x", "unique_id": "y"})"}) {
    for (const char* const domain : {"sensor", "light", "weather"}) {
      automation::with_each_secret(base::parse_json(platform).value(), [&](const auto& node) {
        automation::Sections sections;
        sections.platforms.emplace_back(domain, node);
        expect_hidden(template_entities::parse_configuration(sections));
      });
    }
  }
  automation::with_each_secret(
      base::parse_json(R"([{"unique_id": "u", "triggers": [{"trigger": "state", "entity_id": "light.a"}],
                           "conditions": [{"condition": "state", "entity_id": "light.a", "state": "on"}],
                           "actions": [{"delay": 5}],
                           "sensor": [{"name": "n", "state": "1", "state_class": "total", "default_entity_id": "sensor.x"}]}])")
          .value(),
      [&](const auto& node) {
        automation::Sections sections;
        sections.templates.push_back(node);
        expect_hidden(template_entities::parse_configuration(sections));
      });
  EXPECT_GT(errors, 3U);
}

}  // namespace
}  // namespace hearth::template_entities
