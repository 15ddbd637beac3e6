// SPDX-License-Identifier: Apache-2.0
// Whatever key has a secret for its value: no error and no warning shows it.
#include "automation/items/helper_parser.h"
#include "automation/items/scene_parser.h"
#include "automation/items/secrets.h"
#include "automation/test_automations.h"

namespace hearth::automation {
namespace {

void expect_hidden(const std::vector<std::string>& texts, std::string_view what) {
  for (const std::string& text : texts) EXPECT_FALSE(text.contains(kTestSecret)) << what << ": " << text;
}

TEST(SecretErrorsTest, OfAutomationsShowNoSecret) {
  std::size_t errors = 0;
  for (
      const char* const trigger :
      {R"({"trigger": "state", "entity_id": ["light.a"], "to": "on", "for": 5, "id": "x", "enabled": true})",
       R"({"platform": "numeric_state", "entity_id": "sensor.a", "above": 1, "below": "input_number.b", "gap": 5, "skip_unavailable": true})",
       R"({"trigger": "time", "at": ["10:00", {"entity_id": "sensor.a", "offset": 5}], "weekday": ["mon"]})",
       R"({"trigger": "time_pattern", "hours": 1, "minutes": "/5", "seconds": "*"})",
       R"({"trigger": "sun", "event": "sunset", "offset": 5})",
       R"({"trigger": "event", "event_type": "x", "event_data": {"a": 1}, "context": {"user_id": "u"}})",
       R"({"trigger": "mqtt", "topic": "a/b", "payload": "x", "qos": 1, "encoding": "utf-8"})",
       R"({"trigger": "webhook", "webhook_id": "x", "allowed_methods": ["POST"], "local_only": true})",
       R"({"trigger": "homeassistant", "event": "start"})",
       R"({"trigger": "zone", "entity_id": "person.a", "zone": "zone.home", "event": "enter"})",
       R"({"trigger": "device", "device_id": "d", "domain": "light", "type": "turned_on", "entity_id": "light.a", "for": 5})",
       R"({"trigger": "calendar", "entity_id": "calendar.a", "event": "start", "offset": 5})",
       R"({"trigger": "tag", "tag_id": "x"})",
       R"({"trigger": "persistent_notification", "notification_id": "x", "update_type": "added"})",
       R"({"trigger": "conversation", "command": "do it"})",
       R"({"trigger": "template", "value_template": "{{ 1 }}", "for": "{{ 5 }}"})"}) {
    const json::value item =
        base::parse_json(fmt::format(R"([{{"id": "i", "alias": "a", "mode": "queued", "max": 5, "missed": "skip",
        "max_exceeded": "silent", "initial_state": true, "trace": {{"stored_traces": 5}}, "triggers": [{}],
        "conditions": [{{"condition": "state", "entity_id": "light.a", "state": "on", "for": 5, "match": "all"}},
                       {{"condition": "time", "after": "10:00", "weekday": "mon"}}, {{"condition": "sun", "after": "sunset", "after_offset": 5}},
                       {{"condition": "numeric_state", "entity_id": "sensor.a", "above": 1}}, {{"condition": "trigger", "id": "x"}},
                       {{"condition": "device", "device_id": "d", "domain": "light", "type": "is_on", "entity_id": "light.a"}}],
        "actions": [{{"action": "light.turn_on", "target": {{"entity_id": "light.a"}}, "response_variable": "r"}}, {{"delay": 5}},
                    {{"repeat": {{"count": 5, "sequence": []}}}}, {{"wait_for_trigger": {{"trigger": "state", "entity_id": "light.a"}}, "timeout": 5}},
                    {{"scene": "scene.a"}}, {{"event": "x"}}, {{"device_id": "d", "domain": "light", "type": "turn_on", "entity_id": "light.a"}}]}}])",
                                     trigger))
            .value();
    with_each_secret(item, [&](const base::ConfigNode& node) {
      Sections sections;
      sections.automations.push_back(node);
      const Configuration read = parse_configuration(sections);
      errors += errors_of(read).size();
      expect_hidden(errors_of(read), trigger);
      expect_hidden(read.warnings, trigger);
    });
  }
  EXPECT_GT(errors, 50U);
}

TEST(SecretErrorsTest, OfScenesAndHelpersShowNoSecret) {
  std::size_t errors = 0;
  with_each_secret(
      base::parse_json(
          R"([{"id": "i", "name": "n", "icon": "mdi:x", "entities": {"light.a": {"state": "on", "brightness": 5}, "light.b": "on"}}])")
          .value(),
      [&](const base::ConfigNode& node) {
        Sections sections;
        sections.scenes.push_back(node);
        expect_hidden(errors_of(parse_scenes(sections)), "scene");
      });
  for (const auto& [domain, written] :
       {std::pair("input_number",
                  R"({"a": {"min": 0, "max": 5, "step": 1, "mode": "box", "initial": 3, "icon": "mdi:x"}})"),
        std::pair("input_select", R"({"a": {"options": ["x", "y"], "initial": "x"}})"),
        std::pair("input_boolean", R"({"a": {"initial": true}})"),
        std::pair("timer", R"({"a": {"duration": "00:10:00", "restore": true}})"),
        std::pair("counter", R"({"a": {"initial": 0, "step": 1, "maximum": 10, "restore": true}})"),
        std::pair("schedule", R"({"a": {"monday": [{"from": "10:00:00", "to": "11:00:00"}]}})"),
        std::pair("zone", R"([{"name": "x", "latitude": 1, "longitude": 2, "radius": 10, "passive": true}])"),
        std::pair("group", R"({"a": {"entities": ["light.a"], "all": true}})")}) {
    with_each_secret(base::parse_json(written).value(), [&](const base::ConfigNode& node) {
      Sections sections;
      sections.helpers.emplace_back(domain, node);
      const auto read = parse_helpers(sections);
      errors += errors_of(read).size();
      expect_hidden(errors_of(read), domain);
    });
  }
  EXPECT_GT(errors, 3U);
}

TEST(SecretErrorsTest, AShortSecretIsMaskedWhereItStandsAlone) {
  EXPECT_EQ(without_secrets("a 12 and 123", {"12"}), "a ******** and 123");
  EXPECT_EQ(without_secrets("abcdef", {"bcde"}), "a********f");
}

}  // namespace
}  // namespace hearth::automation
