// SPDX-License-Identifier: Apache-2.0
// Triggers, conditions and steps of places, tags, notes and devices.
#include "automation/config/device_forms.h"
#include "automation/config/part_check.h"
#include "automation/test_automations.h"

namespace hearth::automation {
namespace {

struct PlaceTriggersTest : testing::Test {
  // An automation of this trigger that notes a template of `trigger`.
  void on(std::string_view trigger, std::string_view text) { home.apply_one(trigger, "[" + note_step(text) + "]"); }

  TestAutomations home;
};

TEST_F(PlaceTriggersTest, TagsAreEventsOfOneOfTheirIds) {
  on(R"({"trigger": "tag", "tag_id": ["a", "b"], "device_id": "reader"})", "{{ trigger.event.data.tag_id }}");
  for (const char* data : {R"({"tag_id":"a","device_id":"reader"})", R"({"tag_id":"b","device_id":"other"})",
                           R"({"tag_id":"c","device_id":"reader"})", R"({"tag_id":"b","device_id":"reader"})"})
    home.fire("tag_scanned", data);
  EXPECT_EQ(home.noted(), "a b");
}

TEST_F(PlaceTriggersTest, ZonesAreEnteredAndLeft) {
  home.set("zone.work", "0", R"({"latitude":52.0,"longitude":13.0,"radius":100})");
  const auto at = [&](double latitude, std::string_view more = "") {
    home.set("device_tracker.phone", "x", fmt::format(R"({{"latitude":{},"longitude":13.0{}}})", latitude, more));
  };
  for (const char* event : {"enter", "leave"}) {
    on(fmt::format(R"({{"trigger": "zone", "entity_id": "device_tracker.phone", "zone": "zone.work", "event": "{}"}})",
                   event),
       "{{ trigger.event }} {{ trigger.zone.entity_id }} {{ trigger.to_state.state }}");
    at(51);
    at(52.0001);
    at(52.0002);
    at(53);
    EXPECT_EQ(home.noted(), fmt::format("{} zone.work x", event));
  }
  // Within its radius only because the place is inexact.
  on(R"({"trigger": "zone", "entity_id": "device_tracker.phone", "zone": "zone.work"})", "near");
  at(52.002);
  EXPECT_EQ(home.noted(), "");
  at(52.002, R"(,"gps_accuracy":200)");
  EXPECT_EQ(home.noted(), "near");
  // Where it was is not known.
  home.set("device_tracker.phone", "unavailable");
  at(52.0001);
  EXPECT_EQ(home.noted(), "");
  // A router knows no coordinates.
  on(R"({"trigger": "zone", "entity_id": "device_tracker.router", "zone": "zone.work"})", "in");
  home.set("device_tracker.router", "not_home", R"({"in_zones":[]})");
  home.set("device_tracker.router", "home", R"({"in_zones":["zone.work"]})");
  home.set("device_tracker.router", "home");
  EXPECT_EQ(home.noted(), "in");
}

TEST_F(PlaceTriggersTest, DevicesMeanTheirEntities) {
  const auto device = [](std::string_view domain, std::string_view type, std::string_view more = "") {
    return fmt::format(
        R"({{"trigger": "device", "device_id": "d", "domain": "{}", "type": "{}", "entity_id": "{}.x"{}}})", domain,
        type, domain, more);
  };
  const auto fires = [&](std::string_view trigger, std::string_view id, std::initializer_list<const char*> values) {
    home.set(id, *values.begin());
    on(trigger, "{{ trigger.to_state.state }}");
    for (const char* value : values) home.set(id, value);
    return home.noted();
  };
  EXPECT_EQ(fires(device("light", "turned_on"), "light.x", {"off", "on", "off"}), "on");
  EXPECT_EQ(fires(device("switch", "changed_states"), "switch.x", {"off", "on", "unavailable", "off"}),
            "on unavailable off");
  EXPECT_EQ(fires(device("media_player", "changed_states"), "media_player.x", {"playing", "paused"}), "paused");
  EXPECT_EQ(fires(device("binary_sensor", "motion"), "binary_sensor.x", {"off", "on", "off"}), "on");
  EXPECT_EQ(fires(device("binary_sensor", "no_motion"), "binary_sensor.x", {"off", "on", "off"}), "off");
  EXPECT_EQ(fires(device("binary_sensor", "not_open"), "binary_sensor.x", {"off", "on", "off"}), "off");
  EXPECT_EQ(fires(device("binary_sensor", "locked"), "binary_sensor.x", {"off", "on", "off"}), "off");
  EXPECT_EQ(fires(device("cover", "opened"), "cover.x", {"closed", "opening", "open"}), "open");
  EXPECT_EQ(fires(device("lock", "jammed"), "lock.x", {"locked", "jammed"}), "jammed");
  EXPECT_EQ(fires(device("sensor", "temperature", R"(, "above": 20)"), "sensor.x", {"19", "21", "22"}), "21");
  EXPECT_EQ(fires(device("climate", "hvac_mode_changed", R"(, "to": "heat")"), "climate.x", {"off", "cool", "heat"}),
            "heat");
  EXPECT_EQ(fires(device("button", "pressed"), "button.x", {"unknown", "2026-01-01"}), "2026-01-01");
  home.apply_one(device("cover", "position", R"(, "below": 50)"), "[" + note_step("low") + "]");
  home.set("cover.x", "open", R"({"current_position":80})");
  home.set("cover.x", "open", R"({"current_position":40})");
  EXPECT_EQ(home.noted(), "low");
  home.apply_one(
      R"({"trigger": "device", "domain": "mqtt", "device_id": "d", "type": "action", "subtype": "double", "discovery_id": "x"})",
      "[" +
          note_step(
              "{{ trigger.event.data.payload }} {{ trigger.topic }} {{ trigger.payload_json.a }} {{ trigger.qos }}") +
          "]");
  home.fire("device_trigger", R"({"device_id":"d","type":"action","subtype":"single","payload":"1"})");
  home.fire("device_trigger",
            R"({"device_id":"d","type":"action","subtype":"double","topic":"t","payload":"{\"a\":2}","qos":1})");
  EXPECT_EQ(home.noted(), R"({"a":2} t 2 1)");
}

TEST_F(PlaceTriggersTest, DevicesNameEntitiesByTheirIdInTheRegistry) {
  core::RegisteredEntity entity;
  entity.integration = "test";
  entity.unique_id = "1";
  auto& registry = home.home.hub.registry;
  registry.put_entity(*core::EntityId::parse("light.kitchen"), entity).value();
  const std::string id = registry.snapshot()->find_entity("test", "light", "1")->id;
  home.apply(fmt::format(
      R"([{{"alias": "One", "triggers": {{"trigger": "device", "device_id": "d", "domain": "light", "type": "turned_on", "entity_id": "{0}"}},
      "conditions": {{"condition": "device", "device_id": "d", "domain": "light", "type": "is_on", "entity_id": "{0}"}},
      "actions": [{1}]}}])",
      id, note_step("{{ trigger.entity_id }}")));
  home.set("light.kitchen", "off");
  home.set("light.kitchen", "on");
  EXPECT_EQ(home.noted(), "light.kitchen");
}

