// SPDX-License-Identifier: Apache-2.0
#include "automation/items/blueprint.h"

#include "automation/test_automations.h"

namespace hearth::automation {
namespace {

constexpr std::string_view kMotion = R"({
    "blueprint": {"name": "Motion light", "domain": "automation", "input": {
        "motion": {"name": "Motion", "selector": {"entity": {"domain": "binary_sensor"}}},
        "more": {"name": "More", "input": {"wait": {"default": 120, "selector": {"number": {"min": 0, "max": 3600}}}}},
        "after": {"default": []}}},
    "trigger": {"platform": "state", "entity_id": {"!input": "motion"}, "to": "on"},
    "variables": {"seconds": {"!input": "wait"}},
    "action": [{"delay": "{{ seconds }}"}, {"action": "test.note", "data": {"text": "{{ seconds }}"}},
               {"choose": [], "default": {"!input": "after"}}]})";

base::Result<Blueprint> blueprint_of(std::string_view json, const std::string& hash = "1") {
  return parse_blueprint(test_node(json), hash);
}

std::string error_of(std::string_view json) {
  const auto blueprint = blueprint_of(json);
  return blueprint ? "" : blueprint.error().message;
}

Sections sections_of(std::string_view automations, BlueprintVersions versions) {
  Sections sections;
  sections.automations.push_back(test_node(automations));
  auto all = std::make_shared<Blueprints>();
  all->emplace("automation/me/motion.yaml", std::move(versions));
  sections.blueprints = std::move(all);
  return sections;
}

Configuration use(std::string_view inputs, BlueprintVersions versions, std::string_view more = "") {
  return parse_configuration(sections_of(
      fmt::format(R"([{{"id": "1", "alias": "Hall", "use_blueprint": {{"path": "me/motion.yaml", "input": {}}}{}{}}}])",
                  inputs, more.empty() ? "" : ", ", more),
      std::move(versions)));
}

TEST(Blueprint, HasItsInputsAlsoThoseOfSections) {
  const auto blueprint = blueprint_of(kMotion);
  ASSERT_TRUE(blueprint) << blueprint.error().message;
  std::string names;
  for (const auto& input : blueprint->inputs) names += input.name + (input.otherwise ? "? " : " ");
  EXPECT_EQ(names, "motion wait? after? ");
  EXPECT_EQ(blueprint->metadata.at("name"), "Motion light");
}

TEST(Blueprint, NamesAllThatIsWrong) {
  EXPECT_TRUE(error_of(R"({"trigger": []})").contains("expected a blueprint: the key blueprint"));
  const std::string error = error_of(
      R"({"blueprint": {"domain": "light", "nam": "x", "input": 5}, "action": [{"delay": {"!input": "none"}}]})");
  for (const char* const part :
       {"blueprint: name is missing", "blueprint.domain: expected automation, script or template",
        "blueprint.nam: unknown key, did you mean name?", "blueprint.input: expected names with descriptions",
        "action[0].delay.!input: the blueprint has no input none"})
    EXPECT_TRUE(error.contains(part)) << part << " in " << error;
}

TEST(Blueprint, ItsUseRunsWithTheInputsFilledIn) {
  TestAutomations home;
  home.engine.apply(use(
      R"({"motion": "binary_sensor.hall", "wait": 5, "after": [{"action": "test.note", "data": {"text": "after"}}]})",
      {blueprint_of(kMotion)}));
  home.run();
  home.set("binary_sensor.hall", "off");
  home.set("binary_sensor.hall", "on");
  EXPECT_EQ(home.noted(), "");
  home.advance(std::chrono::seconds(5));
  EXPECT_EQ(home.noted(), "5 after");
  EXPECT_EQ(home.home.hub.states.find("automation.hall")->value(), "on");
  const json::value config = home.engine.config_of("automation.hall").value();
  EXPECT_EQ(config.at_pointer("/use_blueprint/path"), "me/motion.yaml");
  EXPECT_FALSE(config.as_object().contains("actions"));
  const json::object shown = home.engine.shown_in_traces("automation", "1");
  EXPECT_EQ(base::to_json(shown.at("config").at_pointer("/triggers/entity_id")), R"("binary_sensor.hall")");
  EXPECT_TRUE(shown.at("blueprint_inputs").as_object().contains("use_blueprint"));
}

