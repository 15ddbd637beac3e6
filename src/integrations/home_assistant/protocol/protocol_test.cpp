// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text/timestamp.h"
#include "integrations/home_assistant/protocol/known_states.h"
#include "integrations/home_assistant/protocol/messages.h"
#include "integrations/home_assistant/protocol/registries.h"
#include "integrations/home_assistant/protocol/services.h"
#include "integrations/home_assistant/protocol/text_parts.h"

namespace hearth::integrations::home_assistant {
namespace {

std::string parts_text(std::string_view text) {
  std::string out;
  TextParts parts(text);
  while (const auto part = parts.next()) out += fmt::format("{}={}|", part->key, part->value);
  return parts.broken() ? out + "broken" : out;
}

std::string messages_text(std::string_view text) {
  std::string out;
  const bool whole = read_messages(text, [&](const Incoming& one) {
    out += fmt::format("{} {} {} {}{}{};", static_cast<int>(one.kind), one.id, one.success, one.result, one.event,
                       one.error);
    return true;
  });
  return whole ? out : out + "broken";
}

std::string state_text(std::string_view entity_id, const KnownStates::Known* known) {
  if (!known) return fmt::format("{} gone\n", entity_id);
  const OtherState state = known->state(entity_id);
  return fmt::format("{} {} {} {} {} {}/{}/{}\n", entity_id, state.value, base::to_json(state.attributes),
                     base::to_string(state.last_changed).substr(11, 15),
                     base::to_string(state.last_updated).substr(11, 15), state.context.id,
                     state.context.parent_id.value_or("-"), state.context.user_id.value_or("-"));
}

struct TestStates {
  std::string compressed(std::string_view event) {
    return take([&](const auto& told) { return states.apply_compressed(event, told); });
  }
  std::string all(std::string_view text) {
    return take([&](const auto& told) { return states.apply_all(text, told); });
  }
  std::string changed(std::string_view event) {
    return take([&](const auto& told) { return states.apply_changed(event, told); });
  }
  template <class Apply>
  std::string take(Apply apply) {
    std::string out;
    const bool fits = apply([&](const std::string& id, KnownStates::Known* known) { out += state_text(id, known); });
    return fits ? out : out + "unknown\n";
  }