TEST_F(PlaceTriggersTest, NotificationsAreAddedUpdatedAndRemoved) {
  on(R"({"trigger": "persistent_notification", "notification_id": "n"})",
     "{{ trigger.update_type }}:{{ trigger.notification.message }}");
  const auto call = [&](std::string_view service, std::string_view data) {
    home.call(fmt::format("persistent_notification.{}", service), data);
    home.run();
  };
  call("create", R"({"notification_id":"other","message":"x"})");
  call("create", R"({"notification_id":"n","message":"a"})");
  call("create", R"({"notification_id":"n","message":"b"})");
  call("dismiss", R"({"notification_id":"n"})");
  EXPECT_EQ(home.noted(), "added:a updated:b removed:b");
  on(R"({"trigger": "persistent_notification", "update_type": ["removed"]})", "{{ trigger.update_type }}");
  call("dismiss", R"({"notification_id":"other"})");
  EXPECT_EQ(home.noted(), "removed");
}

TEST_F(PlaceTriggersTest, ConditionsOfPlacesAndDevices) {
  home.set("zone.work", "0", R"({"latitude":52.0,"longitude":13.0,"radius":100})");
  home.set("person.a", "x", R"({"latitude":52.0,"longitude":13.0})");
  home.set("person.b", "x", R"({"latitude":50.0,"longitude":13.0})");
  home.set("cover.x", "open", R"({"current_position":40})");
  home.set("binary_sensor.x", "off");
  home.set("climate.x", "heat", R"({"preset_mode":"eco"})");
  home.set("humidifier.x", "on", R"({"mode":"eco"})");
  const auto holds = [&](std::string_view condition) {
    const auto result = home.engine.one_off_steps().test(base::parse_json(condition).value(), {});
    return result ? *result ? "yes" : "no" : result.error().message;
  };
  EXPECT_EQ(holds(R"({"condition": "zone", "entity_id": "person.a", "zone": "zone.work"})"), "yes");
  EXPECT_EQ(holds(R"({"condition": "zone", "entity_id": ["person.a", "person.b"], "zone": "zone.work"})"), "no");
  EXPECT_EQ(holds(R"({"condition": "zone", "entity_id": "cover.x", "zone": "zone.work"})"), "cover.x has no place");
  EXPECT_EQ(holds(R"({"condition": "zone", "entity_id": "person.a", "zone": "zone.none"})"), "there is no zone.none");
  const auto device = [&](std::string_view domain, std::string_view type, std::string_view more = "") {
    return holds(fmt::format(
        R"({{"condition": "device", "device_id": "d", "domain": "{}", "type": "{}", "entity_id": "{}.x"{}}})", domain,
        type, domain, more));
  };
  EXPECT_EQ(device("cover", "is_open"), "yes");
  EXPECT_EQ(device("cover", "is_closed"), "no");
  EXPECT_EQ(device("cover", "is_position", R"(, "below": 50)"), "yes");
  EXPECT_EQ(device("binary_sensor", "is_no_motion"), "yes");
  EXPECT_EQ(device("binary_sensor", "is_on"), "no");
  EXPECT_EQ(device("climate", "is_hvac_mode", R"(, "hvac_mode": "heat")"), "yes");
  EXPECT_EQ(device("climate", "is_preset_mode", R"(, "preset_mode": "away")"), "no");
  EXPECT_EQ(device("humidifier", "is_mode", R"(, "mode": "eco")"), "yes");
  EXPECT_EQ(device("humidifier", "is_mode", R"(, "mode": "boost")"), "no");
  EXPECT_TRUE(device("cover", "is_green").contains("a device's cover has no condition is_green"));
}

