// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "integrations/esphome/components/test_component.h"

namespace hearth::integrations::esphome {
namespace {

using MachineComponents = TestComponent;

TEST_F(MachineComponents, CoversMoveAndTilt) {
  auto list = thing<proto::ListCover>();
  list.set_position(true);
  list.set_tilt(true);
  list.set_stop(true);
  connect(13, list);
  proto::CoverState state;
  state.set_position(0.404F);
  state.set_tilt(1);
  state.set_operation(1);
  says(22, state);
  EXPECT_EQ(value("cover"), "opening");
  EXPECT_EQ(attribute("cover", "current_position"), "40");
  EXPECT_EQ(attribute("cover", "current_tilt_position"), "100");
  state.set_operation(0);
  state.set_position(0);
  says(22, state);
  EXPECT_EQ(value("cover"), "closed");
  EXPECT_EQ(commanded<proto::CoverCommand>("cover.open_cover").position(), 1);
  const auto half = commanded<proto::CoverCommand>("cover.set_cover_position", R"("position":55)");
  EXPECT_TRUE(half.has_position());
  EXPECT_FALSE(half.has_tilt());
  EXPECT_FLOAT_EQ(half.position(), 0.55F);
  EXPECT_TRUE(commanded<proto::CoverCommand>("cover.close_cover_tilt").has_tilt());
  EXPECT_TRUE(commanded<proto::CoverCommand>("cover.stop_cover").stop());
}

TEST_F(MachineComponents, ACoverWithoutPositionIsOpenOrClosed) {
  auto list = thing<proto::ListCover>();
  list.set_assumed_state(true);
  connect(13, list);
  proto::CoverState state;
  state.set_position(1);
  says(22, state);
  EXPECT_EQ(value("cover"), "open");
  EXPECT_EQ(attribute("cover", "current_position"), "");
  EXPECT_EQ(attribute("cover", "assumed_state"), "true");
  EXPECT_TRUE(commanded<proto::CoverCommand>("cover.close_cover").has_position());
}

TEST_F(MachineComponents, FansCountTheirSpeeds) {
  auto list = thing<proto::ListFan>();
  list.set_speed(true);
  list.set_speed_count(4);
  list.set_oscillation(true);
  list.set_direction(true);
  list.add_preset_modes("sleep");
  connect(14, list);
  proto::FanState state;
  state.set_state(true);
  state.set_speed_level(3);
  state.set_direction(1);
  state.set_preset_mode("sleep");
  says(23, state);
  EXPECT_EQ(value("fan"), "on");
  EXPECT_EQ(attribute("fan", "percentage"), "75");
  EXPECT_EQ(attribute("fan", "direction"), R"("reverse")");
  EXPECT_EQ(attribute("fan", "preset_mode"), R"("sleep")");
  const auto slow = commanded<proto::FanCommand>("fan.set_percentage", R"("percentage":30)");
  EXPECT_EQ(slow.speed_level(), 2);
  EXPECT_TRUE(slow.state());
  const auto off = commanded<proto::FanCommand>("fan.set_percentage", R"("percentage":0)");
  EXPECT_TRUE(off.has_state());
  EXPECT_FALSE(off.state());
  EXPECT_TRUE(commanded<proto::FanCommand>("fan.oscillate", R"("oscillating":true)").oscillating());
  EXPECT_EQ(commanded<proto::FanCommand>("fan.set_direction", R"("direction":"forward")").direction(), 0u);
  EXPECT_EQ(commanded<proto::FanCommand>("fan.set_preset_mode", R"("preset_mode":"sleep")").preset_mode(), "sleep");
}

TEST_F(MachineComponents, LocksHaveStatesAndCodes) {
  auto list = thing<proto::ListLock>();
  list.set_open(true);
  list.set_requires_code(true);
  list.set_code_format(R"(^\d{4}$)");
  connect(58, list);
  for (const auto& [number, word] : std::map<unsigned, std::string>{{1, "locked"},
                                                                    {3, "jammed"},
                                                                    {6, "opening"},
                                                                    {7, "open"},
                                                                    {0, "unknown"},
                                                                    {2, "unlocked"},
                                                                    {99, "unknown"}}) {
    proto::LockState state;
    state.set_state(number);
    says(59, state);
    EXPECT_EQ(value("lock"), word) << number;
  }
  const auto lock = commanded<proto::LockCommand>("lock.lock", R"("code":"1234")");
  EXPECT_EQ(lock.command(), 1u);
  EXPECT_EQ(lock.code(), "1234");
  EXPECT_EQ(commanded<proto::LockCommand>("lock.open", R"("code":"1234")").command(), 2u);
  EXPECT_TRUE(
      node.home.call("lock.unlock", R"({"entity_id":"lock.test_node_thing","code":"1"})").starts_with("invalid"));
}

TEST_F(MachineComponents, AlarmsAreArmedWithACode) {
  auto list = thing<proto::ListAlarmControlPanel>();
  list.set_features(1 | 2 | 64);
  list.set_requires_code(true);
  connect(94, list);
  proto::AlarmControlPanelState state;
  state.set_state(7);
  says(95, state);
  EXPECT_EQ(value("alarm_control_panel"), "arming");
  EXPECT_EQ(attribute("alarm_control_panel", "supported_features"), "3");
  const auto away = commanded<proto::AlarmControlPanelCommand>("alarm_control_panel.alarm_arm_away", R"("code":"9")");
  EXPECT_EQ(away.command(), 1u);
  EXPECT_EQ(away.code(), "9");
  EXPECT_EQ(commanded<proto::AlarmControlPanelCommand>("alarm_control_panel.alarm_disarm", R"("code":"9")").command(),
            0u);
}

TEST_F(MachineComponents, SirensSoundWithToneDurationAndVolume) {
  auto list = thing<proto::ListSiren>();
  list.add_tones("fire");
  list.set_duration(true);
  list.set_volume(true);
  connect(55, list);
  says(56, proto::SirenState());
  const auto on = commanded<proto::SirenCommand>("siren.turn_on", R"("tone":"fire","duration":30,"volume_level":0.5)");
  EXPECT_TRUE(on.state());
  EXPECT_EQ(on.tone(), "fire");
  EXPECT_EQ(on.duration(), 30u);
  EXPECT_FLOAT_EQ(on.volume(), 0.5F);
}

TEST_F(MachineComponents, ValvesMoveAsCoversDo) {
  auto list = thing<proto::ListValve>();
  list.set_position(true);
  list.set_stop(true);
  connect(109, list);
  proto::ValveState state;
  state.set_position(0.5F);
  state.set_operation(2);
  says(110, state);
  EXPECT_EQ(value("valve"), "closing");
  EXPECT_EQ(attribute("valve", "current_position"), "50");
  EXPECT_FLOAT_EQ(commanded<proto::ValveCommand>("valve.set_valve_position", R"("position":20)").position(), 0.2F);
  const auto stop = commanded<proto::ValveCommand>("valve.stop_valve");
  EXPECT_TRUE(stop.stop());
  EXPECT_FALSE(stop.has_position());
}

TEST_F(MachineComponents, PlayersPlayAndAnnounce) {
  auto list = thing<proto::ListMediaPlayer>();
  list.set_pause(true);
  connect(63, list);
  proto::MediaPlayerState state;
  state.set_state(2);
  state.set_volume(0.25F);
  says(64, state);
  EXPECT_EQ(value("media_player"), "playing");
  EXPECT_EQ(attribute("media_player", "volume_level"), "0.25");
  EXPECT_EQ(commanded<proto::MediaPlayerCommand>("media_player.media_pause").command(), 1u);
  EXPECT_EQ(commanded<proto::MediaPlayerCommand>("media_player.volume_mute", R"("is_volume_muted":true)").command(),
            3u);
  const auto play = commanded<proto::MediaPlayerCommand>(
      "media_player.play_media", R"("media_content_id":"http://x/a.mp3","media_content_type":"music","announce":true)");
  EXPECT_EQ(play.media_url(), "http://x/a.mp3");
  EXPECT_TRUE(play.announcement());
  EXPECT_EQ(commanded<proto::MediaPlayerCommand>("media_player.volume_up").command(), 6u);
}

TEST_F(MachineComponents, UpdatesAreInstalled) {
  connect(116, thing<proto::ListUpdate>());
  proto::UpdateState state;
  state.set_current_version("1.0");
  state.set_latest_version("1.1");
  says(117, state);
  EXPECT_EQ(value("update"), "on");
  EXPECT_EQ(commanded<proto::UpdateCommand>("update.install").command(), 1u);
  state.set_in_progress(true);
  state.set_has_progress(true);
  state.set_progress(42);
  says(117, state);
  EXPECT_EQ(attribute("update", "update_percentage"), "42.0");
}

TEST_F(MachineComponents, CamerasSendPicturesInParts) {
  connect(43, thing<proto::ListCamera>());
  proto::CameraImage part;
  part.set_data("\xff\xd8 first");
  says(44, part);
  EXPECT_EQ(value("camera"), "unknown");
  part.set_data(" second");
  part.set_done(true);
  says(44, part);
  EXPECT_EQ(value("camera"), "idle");
  const auto registry = node.home.hub.registry.snapshot();
  const auto* const known = registry->entities.find("camera.test_node_thing");
  ASSERT_TRUE(known);
  EXPECT_EQ(node.home.hub.pictures.find(known->id)->bytes, "\xff\xd8 first second");
  node.sent.clear();
  node.home.advance(std::chrono::seconds(15));
  node.says(message::ping_answer);
  EXPECT_EQ(node.last_sent(), "");
  node.home.advance(std::chrono::seconds(46));
  EXPECT_EQ(node.last_sent(), "45 0801");
}

TEST_F(MachineComponents, WaterHeatersHaveModesAndSwitches) {
  auto list = thing<proto::ListWaterHeater>();
  list.set_features(1 | 2 | 4 | 8 | 16);
  list.set_min_temperature(86);
  list.set_max_temperature(158);
  list.set_temperature_unit(1);
  list.add_modes(1);
  list.add_modes(5);
  list.add_modes(99);
  connect(132, list);
  EXPECT_EQ(attribute("water_heater", "operation_list"), R"(["eco","heat_pump"])");
  EXPECT_EQ(attribute("water_heater", "min_temp"), "30.0");
  proto::WaterHeaterState state;
  state.set_current_temperature(104);
  state.set_target_temperature(122);
  state.set_mode(1);
  state.set_state(2 | 1);
  says(133, state);
  EXPECT_EQ(value("water_heater"), "eco");
  EXPECT_EQ(attribute("water_heater", "current_temperature"), "40.0");
  EXPECT_EQ(attribute("water_heater", "temperature"), "50.0");
  EXPECT_EQ(attribute("water_heater", "away_mode"), R"("on")");
  state.set_state(0);
  says(133, state);
  EXPECT_EQ(value("water_heater"), "off");
  const auto warm = commanded<proto::WaterHeaterCommand>("water_heater.set_temperature", R"("temperature":60)");
  EXPECT_EQ(warm.has_fields(), 2u);
  EXPECT_FLOAT_EQ(warm.target_temperature(), 140);
  const auto on = commanded<proto::WaterHeaterCommand>("water_heater.turn_on");
  EXPECT_EQ(on.has_fields(), 32u);
  EXPECT_EQ(on.state(), 2u);
}

TEST_F(MachineComponents, AStatusTurnsOffWithTheConnectionAndStays) {
  auto list = thing<proto::ListBinarySensor>();
  list.set_is_status(true);
  connect(12, list);
  proto::BinarySensorState state;
  state.set_state(true);
  says(21, state);
  EXPECT_EQ(value("binary_sensor"), "on");
  node.session().lost("The connection is gone.");
  node.home.advance(std::chrono::seconds(5));
  EXPECT_EQ(value("binary_sensor"), "off");
}

}  // namespace
}  // namespace hearth::integrations::esphome
