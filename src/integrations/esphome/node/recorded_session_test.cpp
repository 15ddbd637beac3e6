// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "integrations/esphome/node/recorded_session_for_test.h"
#include "integrations/esphome/node/test_node.h"

namespace hearth::integrations::esphome {
namespace {

// A line for each entity: id and state.
std::string states_text(const TestNode& node) {
  std::vector<std::string> lines;
  node.home.hub.states.snapshot()->for_each([&](const core::State& state) {
    if (state.entity_id() == "sun.sun" || state.entity_id() == "zone.home") return;
    lines.push_back(fmt::format("{} {}\n", state.entity_id(), state.value()));
  });
  std::ranges::sort(lines);
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

constexpr std::string_view kStates = R"(alarm_control_panel.test_node_alarm disarmed
binary_sensor.test_node_motion unknown
binary_sensor.test_node_status on
binary_sensor.test_node_sub_motion unknown
button.test_node_press_me unknown
button.test_node_restart unknown
climate.test_node_heating off
cover.test_node_blind open
cover.test_node_gate open
date.test_node_day 2026-04-20
datetime.test_node_moment 2026-04-20T05:04:20.000000+00:00
event.test_node_bell unknown
fan.test_node_fan off
light.test_node_all off
light.test_node_bulb off
light.test_node_colour off
light.test_node_colour_white off
light.test_node_dimmer off
light.test_node_temperature_lamp off
light.test_node_white off
lock.test_node_door unknown
number.test_node_level 2.5
select.test_node_mode eco
sensor.test_node_energy unknown
sensor.test_node_never unknown
sensor.test_node_temperature unknown
sensor.test_node_words unknown
switch.test_node_relay off
switch.test_node_sub_relay off
text.test_node_message unknown
text.test_node_secret unknown
time.test_node_hour 05:04:20
valve.test_node_tap open
water_heater.test_node_boiler off
)";

class RecordedSession : public testing::Test {
 protected:
  void replay() {
    node.session().begin(node);
    for (const auto& [type, payload] : kRecordedSession) node.says_hex(type, payload);
  }
  void expect(std::string_view entity_id, std::string_view attribute, std::string_view json) {
    EXPECT_EQ(node.home.attribute(entity_id, attribute), json) << entity_id << ' ' << attribute;
  }

  TestNode node;
};

TEST_F(RecordedSession, MakesEntitiesOfEachComponentOfARealNode) {
  replay();
  EXPECT_EQ(node.ended, "");
  EXPECT_EQ(states_text(node), kStates);
  EXPECT_EQ(node.home.value("switch.test_node_hidden"), "") << "disabled by default";
}

TEST_F(RecordedSession, GivesThemTheAbilitiesThatTheNodeDescribes) {
  replay();
  expect("alarm_control_panel.test_node_alarm", "code_format", R"("number")");
  expect("alarm_control_panel.test_node_alarm", "code_arm_required", "false");
  expect("binary_sensor.test_node_motion", "device_class", R"("motion")");
  expect("climate.test_node_heating", "hvac_modes", R"(["off","cool","heat"])");
  expect("climate.test_node_heating", "preset_modes", R"(["home","away","Party"])");
  expect("climate.test_node_heating", "preset_mode", R"("home")");
  expect("climate.test_node_heating", "target_temp_high", "24.0");
  expect("climate.test_node_heating", "target_temp_step", "0.5");
  expect("climate.test_node_heating", "temperature", "");
  expect("climate.test_node_heating", "hvac_action", R"("off")");
  expect("cover.test_node_blind", "current_position", "100");
  expect("cover.test_node_blind", "supported_features", "191");
  expect("cover.test_node_gate", "assumed_state", "true");
  expect("event.test_node_bell", "event_types", R"(["ring","knock"])");
  expect("fan.test_node_fan", "percentage_step", "25.0");
  expect("fan.test_node_fan", "preset_modes", R"(["sleep","storm"])");
  expect("light.test_node_all", "supported_color_modes", R"(["rgbww"])");
  expect("light.test_node_bulb", "supported_color_modes", R"(["onoff"])");
  expect("light.test_node_colour", "effect_list", R"(["Random","Strobe"])");
  expect("light.test_node_white", "supported_color_modes", R"(["color_temp"])");
  expect("light.test_node_white", "min_color_temp_kelvin", "2000");
  expect("light.test_node_white", "max_color_temp_kelvin", "6536");
  expect("number.test_node_level", "step", "0.1");
  expect("number.test_node_level", "unit_of_measurement", R"("%")");
  expect("sensor.test_node_energy", "state_class", R"("total_increasing")");
  expect("sensor.test_node_temperature", "icon", R"("mdi:thermometer")");
  expect("text.test_node_secret", "mode", R"("password")");
  expect("water_heater.test_node_boiler", "operation_list", R"(["off","eco","performance"])");
}

TEST_F(RecordedSession, RegistersTheNodeAndItsSubDevice) {
  replay();
  const auto registry = node.home.hub.registry.snapshot();
  const core::Device* const device = registry->devices.find("esphome.06:35:69:ab:f6:79");
  ASSERT_TRUE(device);
  EXPECT_EQ(device->name, "Test Node");
  EXPECT_EQ(device->manufacturer, "hearth");
  EXPECT_EQ(device->model, "test_node");
  EXPECT_EQ(device->sw_version, "2026.6.5 (ESPHome)");
  EXPECT_TRUE(device->connections.contains({"mac", "06:35:69:ab:f6:79"}));
  const auto* const motion =
      registry->find_entity("esphome", "binary_sensor", "06:35:69:AB:F6:79-binary_sensor-sub_motion@3696113941");
  ASSERT_TRUE(motion);
  const core::Device* const sub = registry->devices.find(motion->device_id.value_or(""));
  ASSERT_TRUE(sub);
  EXPECT_EQ(sub->name, "Sub Device");
  EXPECT_EQ(sub->via_device_id, device->id);
  const core::Area* const area = registry->areas.find(sub->area_id.value_or(""));
  ASSERT_TRUE(area);
  EXPECT_EQ(area->name, "Attic");
}

TEST_F(RecordedSession, OffersTheNodesActions) {
  replay();
  const auto add = node.home.hub.services.find("esphome", "test_node_add_numbers");
  ASSERT_TRUE(add);
  EXPECT_EQ(add->description.fields.size(), 8u);
  EXPECT_TRUE(node.home.hub.services.find("esphome", "test_node_succeed"));
  EXPECT_TRUE(node.home.hub.services.find("esphome", "test_node_fail_me"));
}

TEST_F(RecordedSession, ComesBackTheSameFromItsDescription) {
  replay();
  const json::object kept = node.node().description();
  TestNode again;
  ASSERT_TRUE(again.node().restore(kept));
  again.home.hub.bus.run_pending();
  EXPECT_EQ(again.node().entities().size(), node.node().entities().size());
  EXPECT_EQ(base::to_json(json::value(again.node().description())), base::to_json(json::value(kept)));
  EXPECT_EQ(again.home.value("cover.test_node_blind"), "unknown") << "there, and nothing known";
  again.home.advance(Node::kStartGrace);
  EXPECT_EQ(again.home.value("cover.test_node_blind"), "unavailable");
  EXPECT_EQ(again.home.value("binary_sensor.test_node_status"), "off");
}

}  // namespace
}  // namespace hearth::integrations::esphome