TEST(Blueprint, TheKeysOfTheUseWin) {
  const auto read =
      use(R"({"motion": "binary_sensor.hall"})", {blueprint_of(kMotion)},
          R"("mode": "restart", "variables": {"seconds": 1}, "triggers": [{"trigger": "event", "event_type": "go"}])");
  EXPECT_TRUE(errors_of(read).empty()) << errors_of(read).front();
  const Item& item = *read.automations.at(0);
  EXPECT_EQ(item.mode, Mode::restart);
  EXPECT_EQ(item.triggers.at(0).platform, "event");
  EXPECT_EQ(item.variables.size(), 1);
}

TEST(Blueprint, WhatIsMissingIsNamedAndTheItemBroken) {
  auto read = use("{}", {blueprint_of(kMotion)});
  ASSERT_EQ(errors_of(read).size(), 1);
  EXPECT_EQ(errors_of(read)[0], "f.yaml:1: use_blueprint.input: the input motion is missing");
  EXPECT_EQ(read.automations.at(0)->alias, "Hall");
  read = parse_configuration(sections_of(R"([{"alias": "A", "use_blueprint": {"path": "me/none.yaml"}}])", {}));
  EXPECT_EQ(errors_of(read).at(0), "f.yaml:1: use_blueprint.path: there is no blueprints/automation/me/none.yaml");
  EXPECT_EQ(read.automations.at(0)->alias, "A");
  read = use(R"({"motion": 5})",
             {blueprint_of(R"({"blueprint": {"name": "B", "domain": "automation", "input": {"motion": null}},
      "triggers": [], "actions": [{"delya": {"!input": "motion"}}]})")});
  EXPECT_TRUE(errors_of(read).at(0).contains("unknown step delya, did you mean delay?")) << errors_of(read)[0];
}

TEST(Blueprint, AUseThatDoesNotFitTheNewVersionRunsTheFormer) {
  std::string asks_more(kMotion);
  asks_more.replace(asks_more.find("\"after\""), 7, R"("light": {"selector": {"target": {}}}, "after")");
  const auto read = use(R"({"motion": "binary_sensor.hall"})", {blueprint_of(asks_more, "2"), blueprint_of(kMotion)});
  EXPECT_TRUE(errors_of(read).empty());
  EXPECT_EQ(read.automations.at(0)->outdated, "f.yaml:1: use_blueprint.input: the input light is missing");
  TestAutomations home;
  home.engine.apply(read);
  ASSERT_EQ(home.engine.faults()->size(), 1);
  EXPECT_EQ(home.engine.faults()->front().kind, configured::Fault::Kind::blueprint);
  EXPECT_EQ(home.home.hub.states.find("automation.hall")->value(), "on");
}

TEST(Blueprint, AnotherVersionIsAnotherAutomation) {
  std::string other(kMotion);
  other.replace(other.find("120"), 3, "121");
  const auto one = use(R"({"motion": "binary_sensor.hall"})", {blueprint_of(kMotion)}),
             two = use(R"({"motion": "binary_sensor.hall"})", {blueprint_of(other)});
  EXPECT_NE(one.automations.at(0)->fingerprint, two.automations.at(0)->fingerprint);
}

TEST(Blueprint, InputsThatDoNotFitAreNamed) {
  const auto blueprint = blueprint_of(kMotion);
  const base::ConfigNode use =
      test_node(std::string_view(R"({"path": "x", "input": {"motion": "light.hall", "wait": 4000, "other": 1}})"));
  const auto lines = misfits(*blueprint, use);
  ASSERT_EQ(lines.size(), 3);
  EXPECT_EQ(lines[0], R"(f.yaml:1: input.motion: expected the id of an entity of binary_sensor, found "light.hall")");
  EXPECT_EQ(lines[1], R"(f.yaml:1: input.wait: expected a number from 0 to 3600, found "4000")");
  EXPECT_EQ(lines[2], "f.yaml:1: input.other: the blueprint has no such input");
}

TEST(Blueprint, ManyPlacesForALargeInputAreRefused) {
  std::string many;
  for (int index = 0; index < 2'000; ++index) many += R"({"delay": {"!input": "a"}},)";
  many.pop_back();
  const auto read = use(
      fmt::format(R"({{"a": "{}"}})", std::string(10'000, 'x')),
      {blueprint_of(fmt::format(
          R"({{"blueprint": {{"name": "B", "domain": "automation", "input": {{"a": null}}}}, "triggers": [], "actions": [{}]}})",
          many))});
  EXPECT_EQ(errors_of(read).at(0), "f.yaml:1: use_blueprint: with its inputs it is larger than 1 MiB");
}

}  // namespace
}  // namespace hearth::automation
