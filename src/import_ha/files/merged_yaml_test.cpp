// SPDX-License-Identifier: Apache-2.0
#include "import_ha/files/merged_yaml.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

namespace hearth::import_ha {
namespace {

std::string names(const MergedYaml& merged) {
  std::string text;
  for (const auto& name : merged.added) text += fmt::format("+{} ", name);
  for (const auto& each : merged.collisions)
    text += fmt::format("{}{}:{} ", each.of_hub ? "?" : "!", each.name, each.line);
  return text;
}

MergedYaml items(const std::string& here, const std::string& theirs) {
  return merge_items(here, theirs, "automations.yaml").value_or(MergedYaml{"(whole)", {}, {}});
}

MergedYaml sections(const std::string& here, const std::string& theirs) {
  const auto makes_things = [](const std::string& key) {
    static const std::set<std::string> kThings{"automation", "input_boolean", "script", "template", "sensor"};
    return kThings.contains(key.substr(0, key.find(' ')));
  };
  return merge_sections(here, theirs, "configuration.yaml", makes_things).value_or(MergedYaml{"(whole)", {}, {}});
}

TEST(MergedYaml, ItemsOfAListAreKnownByTheirIds) {
  const std::string here =
      "# Mine\n"
      "- id: '1'\n"
      "  alias: One  # stays\n"
      "- alias: Without an id\n";
  const std::string theirs =
      "- id: '2'\n"
      "  alias: Two\n"
      "  actions:\n"
      "  - event: a\n"
      "\n"
      "- id: '1'\n"
      "  alias: Another\n"
      "- alias: Without an id\n"
      "- {id: '3', alias: Three}\n";
  const MergedYaml merged = items(here, theirs);
  EXPECT_EQ(merged.text, here +
                             "- id: '2'\n"
                             "  alias: Two\n"
                             "  actions:\n"
                             "  - event: a\n"
                             "- {id: '3', alias: Three}\n");
  EXPECT_EQ(names(merged), "+2 +3 !1:6 ");
  EXPECT_EQ(items(merged.text, theirs).text, merged.text) << "once more";
}

TEST(MergedYaml, ItemsOfAMapAreKnownByTheirNames) {
  const MergedYaml merged = items("greet:\n  alias: Here\nsame: {sequence: []}\n",
                                  "same:\n  sequence: []\ngreet:\n  alias: There\n\"leave\":\n  alias: Leave\n");
  EXPECT_EQ(merged.text, "greet:\n  alias: Here\nsame: {sequence: []}\n\"leave\":\n  alias: Leave\n");
  EXPECT_EQ(names(merged), "+leave !greet:3 ");
  EXPECT_EQ(names(items("a: !secret x\n", "a: !secret y\n")), "!a:1 ");
  EXPECT_EQ(names(items("a: x\n", "a: !secret x\n")), "!a:1 ");
}

TEST(MergedYaml, AFileWithoutItemsTakesAll) {
  for (const char* const here : {"", "[]\n", "# none yet\n"}) {
    const MergedYaml merged = items(here, "- id: a\n- id: b\n");
    EXPECT_TRUE(merged.text.ends_with("- id: a\n- id: b\n")) << merged.text;
    EXPECT_EQ(names(merged), "+a +b ");
  }
  EXPECT_EQ(items("# none yet\n", "- id: a\n").text, "# none yet\n- id: a\n");
}

TEST(MergedYaml, LinesMoveToTheColumnOfTheOthers) {
  EXPECT_EQ(items("  - id: a\n    alias: A\n", "- id: b\n  actions:\n  - event: x\n").text,
            "  - id: a\n    alias: A\n  - id: b\n    actions:\n    - event: x\n");
  EXPECT_EQ(items("- id: a\r\n", "- id: b\n  alias: B\n").text, "- id: a\r\n- id: b\r\n  alias: B\r\n");
  EXPECT_EQ(items("- id: a", "- id: b").text, "- id: a\n- id: b\n");
}

TEST(MergedYaml, OtherFilesCountAsAWhole) {
  EXPECT_EQ(items("- id: a\n", "a: {}\n").text, "(whole)");
  EXPECT_EQ(items("[{id: a}]\n", "- id: b\n").text, "(whole)");
  EXPECT_EQ(items("- id: a\n", "[{id: b}]\n").text, "(whole)");
  EXPECT_EQ(items("- id: a\n", "half: [\n").text, "(whole)");
  EXPECT_EQ(items("- id: a\n", "# nothing\n").text, "(whole)");
  EXPECT_EQ(items("views: []\n", "title: x\n").text, "(whole)") << "a dashboard";
  // An anchor of an item that does not come along.
  EXPECT_EQ(items("- id: a\n", "- &first\n  id: a\n- id: b\n  x: *first\n").text, "(whole)");
}

TEST(MergedYaml, SectionsThatMakeThingsAreAdded) {
  const std::string here = "home:\n  name: Mine\n\n# Helpers\ninput_boolean:\n    guests: {name: Here}\n";
  const MergedYaml merged = sections(here,
                                     "homeassistant:\n"
                                     "  name: There\n"
                                     "http:\n"
                                     "  server_port: 1\n"
                                     "# What runs\n"
                                     "automation: !include automations.yaml\n"
                                     "input_boolean:\n"
                                     "  guests: {name: There}\n"
                                     "  holiday:\n"
                                     "    name: Holiday\n");
  EXPECT_EQ(merged.text, here +
                             "    holiday:\n"
                             "      name: Holiday\n"
                             "# What runs\n"
                             "automation: !include automations.yaml\n");
  EXPECT_EQ(names(merged), "+automation +input_boolean.holiday ?homeassistant.name:2 ?http:3 !input_boolean.guests:8 ");
}

TEST(MergedYaml, OfTheHomePackagesAndCustomizationsAreAdded) {
  const std::string theirs =
      "homeassistant:\n"
      "  name: There\n"
      "  packages: !include_dir_named packages\n"
      "  customize:\n"
      "    light.a: {icon: x}\n"
      "    light.b: {icon: y}\n";
  MergedYaml merged = sections("input_boolean: {}\n", theirs);
  EXPECT_EQ(merged.text,
            "input_boolean: {}\nhomeassistant:\n  packages: !include_dir_named packages\n"
            "  customize:\n    light.a: {icon: x}\n    light.b: {icon: y}\n");
  EXPECT_EQ(names(merged), "+homeassistant.packages +homeassistant.customize ?homeassistant.name:2 ");
  merged = sections("home:\n  name: Here\n  customize:\n    light.a: {icon: z}\nscript:\n", theirs);
  EXPECT_EQ(merged.text,
            "home:\n  name: Here\n  customize:\n    light.a: {icon: z}\n    light.b: {icon: y}\n"
            "  packages: !include_dir_named packages\nscript:\n");
  EXPECT_EQ(names(merged),
            "+homeassistant.packages +homeassistant.customize.light.b ?homeassistant.name:2 "
            "!homeassistant.customize.light.a:5 ");
  EXPECT_EQ(names(sections("home: !include home.yaml\n", theirs)),
            "?homeassistant.name:2 !homeassistant.packages:3 !homeassistant.customize:4 ");
}

TEST(MergedYaml, SectionsThatCannotBeJoinedGetALabel) {
  const std::string here = "automation: !include automations.yaml\nsensor: !include mine.yaml\n";
  const std::string theirs = "automation: !include automations.yaml\nsensor:\n  - platform: time_date\n";
  const MergedYaml merged = sections(here, theirs);
  EXPECT_EQ(merged.text, here + "sensor imported:\n  - platform: time_date\n");
  EXPECT_EQ(names(merged), "+sensor imported ");
  EXPECT_EQ(sections(merged.text, theirs).text, merged.text) << "once more";
  EXPECT_EQ(sections(merged.text, "sensor: !include theirs.yaml\n").text,
            merged.text + "sensor imported 2: !include theirs.yaml\n");
  EXPECT_EQ(names(sections("template:\n  - sensor: {unique_id: a}\n", "template:\n- sensor: {unique_id: b}\n")), "+ ");
}

}  // namespace
}  // namespace hearth::import_ha
