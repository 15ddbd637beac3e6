// SPDX-License-Identifier: Apache-2.0
#include "domains/groups/thing_group.h"

#include "base/text/timestamp.h"
#include "domains/groups/test_groups.h"

namespace hearth::domains {
namespace {

struct ThingGroupTest : TestGroups {};

TEST_F(ThingGroupTest, IsOnIfOneIsOrIfAllAre) {
  const std::string all = R"(, "all": true)";
  for (const std::string type : {"switch", "binary_sensor"}) {
    EXPECT_EQ(of(type, {{"switch.a", "off"}, {"switch.b", "on"}}), "on");
    EXPECT_EQ(of(type, {{"switch.a", "off"}, {"switch.b", "off"}}), "off");
    EXPECT_EQ(of(type, {{"switch.a", "off"}, {"switch.b", "on"}}, all), "off");
    EXPECT_EQ(of(type, {{"switch.a", "on"}, {"switch.b", "on"}}, all), "on");
    EXPECT_EQ(of(type, {{"switch.a", "on"}, {"switch.b", "unavailable"}}), "on");
    EXPECT_EQ(of(type, {{"switch.a", "on"}, {"switch.b", "unavailable"}}, all), "unknown");
    EXPECT_EQ(of(type, {{"switch.a", "unknown"}, {"switch.b", "unavailable"}}), "unknown");
    EXPECT_EQ(of(type, {{"switch.a", "unavailable"}, {"switch.b", "unavailable"}}), "unavailable");
    EXPECT_EQ(of(type, {{"switch.a", "off"}, {"switch.gone", ""}}), "off");
    EXPECT_EQ(of(type, {{"switch.gone", ""}}), "unavailable");
    EXPECT_EQ(of(type, {{"device_tracker.a", "home"}, {"sensor.b", "5"}}, all), "on");
  }
}

TEST_F(ThingGroupTest, CoversAreWhatOneOfThemIs) {
  EXPECT_EQ(of("cover", {{"cover.a", "closed"}, {"cover.b", "open"}}), "open");
  EXPECT_EQ(of("cover", {{"cover.a", "closed"}, {"cover.b", "unknown"}}), "closed");
  EXPECT_EQ(of("cover", {{"cover.a", "open"}, {"cover.b", "closing"}}), "closing");
  EXPECT_EQ(of("cover", {{"cover.a", "opening"}, {"cover.b", "closing"}}), "opening");
  EXPECT_EQ(of("cover", {{"cover.a", "unknown"}, {"cover.b", "unavailable"}}), "unknown");
  set("cover.a", "open", R"({"current_position": 100, "supported_features": 15})");
  set("cover.b", "closed", R"({"current_position": 25, "current_tilt_position": 40, "supported_features": 63})");
  EXPECT_EQ(home.value("cover.it"), "open");
  EXPECT_EQ(attribute("cover.it", "current_position"), "63");
  EXPECT_EQ(attribute("cover.it", "current_tilt_position"), "40");
  EXPECT_EQ(attribute("cover.it", "supported_features"), "63");
  EXPECT_EQ(attribute("cover.it", "entity_id"), R"(["cover.a","cover.b"])");
}

TEST_F(ThingGroupTest, LocksAreLockedOnlyIfAllAreKnownToBe) {
  EXPECT_EQ(of("lock", {{"lock.a", "locked"}, {"lock.b", "locked"}}), "locked");
  EXPECT_EQ(of("lock", {{"lock.a", "locked"}, {"lock.b", "unlocked"}}), "unlocked");
  EXPECT_EQ(of("lock", {{"lock.a", "unavailable"}, {"lock.b", "unlocked"}}), "unlocked");
  EXPECT_EQ(of("lock", {{"lock.a", "locked"}, {"lock.b", "unavailable"}}), "unknown");
  EXPECT_EQ(of("lock", {{"lock.a", "locking"}, {"lock.b", "jammed"}}), "jammed");
  EXPECT_EQ(of("lock", {{"lock.a", "locking"}, {"lock.b", "unlocking"}}), "locking");
  EXPECT_EQ(of("lock", {{"lock.a", "unlocking"}, {"lock.b", "locked"}}), "unlocking");
}

TEST_F(ThingGroupTest, FansShareTheirSpeedAndWhatMostOfThemDo) {
  of("fan", {{"fan.a", "off"}, {"fan.b", "off"}, {"fan.c", "off"}});
  set("fan.a", "on", R"({"percentage": 50, "percentage_step": 25, "oscillating": true, "supported_features": 51})");
  set("fan.b", "on", R"({"percentage": 100, "percentage_step": 25, "oscillating": true, "supported_features": 51})");
  set("fan.c", "off", R"({"oscillating": false, "direction": "reverse", "supported_features": 54})");
  EXPECT_EQ(home.value("fan.it"), "on");
  EXPECT_EQ(attribute("fan.it", "percentage"), "75");
  EXPECT_EQ(attribute("fan.it", "percentage_step"), "25.0");
  EXPECT_EQ(attribute("fan.it", "oscillating"), "true");
  EXPECT_EQ(attribute("fan.it", "direction"), R"("reverse")");
  EXPECT_EQ(attribute("fan.it", "supported_features"), "55");
}

TEST_F(ThingGroupTest, PlayersAreWhatAllOfThemAreOtherwiseOnOrOff) {
  EXPECT_EQ(of("media_player", {{"media_player.a", "playing"}, {"media_player.b", "playing"}}), "playing");
  EXPECT_EQ(of("media_player", {{"media_player.a", "playing"}, {"media_player.b", "off"}}), "on");
  EXPECT_EQ(of("media_player", {{"media_player.a", "unavailable"}, {"media_player.b", "off"}}), "off");
  EXPECT_EQ(of("media_player", {{"media_player.a", "unavailable"}, {"media_player.b", "unknown"}}), "unknown");
  set("media_player.a", "idle", R"({"volume_level": 0.2, "is_volume_muted": true, "supported_features": 12})");
  set("media_player.b", "idle", R"({"volume_level": 0.7, "is_volume_muted": false, "supported_features": 16384})");
  EXPECT_EQ(home.value("media_player.it"), "idle");
  EXPECT_EQ(attribute("media_player.it", "volume_level"), "0.45");
  EXPECT_EQ(attribute("media_player.it", "is_volume_muted"), "false");
  EXPECT_EQ(attribute("media_player.it", "supported_features"), "16396");
}

TEST_F(ThingGroupTest, SensorsAreSummedUp) {
  const std::vector<std::pair<std::string, std::string>> members = {
      {"sensor.a", "1.1"}, {"sensor.b", "2.2"}, {"input_number.c", "6"}};
  const auto sum = [&](const std::string& type) {
    return of("sensor", members, R"(, "sensor_type": ")" + type + "\"");
  };
  EXPECT_EQ(sum("min"), "1.1");
  EXPECT_EQ(attribute("sensor.it", "min_entity_id"), R"("sensor.a")");
  EXPECT_EQ(sum("max"), "6");
  EXPECT_EQ(attribute("sensor.it", "max_entity_id"), R"("input_number.c")");
  EXPECT_EQ(attribute("sensor.it", "min_entity_id"), "");
  EXPECT_EQ(sum("mean"), "3.1");
  EXPECT_EQ(sum("median"), "2.2");
  EXPECT_EQ(sum("range"), "4.9");
  EXPECT_EQ(sum("sum"), "9.3");
  EXPECT_EQ(sum("product"), "14.52");
  EXPECT_EQ(sum("stdev").substr(0, 6), "2.5709");
  EXPECT_EQ(of("sensor", {{"sensor.a", "1"}}, R"(, "sensor_type": "stdev")"), "unknown");
  sum("last");
  home.advance(std::chrono::seconds(1));
  set("sensor.b", "7");
  EXPECT_EQ(home.value("sensor.it"), "7");
  EXPECT_EQ(attribute("sensor.it", "last_entity_id"), R"("sensor.b")");
}

TEST_F(ThingGroupTest, ASensorWithoutANumberMakesTheGroupUnknownUnlessItIsIgnored) {
  const std::vector<std::pair<std::string, std::string>> members = {{"sensor.a", "1"}, {"sensor.b", "high"}};
  const std::string mean = R"(, "sensor_type": "mean")",
                    ignores = R"(, "sensor_type": "mean", "ignore_non_numeric": true)";
  EXPECT_EQ(of("sensor", members, mean), "unknown");
  EXPECT_EQ(of("sensor", members, ignores), "1");
  EXPECT_EQ(of("sensor", {{"sensor.a", "1"}, {"sensor.b", "unavailable"}}, mean), "unknown");
  EXPECT_EQ(of("sensor", {{"sensor.a", "1"}, {"sensor.b", "unavailable"}}, ignores), "1");
  EXPECT_EQ(of("sensor", {{"sensor.a", "nan"}, {"sensor.b", "inf"}}, ignores), "unknown");
  EXPECT_EQ(of("sensor", {{"sensor.a", "unavailable"}, {"sensor.b", "unavailable"}}, ignores), "unavailable");
}

TEST_F(ThingGroupTest, SensorsThatAgreeGiveTheirUnitAndClass) {
  const std::string celsius = R"({"unit_of_measurement": "°C", "device_class": "temperature",)"
                              R"( "state_class": "measurement"})";
  of("sensor", {{"sensor.a", "20"}, {"sensor.b", "30"}}, R"(, "sensor_type": "mean")");
  EXPECT_EQ(attribute("sensor.it", "unit_of_measurement"), "");
  set("sensor.a", "20", celsius);
  EXPECT_EQ(attribute("sensor.it", "unit_of_measurement"), "");
  set("sensor.b", "30", celsius);
  EXPECT_EQ(attribute("sensor.it", "unit_of_measurement"), R"("°C")");
  EXPECT_EQ(attribute("sensor.it", "device_class"), R"("temperature")");
  EXPECT_EQ(attribute("sensor.it", "state_class"), R"("measurement")");
  set("sensor.b", "86", R"({"unit_of_measurement": "°F", "device_class": "temperature"})");
  EXPECT_EQ(home.value("sensor.it"), "25");
  EXPECT_EQ(attribute("sensor.it", "unit_of_measurement"), R"("°C")");
  EXPECT_EQ(attribute("sensor.it", "state_class"), "");
  set("sensor.b", "50", R"({"unit_of_measurement": "%"})");
  EXPECT_EQ(attribute("sensor.it", "unit_of_measurement"), "");
  EXPECT_EQ(attribute("sensor.it", "device_class"), "");
  of("sensor", {{"sensor.a", "20"}, {"sensor.b", "50"}},
     R"(, "sensor_type": "mean", "unit_of_measurement": "points", "device_class": "aqi", "state_class": "total")");
  EXPECT_EQ(attribute("sensor.it", "unit_of_measurement"), R"("points")");
  EXPECT_EQ(attribute("sensor.it", "device_class"), R"("aqi")");
  EXPECT_EQ(attribute("sensor.it", "state_class"), R"("total")");
}

TEST_F(ThingGroupTest, EventsAreTheLastOne) {
  of("event", {{"event.a", "unknown"}, {"event.b", "unknown"}});
  EXPECT_EQ(home.value("event.it"), "unknown");
  set("event.a", "2026-01-01T10:00:00.000000+00:00", R"({"event_types": ["ring"], "event_type": "ring"})");
  set("event.b", "2026-01-01T09:00:00.000000+00:00", R"({"event_types": ["press", "ring"], "event_type": "press"})");
  EXPECT_EQ(home.value("event.it"), "2026-01-01T10:00:00.000000+00:00");
  EXPECT_EQ(attribute("event.it", "event_type"), R"("ring")");
  EXPECT_EQ(attribute("event.it", "event_types"), R"(["ring","press"])");
  set("event.b", "2026-01-01T11:00:00.000000+00:00", R"({"event_types": ["press", "ring"], "event_type": "press"})");
  EXPECT_EQ(attribute("event.it", "event_type"), R"("press")");
}

TEST_F(ThingGroupTest, WhatHappensInOneMomentIsNotLost) {
  const auto write = [&](const std::string& id, std::string_view value, std::string_view attributes = "{}") {
    home.hub.states.set(*core::EntityId::parse(id), {value, attributes, context()}).value();
  };
  of("binary_sensor", {{"binary_sensor.a", "off"}});
  of("event", {{"event.a", "2026-01-01T10:00:00.000000+00:00"}});
  std::string seen;
  const auto listening = home.hub.entity_listeners.listen(
      {"binary_sensor.it", "event.it"}, [&](const core::StateChange& change, const core::Event&) {
        seen += std::string(change.new_state->value()).substr(0, 14) + " ";
      });
  write("binary_sensor.a", "on");
  write("binary_sensor.a", "off");
  write("event.a", "2026-01-01T11:00:00.000000+00:00");
  write("event.a", "2026-01-01T12:00:00.000000+00:00");
  home.hub.bus.run_pending();
  EXPECT_EQ(seen, "on off 2026-01-01T11: 2026-01-01T12: ");
}

TEST_F(ThingGroupTest, ButtonsAndNotificationsGoToAll) {
  TestDevice &a = add("button", "a"), &b = add("button", "b");
  apply("it", R"({"group_type": "button", "entities": ["button.a", "button.b"]})");
  EXPECT_EQ(home.value("button.it"), "unknown");
  home.call("button.press", R"({"entity_id": "button.it"})");
  EXPECT_EQ(a.told + b.told, "press press ");
  EXPECT_EQ(home.value("button.it"), base::to_string(home.clock.now()));
  TestDevice &screen = add("notify", "screen", "title"), &phone = add("notify", "phone");
  apply("all", R"({"group_type": "notify", "entities": ["notify.screen", "notify.phone"]})");
  home.call("notify.send_message", R"({"entity_id": "notify.all", "message": "m", "title": "t"})");
  EXPECT_EQ(screen.told, R"(send_message{"message":"m","title":"t"} )");
  EXPECT_EQ(phone.told, R"(send_message{"message":"m"} )");
}

TEST_F(ThingGroupTest, PassesOnToThoseThatCanDoIt) {
  TestDevice &simple = add("cover", "a"), &other = add("cover", "b", "set_position");
  apply("it", R"({"group_type": "cover", "entities": ["cover.a", "cover.b", "cover.gone"]})");
  home.call("cover.set_cover_position", R"({"entity_id": "cover.it", "position": 30})");
  EXPECT_EQ(simple.told + other.told, R"(set_cover_position{"position":30} )");
  EXPECT_TRUE(
      home.call("cover.open_cover_tilt", R"({"entity_id": "cover.it"})").starts_with("invalid: cover.it cannot"));
  EXPECT_EQ(home.call("cover.close_cover", R"({"entity_id": "cover.it"})"),
            "cover.a closed, cover.b closed, cover.it closed");
}

TEST_F(ThingGroupTest, TogglesAsOne) {
  TestDevice &a = add("switch", "a"), &b = add("switch", "b");
  apply("it", R"({"group_type": "switch", "entities": ["switch.a", "switch.b"]})");
  home.call("switch.turn_on", R"({"entity_id": "switch.a"})");
  home.call("switch.toggle", R"({"entity_id": "switch.it"})");
  EXPECT_EQ(a.told, "turn_on turn_off ");
  EXPECT_EQ(b.told, "turn_off ");
  home.call("homeassistant.toggle", R"({"entity_id": "switch.it"})");
  EXPECT_EQ(home.value("switch.a") + home.value("switch.b") + home.value("switch.it"), "ononon");
}

TEST_F(ThingGroupTest, ASpeedOfNothingLeavesFansWithoutSpeedsAlone) {
  TestDevice &plain = add("fan", "plain"), &fast = add("fan", "fast", "set_speed");
  apply("it", R"({"group_type": "fan", "entities": ["fan.plain", "fan.fast"]})");
  home.call("fan.set_percentage", R"({"entity_id": "fan.it", "percentage": 50})");
  home.call("fan.set_percentage", R"({"entity_id": "fan.it", "percentage": 0})");
  EXPECT_EQ(plain.told, "");
  EXPECT_EQ(fast.told, R"(turn_on{"percentage":50} turn_off )");
  home.call("fan.turn_on", R"({"entity_id": "fan.it", "percentage": 20})");
  EXPECT_EQ(plain.told, "turn_on ");
}

TEST_F(ThingGroupTest, AMembersRefusalIsTheGroups) {
  TestDevice device;
  device.thing = &home.add(std::make_unique<Thing>(*find_kind("lock"), test_entity("a"),
                                                   Abilities{.attributes = {{"code_format", R"(^\d{4}$)"}}}, &device));
  apply("it", R"({"group_type": "lock", "entities": ["lock.a"]})");
  EXPECT_EQ(home.call("lock.unlock", R"({"entity_id": "lock.it", "code": "1"})"),
            "invalid: code: lock.a needs 4 digits");
  home.call("lock.unlock", R"({"entity_id": "lock.it", "code": "1234"})");
  EXPECT_EQ(device.told, R"(unlock{"code":"1234"} )");
  core::Policy policy;
  policy.read.all = true;
  policy.control.entities = {"lock.it"};
  const core::Rights none(core::Role::user, std::make_shared<const core::Policy>(policy));
  EXPECT_EQ(home.begin("lock.unlock", R"({"entity_id": "lock.it", "code": "1"})", none)->text(), "");  // reaches nobody
  EXPECT_EQ(device.told, R"(unlock{"code":"1234"} )");
  helpers.apply({}, true);
  home.domains.entities().remove("lock.a");
}

}  // namespace
}  // namespace hearth::domains
