// SPDX-License-Identifier: Apache-2.0
#include "automation/items/helper_parser.h"

#include "automation/test_automations.h"

namespace hearth::automation {
namespace {

HelperConfiguration helpers_of(const std::string& collection, std::string_view text) {
  Sections sections;
  sections.helpers.emplace_back(collection, test_node(text));
  return parse_helpers(sections);
}

std::string all_errors(const HelperConfiguration& read) {
  std::string all;
  for (const std::string& error : errors_of(read)) all += error + "\n";
  return all;
}

TEST(HelperParser, ReadsFieldsAsTheirCollectionHasThem) {
  const auto read = helpers_of("input_number", R"({"x": {"min": 0, "max": 5, "unit_of_measurement": "W"}})");
  EXPECT_EQ(all_errors(read), "");
  ASSERT_EQ(read.helpers.size(), 1);
  EXPECT_EQ(base::to_json(json::value(read.helpers[0].fields)),
            R"({"min":0.0,"max":5.0,"unit_of_measurement":"W","name":"x","step":1.0,"mode":"slider"})");
  const auto options = helpers_of("input_select", R"({"s": {"options": [true, 3, "c"]}})");
  EXPECT_EQ(all_errors(options), "");
  EXPECT_EQ(base::to_json(options.helpers.at(0).fields.at("options")), R"(["true","3","c"])");
  EXPECT_EQ(all_errors(helpers_of("input_boolean", R"({"guests": null})")), "");
}

TEST(HelperParser, TakesZonesByTheirNames) {
  const auto read = helpers_of("zone", R"([{"name": "Work", "latitude": 1, "longitude": 2},
      {"name": "Work", "latitude": 1, "longitude": 2, "radius": 7, "passive": true}])");
  EXPECT_EQ(all_errors(read), "");
  EXPECT_TRUE(read.helpers.empty());
  ASSERT_EQ(read.zones.size(), 2);
  EXPECT_EQ(read.zones[0].id, "work");
  EXPECT_EQ(base::to_json(json::value(read.zones[0].fields)),
            R"({"name":"Work","latitude":1.0,"longitude":2.0,"radius":100,"passive":false})");
  EXPECT_EQ(read.zones[1].id, "work_2");
  EXPECT_EQ(helpers_of("zone", R"({"name": "A", "latitude": 1, "longitude": 2})").zones.size(), 1);
  EXPECT_TRUE(all_errors(helpers_of("zone", R"([{"name": "A", "latitude": 1}])")).contains("longitude: required"));
  EXPECT_TRUE(all_errors(helpers_of("zone", R"([{"latitude": 1}])")).contains("name is missing"));
}

TEST(HelperParser, TakesAGroupThatIsNoMoreThanItsMembers) {
  const auto read = helpers_of("group", R"({"a": "light.a, light.b", "b": ["light.c"], "c": {"entities": "light.d"}})");
  EXPECT_EQ(all_errors(read), "");
  ASSERT_EQ(read.helpers.size(), 3);
  EXPECT_EQ(base::to_json(read.helpers[0].fields.at("entities")), R"(["light.a, light.b"])");
  EXPECT_EQ(base::to_json(read.helpers[1].fields.at("entities")), R"(["light.c"])");
  EXPECT_EQ(base::to_json(read.helpers[2].fields.at("entities")), R"(["light.d"])");
  EXPECT_TRUE(all_errors(helpers_of("group", R"({"a": ["kitchen"]})")).contains("entities: expected entity ids, got"));
}

TEST(HelperParser, TakesTheGroupsAmongThePlatformsOfADomain) {
  Sections sections;
  sections.platforms.emplace_back("light",
                                  test_node(std::string_view(R"([{"platform": "group", "entities": "light.A, light.b"},
      {"platform": "template", "lights": {}}, {"platform": "group", "entities": ["light.c"], "all": true},
      {"platform": "group", "name": "Hall", "unique_id": "Of hall", "entities": ["light.d"]}])")));
  sections.platforms.emplace_back("sensor", test_node(std::string_view(R"({"platform": "group", "type": "mean",
      "entities": "sensor.a"})")));
  sections.platforms.emplace_back("vacuum",
                                  test_node(std::string_view(R"([{"platform": "group", "entities": "vacuum.a"}])")));
  const auto read = parse_helpers(sections);
  EXPECT_EQ(all_errors(read), "");
  EXPECT_TRUE(read.complete);
  ASSERT_EQ(read.helpers.size(), 4);
  EXPECT_EQ(read.helpers[3].entity_id(), "sensor.sensor_group_mean");
  EXPECT_EQ(read.helpers[0].id, "light.light_group");
  EXPECT_EQ(read.helpers[0].entity_id(), "light.light_group");
  EXPECT_EQ(base::to_json(json::value(read.helpers[0].fields)),
            R"({"entities":["light.A, light.b"],"name":"Light Group","group_type":"light","all":false})");
  EXPECT_EQ(read.helpers[1].id, "light.light_group_2");
  EXPECT_EQ(base::to_json(read.helpers[1].fields.at("all")), "true");
  EXPECT_EQ(read.helpers[2].id, "light.Of hall");
  EXPECT_EQ(read.helpers[2].entity_id(), "light.hall");
}

TEST(HelperParser, TakesPersonsAsAListAndByTheirIds) {
  for (const char* const text :
       {R"([{"id": "ann", "name": "Ann"}, {"id": "bob"}])", R"({"ann": {"name": "Ann"}, "bob": null})"}) {
    const auto read = helpers_of("person", text);
    EXPECT_EQ(all_errors(read), "");
    ASSERT_EQ(read.helpers.size(), 2);
    EXPECT_EQ(read.helpers[0].id, "ann");
    EXPECT_EQ(base::to_json(json::value(read.helpers[1].fields)), R"({"name":"bob","device_trackers":[]})");
  }
  EXPECT_TRUE(all_errors(helpers_of("person", R"([{"name": "Ann"}])")).contains("expected an id among its keys"));
  EXPECT_TRUE(all_errors(helpers_of("person", R"([{"id": "a"}, {"id": "a"}])")).contains("person.a is there twice"));
}

TEST(HelperParser, NamesAllErrors) {
  const std::string errors = all_errors(
      helpers_of("input_number",
                 R"({"a": {"min": "x", "max": 5, "stp": 1}, "b": {"min": 5, "max": 1}, "C": {}, "d": {"min": 1}})"));
  EXPECT_TRUE(errors.contains("f.yaml:1: min: expected a number, found")) << errors;
  EXPECT_TRUE(errors.contains("f.yaml:1: stp: unknown key, did you mean step?")) << errors;
  EXPECT_TRUE(errors.contains("f.yaml:1: max: expected more than 5, got 1")) << errors;
  EXPECT_TRUE(errors.contains("f.yaml:1: C: expected an object id")) << errors;
  EXPECT_TRUE(errors.contains("f.yaml:1: max: required field of an input_number is missing")) << errors;
}

TEST(HelperParser, TakesGroupsOfServicesOfNotify) {
  const auto read = [](std::string_view text) {
    Sections sections;
    sections.platforms.emplace_back("notify", test_node(text));
    return parse_helpers(sections);
  };
  const auto good = read(R"([{"platform": "group", "name": "All of us", "services":
      [{"service": "phone", "data": {"data": {"n": 1}}}, {"action": "screen"}]},
      {"platform": "group", "services": {"service": "phone"}}, {"platform": "group", "entities": ["notify.phone"]}])");
  EXPECT_EQ(all_errors(good), "");
  ASSERT_EQ(good.helpers.size(), 3);
  EXPECT_EQ(
      base::to_json(json::value(good.helpers[0].fields)),
      R"({"name":"All of us","group_type":"notify","services":[{"service":"phone","data":{"data":{"n":1}}},{"service":"screen"}]})");
  EXPECT_EQ(good.helpers[0].id, "notify/all_of_us");
  EXPECT_EQ(good.helpers[1].id, "notify/notify");
  EXPECT_EQ(good.helpers[2].entity_id(), "notify.notify_group");
  EXPECT_EQ(all_errors(read(R"([{"platform": "group", "services": [], "entities": []},
      {"platform": "group", "name": "!", "services": [{"service": "notify.a", "date": 1}, {}, "b", {"service": "a", "data": 5}]},
      {"platform": "group", "name": "a", "services": {"service": "b"}},
      {"platform": "group", "name": "A", "services": {"service": "c"}}])")),
            "f.yaml:1: services: expected at least one service\n"
            "f.yaml:1: entities: unknown key. Known: platform, name, services\n"
            "f.yaml:1: name: expected a letter or a digit, which the service is named after\n"
            "f.yaml:1: services[0].service: expected the name of a service of notify, without the domain, found "
            "\"notify.a\"\n"
            "f.yaml:1: services[0].date: unknown key, did you mean data? Known: action, service, data\n"
            "f.yaml:1: services[1]: service is missing\n"
            "f.yaml:1: services[2]: expected service, perhaps with data, found \"b\"\n"
            "f.yaml:1: services[3].data: expected fields with values, found \"5\"\n"
            "f.yaml:1: notify.a is there twice, also at f.yaml:1\n");
}

}  // namespace
}  // namespace hearth::automation
