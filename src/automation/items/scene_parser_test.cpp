// SPDX-License-Identifier: Apache-2.0
#include "automation/items/scene_parser.h"

#include "automation/test_automations.h"

namespace hearth::automation {
namespace {

SceneConfiguration scenes_of(std::string_view text) {
  Sections sections;
  sections.scenes.push_back(test_node(text));
  return parse_scenes(sections);
}

std::string joined_errors(const SceneConfiguration& read) {
  std::string all;
  for (const std::string& error : errors_of(read)) all += error + "\n";
  return all;
}

TEST(SceneParser, ReadsStatesAndAttributes) {
  const auto read = scenes_of(R"([{"id": "1", "name": "Movie night", "icon": "mdi:tv", "metadata": {}, "entities":
      {"light.TV": {"state": "on", "brightness": 80, "rgb_color": [1, 2, 3]}, "switch.pump": "off", "input_number.x": 3.5,
       "switch.plain": true}}, {"entities": {}}])");
  EXPECT_EQ(joined_errors(read), "");
  ASSERT_EQ(read.plans.size(), 2);
  const domains::SceneItem& scene = *read.plans[0];
  EXPECT_EQ(scene.unique_id, "1");
  EXPECT_TRUE(scene.has_id);
  EXPECT_EQ(scene.object_id, "movie_night");
  EXPECT_EQ(
      base::to_json(json::value(scene.entities)),
      R"({"light.tv":{"state":"on","brightness":80,"rgb_color":[1,2,3]},"switch.pump":"off","input_number.x":"3.5","switch.plain":"on"})");
  EXPECT_EQ(read.plans[1]->unique_id, "scene_2");
}

TEST(SceneParser, WarnsOfStatesThatAreTruthValues) {
  const auto read = scenes_of(R"([{"entities": {"light.a": true, "light.b": {"state": false}, "light.c": "on"}}])");
  ASSERT_EQ(read.warnings.size(), 2);
  EXPECT_EQ(read.warnings[1],
            "f.yaml:1: entities.light.b.state: false without quotes is a truth value; it is read as "
            "the state \"off\"");
}

TEST(SceneParser, NamesAllErrors) {
  const auto read = scenes_of(R"([{"name": "A", "entities": {"light": "on", "light.x": {"brightness": 1}}, "icn": "x"},
      {"id": "x", "entities": {}}, {"id": "x", "entities": {}}, {"name": "B"}])");
  const std::string errors = joined_errors(read);
  EXPECT_TRUE(errors.contains("f.yaml:1: entities.light: is not an entity such as light.kitchen")) << errors;
  EXPECT_TRUE(errors.contains("f.yaml:1: entities.light.x: state is missing")) << errors;
  EXPECT_TRUE(errors.contains("f.yaml:1: icn: unknown key, did you mean icon?")) << errors;
  EXPECT_TRUE(errors.contains("f.yaml:1: id: the scene x is there twice, also at f.yaml:1")) << errors;
  EXPECT_TRUE(errors.contains("entities is missing")) << errors;
  EXPECT_EQ(read.plans.size(), 4);
}

}  // namespace
}  // namespace hearth::automation
