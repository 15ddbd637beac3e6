// SPDX-License-Identifier: Apache-2.0
// The machines of the demo home after a command.
#include <gtest/gtest.h>

#include "domains/test_home.h"
#include "integrations/demo/demo.h"

namespace hearth::integrations::demo {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

class LivingHome : public domains::TestHome {
 public:
  LivingHome() {
    demo.start().value();
    hub.bus.run_pending();
  }
  double number(std::string_view entity_id, std::string_view name) const {
    return std::stod(attribute(entity_id, name));
  }

  Demo demo{place(), {.seed = 7}};
};

TEST(DemoLife, VacuumCleansAndDocks) {
  LivingHome home;
  home.call("vacuum.start", R"({"entity_id": "vacuum.ground_floor"})");
  EXPECT_EQ(home.value("vacuum.ground_floor"), "cleaning");
  home.advance(minutes(10), seconds(10));
  EXPECT_EQ(home.value("vacuum.ground_floor"), "cleaning");
  EXPECT_EQ(home.number("vacuum.ground_floor", "battery_level"), 90);
  home.call("vacuum.pause", R"({"entity_id": "vacuum.ground_floor"})");
  home.advance(minutes(10), seconds(10));
  EXPECT_EQ(home.value("vacuum.ground_floor"), "paused");
  home.call("vacuum.start", R"({"entity_id": "vacuum.ground_floor"})");
  home.advance(minutes(30), seconds(10));
  EXPECT_EQ(home.value("vacuum.ground_floor"), "returning");
  home.advance(minutes(3), seconds(10));
  EXPECT_EQ(home.value("vacuum.ground_floor"), "docked");
  home.advance(hours(1), seconds(10));
  EXPECT_EQ(home.number("vacuum.ground_floor", "battery_level"), 100);
}

TEST(DemoLife, MowerComesHomeIfItIsToldTo) {
  LivingHome home;
  home.call("lawn_mower.start_mowing", R"({"entity_id": "lawn_mower.garden"})");
  home.advance(minutes(5), seconds(10));
  EXPECT_EQ(home.value("lawn_mower.garden"), "mowing");
  EXPECT_EQ(home.call("lawn_mower.dock", R"({"entity_id": "lawn_mower.garden"})"), "lawn_mower.garden returning");
  home.advance(minutes(1), seconds(10));
  EXPECT_EQ(home.value("lawn_mower.garden"), "docked");
}

TEST(DemoLife, AlarmArmsAfterADelayAndKnowsItsCode) {
  LivingHome home;
  home.call("alarm_control_panel.alarm_arm_away", R"({"entity_id": "alarm_control_panel.home"})");
  EXPECT_EQ(home.value("alarm_control_panel.home"), "arming");
  home.advance(seconds(29));
  EXPECT_EQ(home.value("alarm_control_panel.home"), "arming");
  home.advance(seconds(2));
  EXPECT_EQ(home.value("alarm_control_panel.home"), "armed_away");
  EXPECT_EQ(
      home.call("alarm_control_panel.alarm_disarm", R"({"entity_id": "alarm_control_panel.home", "code": "4321"})"),
      "invalid: code: alarm_control_panel.home refuses it");
  EXPECT_EQ(home.value("alarm_control_panel.home"), "armed_away");
  home.call("alarm_control_panel.alarm_disarm", R"({"entity_id": "alarm_control_panel.home", "code": "1234"})");
  EXPECT_EQ(home.value("alarm_control_panel.home"), "disarmed");
}

TEST(DemoLife, SirenFallsSilentAfterItsDuration) {
  LivingHome home;
  home.call("siren.turn_on", R"({"entity_id": "siren.hall", "duration": 5, "tone": "fire"})");
  home.advance(seconds(4));
  EXPECT_EQ(home.value("siren.hall"), "on");
  home.advance(seconds(2));
  EXPECT_EQ(home.value("siren.hall"), "off");
}

TEST(DemoLife, UpdateInstallsWithProgress) {
  LivingHome home;
  EXPECT_EQ(home.value("update.router"), "on");
  EXPECT_EQ(home.value("update.washer"), "off");
  home.call("update.install", R"({"entity_id": "update.router"})");
  EXPECT_EQ(home.attribute("update.router", "in_progress"), "true");
  home.advance(seconds(16));
  EXPECT_EQ(home.number("update.router", "update_percentage"), 50);
  home.advance(seconds(16));
  EXPECT_EQ(home.value("update.router"), "off");
  EXPECT_EQ(home.attribute("update.router", "installed_version"), "\"2.5.0\"");
}

TEST(DemoLife, ValveTravels) {
  LivingHome home;
  EXPECT_EQ(home.call("valve.open_valve", R"({"entity_id": "valve.irrigation"})"), "valve.irrigation opening");
  home.advance(seconds(3));
  EXPECT_EQ(home.number("valve.irrigation", "current_position"), 50);
  home.call("valve.stop_valve", R"({"entity_id": "valve.irrigation"})");
  EXPECT_EQ(home.value("valve.irrigation"), "open");
  home.call("platform.turn_off", R"({"entity_id": "valve.irrigation"})");
  home.advance(seconds(7));
  EXPECT_EQ(home.value("valve.irrigation"), "closed");
}

TEST(DemoLife, PlayerGoesOnFromTrackToTrack) {
  LivingHome home;
  home.call("media_player.media_play", R"({"entity_id": "media_player.office"})");
  EXPECT_EQ(home.attribute("media_player.office", "media_title"), "\"Morning Frost\"");
  home.advance(seconds(100), seconds(1));
  home.call("media_player.media_pause", R"({"entity_id": "media_player.office"})");
  EXPECT_EQ(home.number("media_player.office", "media_position"), 100);
  home.advance(minutes(10), seconds(1));
  EXPECT_EQ(home.value("media_player.office"), "paused");
  home.call("media_player.media_play_pause", R"({"entity_id": "media_player.office"})");
  home.advance(seconds(115), seconds(1));
  EXPECT_EQ(home.attribute("media_player.office", "media_title"), "\"Kettle Song\"");
  home.call("media_player.volume_up", R"({"entity_id": "media_player.office"})");
  EXPECT_EQ(home.number("media_player.office", "volume_level"), 0.4);
  home.call("media_player.turn_off", R"({"entity_id": "media_player.office"})");
  EXPECT_EQ(home.value("media_player.office"), "off");
  EXPECT_EQ(home.attribute("media_player.office", "media_title"), "");
}

TEST(DemoLife, HumidifierAndBoilerReachTheirTargets) {
  LivingHome home;
  home.call("humidifier.set_humidity", R"({"entity_id": "humidifier.guest_room", "humidity": 60})");
  EXPECT_EQ(home.attribute("humidifier.guest_room", "action"), "\"humidifying\"");
  home.call("water_heater.set_temperature", R"({"entity_id": "water_heater.boiler", "temperature": 62})");
  home.advance(hours(2), seconds(10));
  EXPECT_NEAR(home.number("humidifier.guest_room", "current_humidity"), 60, 1);
  EXPECT_NEAR(home.number("water_heater.boiler", "current_temperature"), 60.5, 2.5);
  EXPECT_NEAR(std::stod(home.value("sensor.guest_room_humidity")), 60, 1);
}

TEST(DemoLife, CarIsAwayByDay) {
  LivingHome home;
  std::set<std::string> places;
  for (int hour = 0; hour < 24; ++hour) {
    home.advance(hours(1), seconds(30));
    places.insert(home.value("device_tracker.car"));
    EXPECT_EQ(home.value("binary_sensor.car_plug"), home.value("device_tracker.car") == "home" ? "on" : "off");
  }
  EXPECT_EQ(places, (std::set<std::string>{"home", "not_home"}));
  EXPECT_GT(std::stod(home.value("sensor.car_odometer")), 18'300);
  EXPECT_NE(home.value("event.doorbell"), "unknown");
  EXPECT_NE(home.value("tag.key_tag"), "unknown");
}

TEST(DemoLife, SceneTurnsItsLightsOn) {
  LivingHome home;
  const auto call = home.begin("scene.turn_on", R"({"entity_id": "scene.movie"})");
  home.hub.bus.run_pending();
  EXPECT_EQ(home.value("light.tv_backlight"), "on");
  EXPECT_EQ(home.value("light.living_room"), "off");
  EXPECT_EQ(home.hub.states.find("light.tv_backlight")->context().id, call->context_id);
  EXPECT_NE(home.value("scene.movie"), "unknown");
}

TEST(DemoLife, StoresWhatIsSet) {
  LivingHome home;
  home.call("number.set_value", R"({"entity_id": "number.car_charge_limit", "value": 90})");
  home.call("select.select_option", R"({"entity_id": "select.washer_programme", "option": "wool"})");
  home.call("text.set_value", R"({"entity_id": "text.desk_display", "value": "Back at noon"})");
  home.call("time.set_value", R"({"entity_id": "time.guest_wake_up", "time": "06:15"})");
  home.call("date.set_value", R"({"entity_id": "date.guest_arrival", "date": "2027-01-02"})");
  home.call("button.press", R"({"entity_id": "button.car_flash_lights"})");
  EXPECT_EQ(home.value("number.car_charge_limit"), "90");
  EXPECT_EQ(home.value("select.washer_programme"), "wool");
  EXPECT_EQ(home.value("text.desk_display"), "Back at noon");
  EXPECT_EQ(home.value("time.guest_wake_up"), "06:15:00");
  EXPECT_EQ(home.value("date.guest_arrival"), "2027-01-02");
  EXPECT_NE(home.value("button.car_flash_lights"), "unknown");
}

}  // namespace
}  // namespace hearth::integrations::demo
