// SPDX-License-Identifier: Apache-2.0
#include "automation/items/item_parser.h"

#include "automation/test_automations.h"

namespace hearth::automation {
namespace {

Configuration configuration_of(std::string_view automations, std::string_view scripts = "{}") {
  Sections sections;
  sections.automations.push_back(test_node(automations));
  sections.scripts.push_back(test_node(scripts));
  return parse_configuration(sections);
}

// All errors of one automation with these parts.
std::string errors_in(std::string_view triggers, std::string_view actions = "[]", std::string_view more = "") {
  const auto read = configuration_of(
      fmt::format(R"([{{"triggers": {}, "actions": {}{}{}}}])", triggers, actions, more.empty() ? "" : ", ", more));
  std::string all;
  for (const std::string& error : errors_of(read)) all += error;
  return all;
}

TEST(ItemParser, TakesOldAndNewKeysAndOneOrMany) {
  EXPECT_EQ(errors_in(R"({"platform": "state", "entity_id": "light.a, light.b", "to": "on"})",
                      R"({"service": "light.turn_on", "entity_id": "light.a"})", R"("condition": "{{ true }}")"),
            "");
  const auto read = configuration_of(
      R"({"trigger": [{"platform": "event", "event_type": ["a", "b"]}, {"triggers": [{"trigger": "homeassistant", "event": "start"}]}],
          "action": [{"delay": 1}], "alias": "Küche: Licht"})");
  ASSERT_TRUE(errors_of(read).empty()) << errors_of(read).front();
  const Item& item = *read.automations.at(0);
  EXPECT_EQ(item.object_id, "kuche_licht");
  ASSERT_EQ(item.triggers.size(), 2);
  EXPECT_EQ(item.triggers[1].platform, "homeassistant");
  EXPECT_EQ(item.triggers[1].id, "1");
}

TEST(ItemParser, RefusesBothSpellingsAtOnce) {
  EXPECT_TRUE(errors_in("[]", "[]", R"("trigger": [])").contains("trigger: is the old name of triggers"));
}

TEST(ItemParser, NamesTheKeyAndWhatIsKnown) {
  EXPECT_EQ(errors_in(R"([{"platfrom": "state"}])"),
            "f.yaml:1: triggers[0].platfrom: unknown key, did you mean platform? Known: trigger, platform");
  EXPECT_TRUE(
      errors_in(R"([{"trigger": "stat"}])")
          .starts_with("f.yaml:1: triggers[0].trigger: unknown trigger stat, did you mean state? Known: state, "));
  EXPECT_EQ(errors_in(R"([{"trigger": "geo_location"}])"),
            "f.yaml:1: triggers[0].trigger: the trigger geo_location is not supported");
  EXPECT_TRUE(errors_in("[]", R"([{"delya": 1}])")
                  .starts_with("f.yaml:1: actions[0].delya: unknown step delya, did you mean delay? Known: "));
  EXPECT_TRUE(
      errors_in("[]", R"([{"choose": [{"conditions": [{"condition": "zoned"}], "sequence": []}]}])")
          .contains("actions[0].choose[0].conditions[0].condition: unknown condition zoned, did you mean zone?"));
  EXPECT_TRUE(errors_in("[]", "[]", R"("use_blueprint": {})").contains("use_blueprint: path is missing"));
}

TEST(ItemParser, FindsAllErrorsOfAnItem) {
  const std::string all =
      errors_in(R"([{"trigger": "state", "entity_id": "light", "fro": "on"}])",
                R"([{"delay": "soon"}, {"action": "light"}, {"if": [], "else": []}])", R"("mode": "twice")");
  for (const char* const part :
       {"triggers[0].entity_id: expected an entity", "triggers[0].fro: unknown key, did you mean from?",
        "actions[0].delay: expected a duration", "actions[1].action: expected a service", "actions[2]: then is missing",
        "mode: expected one of single"})
    EXPECT_TRUE(all.contains(part)) << part << " in\n" << all;
}

TEST(ItemParser, KeepsABrokenItemWithItsNameAndItsError) {
  const auto read = configuration_of(
      R"([{"id": "7", "alias": "Bad", "triggers": [], "actions": [{"x": 1}]}, {"triggers": [], "actions": []}])",
      R"({"s": {"sequence": [], "fields": 3}, "turn_on": {"sequence": []}})");
  ASSERT_EQ(read.automations.size(), 2);
  EXPECT_EQ(read.automations[0]->unique_id, "7");
  EXPECT_EQ(read.automations[0]->alias, "Bad");
  EXPECT_FALSE(read.automations[0]->error.empty());
  EXPECT_EQ(read.automations[1]->error, "");
  EXPECT_EQ(read.automations[1]->object_id, "automation_2");
  EXPECT_TRUE(read.scripts.at(0)->error.contains("fields: expected names"));
  EXPECT_TRUE(read.scripts.at(1)->error.contains("cannot be named"));
}

TEST(ItemParser, RefusesAnIdThatIsThereTwice) {
  const auto read =
      configuration_of(R"([{"id": "1", "triggers": [], "actions": []}, {"id": "1", "triggers": [], "actions": []}])");
  EXPECT_EQ(read.automations[0]->error, "");
  EXPECT_TRUE(read.automations[1]->error.contains("another automation has the id 1"));
}

TEST(ItemParser, ReadsLimitsOfNumericTriggers) {
  EXPECT_TRUE(errors_in(R"([{"trigger": "numeric_state", "entity_id": "sensor.a", "above": 5, "below": 5}])")
                  .contains("no number is above 5 and below 5"));
  EXPECT_TRUE(
      errors_in(R"([{"trigger": "numeric_state", "entity_id": "sensor.a"}])").contains("above or below is missing"));
  EXPECT_EQ(errors_in(R"([{"trigger": "numeric_state", "entity_id": "sensor.a", "above": "input_number.x"}])"), "");
}

TEST(ItemParser, BoundsTheStepsOfAnItem) {
  std::string steps;
  for (std::size_t i = 0; i <= 10'000; ++i) steps += (i ? "," : "") + std::string(R"({"delay":1})");
  EXPECT_TRUE(errors_in("[]", "[" + steps + "]").contains("more than 10000 steps"));
}

TEST(ItemParser, WarnsOfStatesThatAreTruthValues) {
  const auto read = configuration_of(
      R"([{"triggers": [{"trigger": "state", "entity_id": "light.a", "to": true, "not_from": ["off", false]},
                        {"trigger": "state", "entity_id": "light.a", "attribute": "x", "to": true}],
           "actions": [{"if": [{"not": [{"condition": "state", "entity_id": "light.a", "state": [true]}]}], "then":
             [{"action": "a.b", "data": {"condition": "state", "state": true}}]}]}])");
  EXPECT_TRUE(errors_of(read).empty());
  const auto warning = [](std::string_view key, std::string_view written, std::string_view state) {
    return fmt::format("f.yaml:1: {}: {} without quotes is a truth value; it is read as the state \"{}\"", key, written,
                       state);
  };
  EXPECT_EQ(read.warnings, (std::vector<std::string>{warning("triggers[0].to", "true", "on"),
                                                     warning("triggers[0].not_from[1]", "false", "off"),
                                                     warning("actions[0].if[0].not[0].state[0]", "true", "on")}));
}

