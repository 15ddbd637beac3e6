// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "integrations/esphome/components/components.h"
#include "integrations/esphome/entities/thing_entity.h"

namespace hearth::integrations::esphome {
namespace {

constexpr std::uint32_t kFanCommand = 31;
constexpr std::int32_t kMaxSpeeds = 100, kOldSpeeds = 3;  // old nodes do not say how many they have

std::int32_t speeds_of(const proto::ListFan& list) {
  return list.speed_count() > 0 ? std::min(list.speed_count(), kMaxSpeeds) : kOldSpeeds;
}

struct Fan {
  using List = proto::ListFan;
  using State = proto::FanState;

  static const domains::Kind& kind() { return domains::kFan; }
  static const Component& component() { return kFanComponent; }
  static domains::Abilities abilities(const List& list) {
    domains::Abilities can{.features = "turn_on turn_off"};
    if (list.speed()) {
      can.feature_bits |= kind().features_of("set_speed");
      can.attributes["percentage_step"] = 100.0 / speeds_of(list);
    }
    if (list.oscillation()) can.feature_bits |= kind().features_of("oscillate");
    if (list.direction()) can.feature_bits |= kind().features_of("direction");
    if (list.preset_modes_size() > 0) {
      can.feature_bits |= kind().features_of("preset_mode");
      can.attributes["preset_modes"] = texts_of(list.preset_modes());
    }
    return can;
  }
  static domains::Report report(const List& list, const State& state) {
    domains::Report report{.value = state.state()};
    if (list.speed()) {
      const double level = std::clamp(state.speed_level(), 0, speeds_of(list));
      report.attributes["percentage"] = state.state() ? std::lround(level * 100 / speeds_of(list)) : 0;
    }
    if (list.oscillation()) report.attributes["oscillating"] = state.oscillating();
    if (list.direction()) report.attributes["direction"] = state.direction() == 1 ? "reverse" : "forward";
    if (list.preset_modes_size() > 0) {
      report.attributes["preset_mode"] =
          state.preset_mode().empty() ? json::value() : json::value(clean_text(state.preset_mode()));
    }
    return report;
  }
  // The hub turns every change of the speed into turn_on or turn_off.
  static void perform(NodeEntity& entity, const List& list, const domains::Action& action, const json::object& data) {
    const std::string_view service = action.service;
    proto::FanCommand command;
    if (service == "turn_on" || service == "turn_off") {
      command.set_has_state(true);
      command.set_state(service == "turn_on");
    }
    if (const json::value* const percentage = data.if_contains("percentage")) {
      command.set_has_speed_level(true);
      command.set_speed_level(
          static_cast<std::int32_t>(std::ceil(percentage->to_number<double>() * speeds_of(list) / 100)));
    }
    if (const json::value* const preset = data.if_contains("preset_mode")) {
      command.set_has_preset_mode(true);
      command.set_preset_mode(std::string(preset->get_string()));
    }
    if (service == "oscillate") {
      command.set_has_oscillating(true);
      command.set_oscillating(data.at("oscillating").get_bool());
    }
    if (service == "set_direction") {
      command.set_has_direction(true);
      command.set_direction(data.at("direction").get_string() == "reverse" ? 1 : 0);
    }
    entity.send(kFanCommand, command);
  }
};

}  // namespace

const Component kFanComponent{"fan", "fan", 14, 23, make_entity<ThingOf<Fan>>, receive_state<ThingOf<Fan>>};

}  // namespace hearth::integrations::esphome