TEST_F(PlaceTriggersTest, StepsOfDevicesAreServices) {
  EXPECT_EQ(device_action("light", "toggle")->service, "light.toggle");
  EXPECT_EQ(device_action("light", "brightness_decrease")->preset, -10);
  EXPECT_EQ(device_action("light", "flash")->preset, "short");
  EXPECT_EQ(device_action("vacuum", "dock")->service, "vacuum.return_to_base");
  EXPECT_FALSE(device_action("sensor", "turn_on"));
  const auto trace_of = [&](std::string_view step) {
    home.run_steps(fmt::format("[{}]", step));
    const auto rows = home.engine.traces().list("script", "test");
    std::string trace;
    home.engine.traces().get("script.test", std::string(rows.back().at("run_id").as_string()), {},
                             [&](std::optional<std::string> json) { trace = json.value_or(""); });
    return trace;
  };
  const std::string lamp = trace_of(
      R"({"device_id": "d", "domain": "light", "type": "turn_on", "entity_id": "light.x", "brightness_pct": "{{ 40 + 2 }}"})");
  EXPECT_TRUE(lamp.contains(R"("service":"turn_on","service_data":{"brightness_pct":42,"entity_id":"light.x"})"))
      << lamp;
  for (const auto& [given, flash] : {std::pair("", "short"), std::pair(R"(, "flash": "long")", "long")}) {
    const std::string made = trace_of(
        fmt::format(R"({{"device_id": "d", "domain": "light", "type": "flash", "entity_id": "light.x"{}}})", given));
    EXPECT_TRUE(made.contains(fmt::format(R"("service_data":{{"flash":"{}","entity_id":"light.x"}})", flash))) << made;
  }
  const std::string tilt = trace_of(
      R"({"device_id": "d", "domain": "cover", "type": "set_tilt_position", "entity_id": "cover.x", "position": 30})");
  EXPECT_TRUE(
      tilt.contains(R"("service":"set_cover_tilt_position","service_data":{"tilt_position":30,"entity_id":"cover.x"})"))
      << tilt;
  const std::string notice = trace_of(
      R"({"device_id": "d0", "domain": "mobile_app", "type": "notify", "message": "{{ 1 + 1 }} doors", "title": "Open"})");
  EXPECT_TRUE(notice.contains("there is no service notify.mobile_app_d0") && notice.contains("2 doors")) << notice;
  EXPECT_TRUE(
      check_actions(
          base::parse_json(R"([{"device_id": "d", "domain": "light", "type": "fly", "entity_id": "light.x"}])").value())
          .contains("a device's light has no action fly"));
  EXPECT_TRUE(
      check_actions(base::parse_json(R"([{"device_id": "d", "domain": "mobile_app", "type": "notify"}])").value())
          .contains("message"));
}

}  // namespace
}  // namespace hearth::automation