  KnownStates states{[](std::string_view id) { return !id.starts_with("sun."); }};
};

TEST(TextParts, GoThroughObjectsAndArrays) {
  EXPECT_EQ(parts_text(R"({"a":1,"b":{"c":[1,2]},"d":"x\"}, \\"})"), R"(a=1|b={"c":[1,2]}|d="x\"}, \\"|)");
  EXPECT_EQ(parts_text(" [ 1 , null , \"a,b\" , [[]] , {} ] "), R"(=1|=null|="a,b"|=[[]]|={}|)");
  EXPECT_EQ(parts_text("{}"), "");
  EXPECT_EQ(parts_text(" [ ] "), "");
  EXPECT_EQ(key_text(R"(a\u0062\"c)"), "ab\"c");
  EXPECT_EQ(unquoted(R"("a\nb")"), "a\nb");
  EXPECT_EQ(unquoted("12"), "");
}

TEST(TextParts, NoticeABreak) {
  for (const std::string_view text :
       {"", "1", "\"a\"", "{", "[", "[1", "[1,", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{1:2}", "{\"a\":1,}", "[1 2]",
        "{\"a\":1} x", "[\"a]", "[\"a\\\"]", "[[1]", "{\"a\":[}"})
    EXPECT_TRUE(parts_text(text).ends_with("broken")) << text;
}

TEST(Messages, AreTakenApart) {
  EXPECT_EQ(messages_text(R"({"type":"auth_required","ha_version":"2026.2.3"})"), "0 0 false null;");
  EXPECT_EQ(messages_text(R"({"id":7,"type":"result","success":true,"result":{"a":1}})"), R"(3 7 true {"a":1};)");
  EXPECT_EQ(messages_text(R"([{"id":7,"type":"event","event":{"r":["a.b"]}},{"type":"pong","id":8}])"),
            R"(4 7 false null{"r":["a.b"]};5 8 false null;)");
  EXPECT_EQ(messages_text(R"({"id":-1,"type":"news","more":[]})"), "6 0 false null;") << "an unknown kind";
  EXPECT_EQ(messages_text(R"({"id":"x","type":3,"success":"true"})"), "6 0 false null;");
  EXPECT_EQ(messages_text("[]"), "");
  for (const std::string_view text : {"", "null", "<html>", "[1]", "{\"id\":", "[{}", "12"})
    EXPECT_TRUE(messages_text(text).ends_with("broken")) << text;
}

TEST(Messages, AreWritten) {
  EXPECT_EQ(command_text(3, {{"type", "ping"}, {"id", 1}}), R"({"type":"ping","id":3})");
  EXPECT_EQ(auth_text("a\"b"), R"({"type":"auth","access_token":"a\"b"})");
}

TEST(Messages, TellWhoTheHubIs) {
  OtherHub hub;
  read_config(hub, object_of(R"({"version":"2026.2.3","location_name":"Cabin","hearth_uuid":"u","state":"STARTING"})"));
  read_user(hub, object_of(R"({"id":"0f","name":"Ann","is_admin":true,"is_owner":false})"));
  read_tokens(hub, *value_of(R"([{"is_current":false,"expire_at":"2030-01-01T00:00:00+00:00"}, 3,
                                 {"is_current":true,"expire_at":"2031-01-01T00:00:00+00:00"}])"));
  EXPECT_EQ(
      fmt::format("{} {} {} {} {} {}", hub.version, hub.name, hub.uuid, hub.user_id, hub.user_name, hub.administrator),
      "2026.2.3 Cabin u 0f Ann true");
  EXPECT_EQ(base::to_string(hub.token_ends.value()), "2031-01-01T00:00:00.000000+00:00");
  EXPECT_FALSE(is_running(object_of(R"({"state":"NOT_RUNNING"})")));
  EXPECT_TRUE(is_running(object_of(R"({"state":"RUNNING"})")));
  OtherHub none;
  read_config(none, object_of(R"({"version":1,"location_name":[]})"));
  read_tokens(none, *value_of(R"([{"is_current":true,"expire_at":null}])"));
  EXPECT_EQ(none.version, "");
  EXPECT_FALSE(none.token_ends);
}

TEST(Messages, EventsHaveWhatTheyNeed) {
  const base::Timestamp now(std::chrono::sys_days(std::chrono::year(2026) / 11 / 21));
  const OtherEvent event = read_event(R"({"event_type":"zha_event","data":{"command":"on"},"origin":"LOCAL",
      "time_fired":"2026-11-20T01:02:03.5+00:00","context":{"id":"c","parent_id":null,"user_id":"u"}})",
                                      now);
  EXPECT_EQ(event.type + base::to_json(event.data) + base::to_string(event.time),
            R"(zha_event{"command":"on"}2026-11-20T01:02:03.500000+00:00)");
  EXPECT_EQ(event.context.id + event.context.user_id.value_or("-") + event.context.parent_id.value_or("-"), "cu-");
  const OtherEvent bare = read_event(R"({"event_type":3,"context":[]})", now);
  EXPECT_EQ(bare.type, "");
  EXPECT_EQ(bare.time, now);
  EXPECT_TRUE(bare.data.is_null());
}

TEST(Messages, FilterThereOnlyWhatTheRuleHereAlsoLeavesOut) {
  MirrorFilter filter;
  EXPECT_EQ(base::to_json(filter_fields(filter, false)), "{}");
  filter.include.entities = {"light.a", "light.b"};
  EXPECT_EQ(base::to_json(filter_fields(filter, true)), R"({"entity_ids":["light.a","light.b"]})");
  filter.include.domains = {"cover"};
  EXPECT_EQ(base::to_json(filter_fields(filter, true)), "{}");
  EXPECT_EQ(base::to_json(filter_fields(filter, false)),
            R"({"include":{"entities":["light.a","light.b"],"domains":["cover"]}})");
  filter.include.areas = {"attic"};
  EXPECT_EQ(base::to_json(filter_fields(filter, false)), "{}") << "the hub there knows no areas here";
  MirrorFilter without;
  without.exclude.domains = {"sensor"};
  EXPECT_EQ(base::to_json(filter_fields(without, false)), R"({"exclude":{"domains":["sensor"]}})");
}

