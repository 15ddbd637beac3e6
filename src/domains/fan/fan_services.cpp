// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "domains/fan/fan.h"

namespace hearth::domains {
namespace {

namespace field = core::field;
using Prepared = DomainServices::Prepared;

Prepared turn_off(Fan& fan, const json::object&) {
  return [&fan] { fan.device().turn_off(); };
}

// To a percentage: 0 turns the fan off.
Prepared run_at(Fan& fan, int percentage) {
  if (fan.capabilities().speeds == 0) return cannot(fan, "change its speed");
  if (percentage == 0) return turn_off(fan, {});
  return [&fan, percentage] { fan.device().turn_on({.percentage = percentage}); };
}

Prepared run_with_preset(Fan& fan, const json::value& value) {
  const std::vector<std::string>& presets = fan.capabilities().presets;
  const std::string preset(value.get_string());
  if (std::find(presets.begin(), presets.end(), preset) != presets.end()) {
    return [&fan, preset] { fan.device().turn_on({.preset = preset}); };
  }
  if (presets.empty()) return cannot(fan, "run with presets");
  return cannot(fan, fmt::format("run with the preset {}; it has {}", base::to_json(value), fmt::join(presets, ", ")));
}

Prepared turn_on(Fan& fan, const json::object& data) {
  const json::value* percentage = data.if_contains("percentage");
  const json::value* preset = data.if_contains("preset_mode");
  if (percentage && preset) {
    return base::fail(base::ErrorCode::invalid, "percentage, preset_mode: only one of them per call");
  }
  if (percentage) return run_at(fan, static_cast<int>(percentage->get_int64()));
  if (preset) return run_with_preset(fan, *preset);
  return [&fan] { fan.device().turn_on({}); };
}

Prepared toggle(Fan& fan, const json::object& data) {
  return fan.state() && fan.state()->on ? turn_off(fan, data) : turn_on(fan, data);
}

template <int sign>
Prepared change_speed(Fan& fan, const json::object& data) {
  if (fan.capabilities().speeds == 0) return cannot(fan, "change its speed");
  const json::value* step = data.if_contains("percentage_step");
  const double change = step ? static_cast<double>(step->get_int64()) : 100.0 / fan.capabilities().speeds;
  const int from = fan.state() && fan.state()->on ? fan.state()->percentage : 0;
  return run_at(fan, std::clamp(static_cast<int>(std::lround(from + sign * change)), 0, 100));
}

Prepared set_percentage(Fan& fan, const json::object& data) {
  return run_at(fan, static_cast<int>(data.at("percentage").get_int64()));
}

Prepared set_preset_mode(Fan& fan, const json::object& data) {
  return run_with_preset(fan, data.at("preset_mode"));
}

Prepared oscillate(Fan& fan, const json::object& data) {
  if (!fan.capabilities().oscillate) return cannot(fan, "oscillate");
  return [&fan, on = data.at("oscillating").get_bool()] { fan.device().adjust({.oscillating = on}); };
}

Prepared set_direction(Fan& fan, const json::object& data) {
  if (!fan.capabilities().direction) return cannot(fan, "change its direction");
  const auto direction = data.at("direction").get_string() == "forward" ? FanDirection::forward : FanDirection::reverse;
  return [&fan, direction] { fan.device().adjust({.direction = direction}); };
}

}  // namespace

void add_fan_services(DomainServices& services) {
  core::Field percentage{"percentage", "Speed in percent; 0 turns the fan off.", 66, field::Integer{0, 100}};
  core::Field preset{"preset_mode", "A preset from the fan's preset_modes.", "sleep", field::Text{}};
  const core::Field step{"percentage_step", "By how many percent; without it by one of the fan's speeds.", 10,
                         field::Integer{0, 100}};
  services.add<Fan>({"turn_on", "Turn on", "Turns fans on.", {percentage, preset}}, turn_on);
  services.add<Fan>({"turn_off", "Turn off", "Turns fans off."}, turn_off);
  services.add<Fan>({"toggle", "Toggle", "Turns fans on that are off, and off that are on."}, toggle);
  services.add<Fan>({"increase_speed", "Increase speed", "Makes fans faster.", {step}}, change_speed<1>);
  services.add<Fan>({"decrease_speed", "Decrease speed", "Makes fans slower, down to off.", {step}}, change_speed<-1>);
  percentage.required = preset.required = true;
  services.add<Fan>({"set_percentage", "Set speed", "Sets the speed of fans.", {percentage}}, set_percentage);
  services.add<Fan>({"set_preset_mode", "Set preset mode", "Runs fans with a preset.", {preset}}, set_preset_mode);
  services.add<Fan>({"oscillate",
                     "Oscillate",
                     "Makes fans swing from side to side, or stops that.",
                     {{"oscillating", "Whether to swing.", true, field::Boolean{}, true}}},
                    oscillate);
  services.add<Fan>({"set_direction",
                     "Set direction",
                     "Sets which way fans turn.",
                     {{"direction", "Which way.", "reverse", field::Option{{"forward", "reverse"}}, true}}},
                    set_direction);
}

}  // namespace hearth::domains