TEST(ItemParser, TakesOptionsInAnyCase) {
  EXPECT_EQ(errors_in(R"([{"trigger": "sun", "event": "Sunset"},
                          {"trigger": "webhook", "webhook_id": "x", "allowed_methods": ["post"]}])",
                      R"([{"condition": "sun", "after": "Sunset"},
                          {"condition": "state", "entity_id": "light.a", "state": "on", "match": "ANY"}])",
                      R"("max_exceeded": "Critical")"),
            "");
}

TEST(ItemParser, RefusesWhatCannotBe) {
  const auto step = [](std::string_view text) { return errors_in("[]", fmt::format("[{}]", text)); };
  EXPECT_TRUE(
      step(R"({"action": "a.b", "target": {"entity_id": "a.b", "area": "x"}})").contains("target.area: unknown key"));
  EXPECT_TRUE(
      step(R"({"action": "a.b", "target": {"entity_id": "foo"}})").contains("target.entity_id: expected an entity"));
  EXPECT_EQ(step(R"({"action": "a.b", "target": {"entity_id": ["{{ x }}", "all", "a.b, c.d"], "area_id": "x"}})"), "");
  EXPECT_EQ(step(R"({"action": "a.b", "target": "{{ x }}", "response_variable": "answer"})"), "");
  EXPECT_TRUE(step(R"({"action": "a.b", "response_variable": 5})").contains("the name of a variable"));
  EXPECT_TRUE(step(R"({"scene": "light.x"})").contains("expected an entity of scene, found light.x"));
  EXPECT_TRUE(step(R"({"event": "e", "event_data": []})").contains("event_data: expected keys with values"));
  EXPECT_TRUE(step(R"({"set_conversation_response": {"a": 1}})").contains("expected a text, or nothing"));
  for (const char* const items : {R"({"a": 1})", R"("abc")"}) {
    EXPECT_TRUE(step(fmt::format(R"({{"repeat": {{"for_each": {}, "sequence": []}}}})", items))
                    .contains("for_each: expected a list"))
        << items;
  }
  const auto trigger = [](std::string_view text) { return errors_in(fmt::format("[{}]", text)); };
  EXPECT_TRUE(trigger(R"({"trigger": "mqtt", "topic": "a/#/b"})").contains("topic: expected a topic"));
  EXPECT_TRUE(
      trigger(R"({"trigger": "mqtt", "topic": "a", "payload": {"a": 1}})").contains("payload: expected a text"));
  EXPECT_TRUE(trigger(R"({"trigger": "calendar", "entity_id": "light.a"})").contains("expected an entity of calendar"));
  EXPECT_TRUE(trigger(R"({"trigger": "time", "at": "light.x"})").contains("at: expected a time such as 07:30"));
  EXPECT_TRUE(step(R"({"condition": "time", "after": "light.x"})").contains("after: expected a time such as 07:30"));
  EXPECT_EQ(step(R"({"condition": "state", "entity_id": "light.a", "attribute": "x", "state": null})"), "");
}

}  // namespace
}  // namespace hearth::automation