TEST(KnownStates, ApplyDifferencesAsTheHubThereMakesThem) {
  TestStates states;
  EXPECT_EQ(states.compressed(R"({"a":{"light.desk":{"s":"on","a":{"brightness":3,"effect":"none"},"c":"c1","lc":1.5},
                                       "sun.sun":{"s":"up","a":{},"c":"c1","lc":1}}})"),
            "light.desk on {\"brightness\":3,\"effect\":\"none\"} 00:00:01.500000 00:00:01.500000 c1/-/-\n");
  EXPECT_EQ(
      states.compressed(R"({"c":{"light.desk":{"+":{"a":{"brightness":4},"lu":2,"c":{"user_id":"u","id":"c2"}}}}})"),
      "light.desk on {\"brightness\":4,\"effect\":\"none\"} 00:00:01.500000 00:00:02.000000 c2/-/u\n");
  EXPECT_EQ(states.compressed(R"({"c":{"light.desk":{"+":{"s":"off","lc":3,"c":"c3"},"-":{"a":["effect","none"]}}}})"),
            "light.desk off {\"brightness\":4} 00:00:03.000000 00:00:03.000000 c3/-/u\n")
      << "a text replaces the id alone";
  EXPECT_EQ(states.compressed(R"({"r":["light.desk","light.none","sun.sun"]})"), "light.desk gone\n");
  EXPECT_EQ(states.states.bytes(), 0u);
  EXPECT_EQ(states.compressed(R"({"c":{"light.desk":{"+":{"s":"on"}},"sun.sun":{"+":{"s":"x"}}}})"), "unknown\n");
}

TEST(KnownStates, RoundTimesAsTheHubThereWritesThem) {
  TestStates states;
  EXPECT_EQ(states.compressed(R"({"a":{"light.a":{"s":"on","a":{},"c":"c","lc":1796084195.1705754}}})"),
            "light.a on {} 00:16:35.170575 00:16:35.170575 c/-/-\n");
  EXPECT_EQ(states.compressed(R"({"c":{"light.a":{"+":{"lc":1796084195.1705756}}}})"),
            "light.a on {} 00:16:35.170576 00:16:35.170576 c/-/-\n");
}

TEST(KnownStates, TakeWholeStatesOfOldHubs) {
  TestStates states;
  EXPECT_EQ(states.all(R"([{"entity_id":"light.desk","state":"on","attributes":{"a":1},
      "last_changed":"1970-01-01T00:00:01+00:00","last_updated":"1970-01-01T00:00:02+00:00",
      "context":{"id":"c","parent_id":"p","user_id":null}}, 3, {"state":"on"}])"),
            "light.desk on {\"a\":1} 00:00:01.000000 00:00:02.000000 c/p/-\n");
  EXPECT_EQ(states.changed(R"({"event_type":"state_changed","data":{"entity_id":"light.desk","old_state":null,
      "new_state":{"entity_id":"light.desk","state":"off","attributes":{}}}})"),
            "light.desk off {} 00:00:00.000000 00:00:00.000000 /-/-\n");
  EXPECT_EQ(states.changed(R"({"data":{"entity_id":"light.desk","new_state":null}})"), "light.desk gone\n");
  EXPECT_EQ(states.all("{}"), "unknown\n");
}

TEST(KnownStates, SurviveAnything) {
  TestStates states;
  EXPECT_EQ(states.compressed(R"({"a":{"a.1":{"s":"on","a":[1,2],"c":5,"lc":"x"},"a.2":7,"a.3":{"a":{}},"a.4":null}})"),
            "a.1 on {} 00:00:00.000000 00:00:00.000000 /-/-\n");
  EXPECT_EQ(states.compressed(R"({"a":{"a.5":{"s":12,"lc":1e300,"lu":-4}}})"),
            "a.5 12 {} 00:00:00.000000 00:00:00.000000 /-/-\n");
  EXPECT_EQ(states.compressed(R"({"c":{"a.1":{"+":3}},"r":[1,{}],"z":9})"), "unknown\n");
  EXPECT_EQ(states.compressed(R"({"c":{"a.1":{"+":{"a":{"x":"\ud800"}}}}})"),
            "a.1 on {} 00:00:00.000000 00:00:00.000000 /-/-\n");
  EXPECT_EQ(states.compressed("[]"), "");
  EXPECT_EQ(states.compressed("7"), "unknown\n");
  const std::string large(KnownStates::kMaxText, 'x');
  EXPECT_EQ(states.compressed(fmt::format(R"({{"a":{{"a.6":{{"s":"{}"}}}}}})", large)), "");
  EXPECT_EQ(states.states.size(), 2u);
}

