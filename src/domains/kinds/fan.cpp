// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "domains/entities/kinds.h"
#include "domains/entities/thing.h"

namespace hearth::domains {
namespace fan {

constexpr Feature kFeatures[] = {
    {"set_speed", 1, "change its speed"},
    {"oscillate", 2, "oscillate"},
    {"direction", 4, "change its direction"},
    {"preset_mode", 8, "run with presets"},
    {.name = "turn_off", .bit = 16, .always = true},
    {.name = "turn_on", .bit = 32, .always = true},
};
constexpr Attribute kAttributes[] = {
    {"preset_modes", field::TextList{}, Shown::once, "preset_mode"},
    {.name = "percentage", .type = kPercent, .needs = "set_speed", .restored = true},
    {.name = "percentage_step", .type = field::Number{0, 100}, .needs = "set_speed"},
    {.name = "preset_mode", .type = field::Text{}, .needs = "preset_mode", .restored = true, .options = "preset_modes"},
    {.name = "oscillating", .type = field::Boolean{}, .needs = "oscillate", .restored = true},
    {.name = "direction", .type = field::Option{"forward reverse"}, .needs = "direction", .restored = true},
};

constexpr core::Field kSpeed{"percentage", "Speed in percent; 0 turns the fan off.", 66, kPercent};
constexpr core::Field kPreset{"preset_mode", "A preset from the fan's preset_modes.", "sleep", field::Text{}};
constexpr Bounds kPresets{.options = "preset_modes", .cannot = "run with the preset"};
constexpr core::Field required(core::Field field) {
  field.required = true;
  return field;
}
constexpr Input kTurnOn[] = {{.field = kSpeed, .needs = "set_speed"}, {kPreset, kPresets, "preset_mode"}};
constexpr Input kSetSpeed[] = {{required(kSpeed)}};
constexpr Input kSetPreset[] = {{required(kPreset), kPresets}};
constexpr Input kStep[] = {
    {{"percentage_step", "By how many percent; without it by one of the fan's speeds.", 10, kPercent}}};
constexpr Input kOscillate[] = {{{"oscillating", "Whether to swing.", true, field::Boolean{}, true}}};
constexpr Input kDirection[] = {{{"direction", "Which way.", "reverse", field::Option{"forward reverse"}, true}}};

constexpr Action kActions[] = {
    {.service = "turn_on",
     .name = "Turn on",
     .description = "Turns fans on.",
     .fields = kTurnOn,
     .value = "on",
     .one_of = "percentage preset_mode"},
    {.service = "turn_off", .name = "Turn off", .description = "Turns fans off.", .value = "off"},
    {.service = "toggle",
     .name = "Toggle",
     .description = "Turns fans on that are off, and off that are on.",
     .toggles = true},
    {"increase_speed", "Increase speed", "Makes fans faster.", kStep, "set_speed"},
    {"decrease_speed", "Decrease speed", "Makes fans slower, down to off.", kStep, "set_speed"},
    {"set_percentage", "Set speed", "Sets the speed of fans.", kSetSpeed, "set_speed"},
    {"set_preset_mode", "Set preset mode", "Runs fans with a preset.", kSetPreset, "preset_mode"},
    {"oscillate", "Oscillate", "Makes fans swing from side to side, or stops that.", kOscillate, "oscillate"},
    {"set_direction", "Set direction", "Sets which way fans turn.", kDirection, "direction"},
};

// A device knows only: turn_on, with a speed, a preset or neither, and turn_off.
base::Result<void> to_speed(const Thing& fan, Order& order) {
  const std::string_view service = order.action->service;
  if (service == "increase_speed" || service == "decrease_speed") {
    const json::value* const step = order.data.if_contains("percentage_step");
    const double change = step ? step->to_number<double>() : fan.number("percentage_step").value_or(10);
    const double from = fan.reported() == "on" ? fan.number("percentage").value_or(0) : 0;
    const double to = from + (service == "increase_speed" ? change : -change);
    order.data = {{"percentage", std::clamp<std::int64_t>(std::lround(to), 0, 100)}};
  } else if (service != "turn_on" && service != "set_percentage" && service != "set_preset_mode") {
    return {};
  }
  const json::value* const speed = order.data.if_contains("percentage");
  const bool off = speed && speed->get_int64() == 0;
  order.action = fan.kind().find_action(off ? "turn_off" : "turn_on");
  if (off) order.data.clear();
  return {};
}

}  // namespace fan

constexpr Kind kFan{.domain = "fan",
                    .description = "A fan; at the speed 0 it is off.",
                    .value = field::Option{"on off"},
                    .on = "turn_on",
                    .off = "turn_off",
                    .features = fan::kFeatures,
                    .attributes = fan::kAttributes,
                    .actions = fan::kActions,
                    .check = fan::to_speed};

}  // namespace hearth::domains
