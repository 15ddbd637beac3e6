// SPDX-License-Identifier: Apache-2.0
#include "core/trigger_cause.h"

#include <gtest/gtest.h>

namespace hearth::core {
namespace {

json::object object(std::string_view text) {
  return base::parse_json(text).value().as_object();
}

// `platform entity_id`.
std::string read(const json::object& data) {
  const TriggerCause cause = TriggerCause::of(data);
  return cause.platform + " " + cause.entity_id;
}

TEST(TriggerCause, IsReadAsItWasWritten) {
  for (const TriggerCause& cause : {TriggerCause{"state of light.a", "state", "light.a"},
                                    TriggerCause{"event 'state of light.a'", "event", ""}, TriggerCause{"by hand"}}) {
    json::object data;
    cause.write(data);
    const TriggerCause again = TriggerCause::of(data);
    EXPECT_EQ(again.source, cause.source);
    EXPECT_EQ(again.platform, cause.platform);
    EXPECT_EQ(again.entity_id, cause.entity_id);
  }
  json::object data;
  TriggerCause{"by hand"}.write(data);
  EXPECT_EQ(base::to_json(data), R"({"source":"by hand","trigger":{}})");
}

TEST(TriggerCause, OfAFormerVersionIsReadFromItsSource) {
  constexpr std::pair<const char*, const char*> kRecorded[] = {
      {"state of light.hall", "state light.hall"},
      {"numeric state of sensor.a", "numeric_state sensor.a"},
      {"state of light.hall of light.hall", "state "},
      {"calendar calendar.family", "calendar calendar.family"},
      {"person.ann entering zone.home", "zone person.ann"},
      {"person.ann leaving zone.home", "zone person.ann"},
      {"time", "time "},
      {"time pattern", "time_pattern "},
      {"sunrise", "sun "},
      {"sunset", "sun "},
      {"dawn", "sun "},
      {"dusk", "sun "},
      {"solar noon", "sun "},
      {"solar midnight", "sun "},
      {"start of the hub", "homeassistant "},
      {"shutdown of the hub", "homeassistant "},
      {"template", "template "},
      {"event 'go'", "event "},
      {"mqtt topic a/b", "mqtt "},
      {"webhook", "webhook "},
      {"sentence 'good night'", "conversation "},
      {"a notification was added", "persistent_notification "},
      {"by hand", " "},
      {"bedroom of light.hall", " "},
      {"", " "},
  };
  for (const auto& [source, expected] : kRecorded) EXPECT_EQ(read({{"source", source}}), expected) << source;
  EXPECT_EQ(read({}), " ");
  EXPECT_EQ(read({{"source", 7}, {"trigger", 7}}), " ");
  EXPECT_EQ(read(object(R"({"source":"state of light.a","trigger":{"platform":7,"entity_id":[]}})")), " ");
}

TEST(TriggerCause, OfTimeAndSunIsOfTheClock) {
  for (const char* const source : {"time", "time pattern", "sunset", "solar noon", "dawn"})
    EXPECT_TRUE(TriggerCause::of({{"source", source}}).is_of_clock()) << source;
  for (const char* const source : {"state of sun.sun", "template", "start of the hub", "by hand", ""})
    EXPECT_FALSE(TriggerCause::of({{"source", source}}).is_of_clock()) << source;
}

TEST(TriggerCause, OfAnotherHubNamesTheEntityAsItIsCalledHere) {
  const auto renamed = [](std::string_view text) {
    json::object data = object(text);
    rename_trigger_entity(data, [](std::string_view id) -> std::optional<std::string> {
      return id == "light.hidden" ? std::nullopt : std::optional("lake_" + std::string(id));
    });
    return base::to_json(data);
  };
  constexpr std::pair<const char*, const char*> kTold[] = {
      {R"({"source":"state of a.b","trigger":{"platform":"state","entity_id":"a.b"}})",
       R"({"source":"state of lake_a.b","trigger":{"platform":"state","entity_id":"lake_a.b"}})"},
      {R"({"source":"a.b entering zone.c","trigger":{"platform":"zone","entity_id":"a.b"}})",
       R"({"source":"lake_a.b entering zone.c","trigger":{"platform":"zone","entity_id":"lake_a.b"}})"},
      {R"({"source":"time","trigger":{"platform":"time","entity_id":"a.b"}})",
       R"({"source":"time","trigger":{"platform":"time","entity_id":"lake_a.b"}})"},
      {R"({"source":"state of light.hidden","trigger":{"platform":"state","entity_id":"light.hidden"}})",
       R"({"source":"state of light.hidden","trigger":{"platform":"state"}})"},
      {R"({"source":"event 'of a.b'","trigger":{"platform":"event"}})",
       R"({"source":"event 'of a.b'","trigger":{"platform":"event"}})"},
      // From a hub of a former version.
      {R"({"source":"numeric state of a.b"})", R"({"source":"numeric state of lake_a.b"})"},
      {R"({"source":"calendar a.b"})", R"({"source":"calendar lake_a.b"})"},
      {R"({"source":"state of light.hidden"})", R"({"source":"state of light.hidden"})"},
      {R"({"source":"event 'of a.b'"})", R"({"source":"event 'of a.b'"})"},
      {R"({"name":"X"})", R"({"name":"X"})"}};
  for (const auto& [told, expected] : kTold) EXPECT_EQ(renamed(told), expected);
}

}  // namespace
}  // namespace hearth::core