TEST(Registries, AreReadAndSurviveAnything) {
  const auto entities =
      read_entities(R"([{"entity_id":"light.desk","id":"r1","unique_id":17,"platform":"hue","name":null,
      "original_name":"Desk","has_entity_name":true,"labels":["a",3],"options":{"x":{}},"device_id":"d"},
      {"entity_id":"light.far","platform":"remote_homeassistant"}, {"platform":"x"}, 7])");
  ASSERT_EQ(entities.size(), 2u);
  EXPECT_EQ(entities[0].unique_id + entities[0].platform + entities[0].original_name.value_or("") +
                entities[0].name.value_or("-") + entities[0].labels.at(0) + entities[0].device_id.value_or(""),
            "17hueDesk-ad");
  EXPECT_FALSE(entities[0].mirrored_there);
  EXPECT_TRUE(entities[1].mirrored_there);
  auto whole = entities;
  read_whole_entries(R"({"light.desk":{"entity_id":"light.desk","id":"r1","unique_id":"17","platform":"hue",
      "aliases":["Lamp"],"original_device_class":"x","capabilities":{"modes":[1]}},"light.far":null})",
                     whole);
  EXPECT_EQ(whole[0].aliases.at(0) + base::to_json(whole[0].capabilities), R"(Lamp{"modes":[1]})");
  const auto devices =
      read_devices(R"([{"id":"d","identifiers":[["hue",1],["x"],3,["zha","ab","c"]],"connections":[["mac","m"]],
      "name":"Lamp","disabled_by":null},{"id":5}])");
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].identifiers, (std::vector<std::pair<std::string, std::string>>{{"hue", "1"}, {"zha", "ab"}}));
  EXPECT_EQ(
      read_areas(R"([{"area_id":"office","name":"Office","floor_id":"g","aliases":["Den"]}])").at(0).aliases.at(0),
      "Den");
  EXPECT_EQ(read_floors(R"([{"floor_id":"g","name":"Ground","level":-1},{"floor_id":"h","level":1e9}])").at(0).level,
            -1);
  EXPECT_EQ(read_labels(R"([{"label_id":"l","name":"L","color":"red"}])").at(0).color.value_or(""), "red");
  for (const std::string_view text : {"", "null", "{}", "[", "[[[", "7", "[null]"}) {
    EXPECT_TRUE(read_entities(text).empty()) << text;
    EXPECT_TRUE(read_devices(text).empty()) << text;
  }
}

TEST(Services, GetTheirNamesFromTheTranslations) {
  auto services = read_services(R"({"light":{"turn_on":{"fields":{"flash":{"selector":{}},
      "more":{"collapsed":true,"fields":{"hue":{}}}},"target":{}},"bad":3},"x":[]})");
  ASSERT_EQ(services.size(), 1u);
  EXPECT_TRUE(lack_names(services));
  add_names(services, object_of(R"({"resources":{"component.light.services.turn_on.name":"Turn on",
      "component.light.services.turn_on.fields.flash.name":"Flash",
      "component.light.services.turn_on.fields.hue.description":"A hue",
      "component.light.services.turn_on.sections.more.name":"More"}})"));
  EXPECT_EQ(base::to_json(services[0].description),
            R"({"fields":{"flash":{"selector":{},"name":"Flash"},"more":{"collapsed":true,"fields":{"hue":)"
            R"({"description":"A hue"}},"name":"More"}},"target":{},"name":"Turn on"})");
  EXPECT_FALSE(lack_names(services));
  add_names(services, object_of(R"({"resources":{"component.light.services.turn_on.name":"Einschalten"}})"));
  EXPECT_EQ(services[0].description.at("name").as_string(), "Turn on") << "a name that is there stays";
}

}  // namespace
}  // namespace hearth::integrations::home_assistant
