// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/components/components.h"
#include "integrations/esphome/entities/thing_entity.h"

namespace hearth::integrations::esphome {
namespace {

constexpr std::uint32_t kHeaterCommand = 134;
constexpr std::string_view kHeaterModes[] = {"off",         "eco",       "electric", "performance",
                                             "high_demand", "heat_pump", "gas"};
// Bits of the node's features.
constexpr std::uint32_t kTargetBit = 2, kModeBit = 4, kAwayBit = 8, kOnOffBit = 16, kTwoTargetsBit = 32;
// Bits of a command's fields, and of the state.
constexpr std::uint32_t kSetsMode = 1, kSetsTarget = 2, kSetsOn = 32, kSetsAway = 64;
constexpr std::uint32_t kIsAway = 1, kIsOn = 2;

struct WaterHeater {
  using List = proto::ListWaterHeater;
  using State = proto::WaterHeaterState;

  static const domains::Kind& kind() { return domains::kWaterHeater; }
  static const Component& component() { return kWaterHeaterComponent; }
  static domains::Abilities abilities(const List& list) {
    domains::Abilities can;
    json::array modes;
    for (const std::uint32_t number : list.modes()) {
      if (const auto word = word_of(kHeaterModes, number)) modes.emplace_back(*word);
    }
    const std::uint32_t bits = list.features();
    if (bits & kTargetBit) can.feature_bits |= kind().features_of("target_temperature");
    if (bits & kModeBit || !modes.empty()) can.feature_bits |= kind().features_of("operation_mode");
    if (bits & kAwayBit) can.feature_bits |= kind().features_of("away_mode");
    if (bits & kOnOffBit) can.feature_bits |= kind().features_of("on_off");
    if (!modes.empty()) can.attributes["operation_list"] = std::move(modes);
    const auto put = [&](std::string_view name, float degrees) {
      if (const auto number = decimal_of(degrees)) can.attributes[name] = to_celsius(*number, list.temperature_unit());
    };
    put("min_temp", list.min_temperature());
    put("max_temp", list.max_temperature());
    if (const auto step = decimal_of(list.target_temperature_step()); step && *step > 0)
      can.attributes["target_temp_step"] = list.temperature_unit() == 1 ? *step / 1.8 : *step;
    return can;
  }
  static domains::Report report(const List& list, const State& state) {
    const auto degrees = [&](float value) {
      const auto number = decimal_of(value);
      return number ? json::value(to_celsius(*number, list.temperature_unit())) : json::value();
    };
    const auto mode = word_of(kHeaterModes, state.mode());
    domains::Report report{.attributes = {{"current_temperature", degrees(state.current_temperature())}}};
    report.attributes["operation_mode"] = mode ? json::value(*mode) : json::value();
    const bool off = list.features() & kOnOffBit && !(state.state() & kIsOn);
    report.value = off ? json::value("off") : report.attributes["operation_mode"];
    if (list.features() & kTwoTargetsBit) {
      report.attributes["target_temp_low"] = degrees(state.target_temperature_low());
      report.attributes["target_temp_high"] = degrees(state.target_temperature_high());
    } else {
      report.attributes["temperature"] = degrees(state.target_temperature());
    }
    if (list.features() & kAwayBit) report.attributes["away_mode"] = state.state() & kIsAway ? "on" : "off";
    return report;
  }
  static void perform(NodeEntity& entity, const List& list, const domains::Action& action, const json::object& data) {
    const std::string_view service = action.service;
    proto::WaterHeaterCommand command;
    std::uint32_t fields = 0;
    if (const json::value* const degrees = data.if_contains("temperature")) {
      fields |= kSetsTarget;
      command.set_target_temperature(
          static_cast<float>(from_celsius(degrees->to_number<double>(), list.temperature_unit())));
    }
    if (const json::value* const mode = data.if_contains("operation_mode")) {
      fields |= kSetsMode;
      command.set_mode(number_of(kHeaterModes, mode->get_string()).value_or(0));
    }
    if (service == "turn_on" || service == "turn_off") {
      fields |= kSetsOn;
      if (service == "turn_on") command.set_state(kIsOn);
    }
    if (service == "set_away_mode") {
      fields |= kSetsAway;
      if (data.at("away_mode").get_string() == "on") command.set_state(kIsAway);
    }
    command.set_has_fields(fields);
    entity.send(kHeaterCommand, command);
  }
};

}  // namespace

const Component kWaterHeaterComponent{
    "water_heater", "water_heater", 132, 133, make_entity<ThingOf<WaterHeater>>, receive_state<ThingOf<WaterHeater>>};

}  // namespace hearth::integrations::esphome
