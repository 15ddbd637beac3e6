// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace climate {

constexpr Feature kFeatures[] = {
    {"target_temperature", 1, "hold one temperature"},
    {"target_temperature_range", 2, "hold a temperature between two"},
    {"target_humidity", 4, "hold a humidity"},
    {"fan_mode", 8, "change its fan mode"},
    {"preset_mode", 16, "change its preset"},
    {"swing_mode", 32, "change its swing mode"},
    {"turn_off", 128, "be turned off"},
    {"turn_on", 256, "be turned on"},
    {"swing_horizontal_mode", 512, "change its horizontal swing mode"},
};

constexpr field::Option kModes{"off heat cool heat_cool auto dry fan_only"};
constexpr field::Number kDegrees{-50, 150};  // of the fields; each device has a range of its own
constexpr Attribute kAttributes[] = {
    {"hvac_modes", field::TextList{}, Shown::once},
    {"min_temp", kDegrees, Shown::once},
    {"max_temp", kDegrees, Shown::once},
    {"target_temp_step", field::Number{}, Shown::once},
    {"min_humidity", kPercent, Shown::once, "target_humidity"},
    {"max_humidity", kPercent, Shown::once, "target_humidity"},
    {"fan_modes", field::TextList{}, Shown::once, "fan_mode"},
    {"preset_modes", field::TextList{}, Shown::once, "preset_mode"},
    {"swing_modes", field::TextList{}, Shown::once, "swing_mode"},
    {"swing_horizontal_modes", field::TextList{}, Shown::once, "swing_horizontal_mode"},
    {.name = "current_temperature", .type = field::Number{}, .restored = true, .significant = true},
    {"temperature", kDegrees, Shown::always, "target_temperature", true, true},
    {"target_temp_high", kDegrees, Shown::always, "target_temperature_range", true, true},
    {"target_temp_low", kDegrees, Shown::always, "target_temperature_range", true, true},
    {"current_humidity", field::Number{0, 100}, Shown::if_reported, {}, true, true},
    {"humidity", kPercent, Shown::always, "target_humidity", true, true},
    {"hvac_action",
     field::Option{"off preheating heating cooling drying fan idle defrosting"},
     Shown::if_reported,
     {},
     true,
     true},
    {"fan_mode", field::Text{}, Shown::always, "fan_mode", true, true, "fan_modes"},
    {"preset_mode", field::Text{}, Shown::always, "preset_mode", true, true, "preset_modes"},
    {"swing_mode", field::Text{}, Shown::always, "swing_mode", true, true, "swing_modes"},
    {"swing_horizontal_mode", field::Text{}, Shown::always, "swing_horizontal_mode", true, true,
     "swing_horizontal_modes"},
};

constexpr core::Field kMode{"hvac_mode", "What to do from now on.", "heat", field::Text{}};
constexpr core::Field kModeRequired{"hvac_mode", "What to do from now on.", "heat", field::Text{}, true};
constexpr Bounds kRange{.min = "min_temp", .max = "max_temp", .step = "target_temp_step"};

constexpr Input kSetTemperature[] = {
    {{"temperature", "The temperature to hold.", 21.5, kDegrees}, kRange, "target_temperature"},
    {{"target_temp_high", "The highest temperature to allow.", 26, kDegrees}, kRange, "target_temperature_range"},
    {{"target_temp_low", "The lowest temperature to allow.", 20, kDegrees}, kRange, "target_temperature_range"},
    {.field = kMode, .bounds = {.options = "hvac_modes"}, .sets = "state"},
};
constexpr Input kSetMode[] = {{.field = kModeRequired, .bounds = {.options = "hvac_modes"}, .sets = "state"}};
constexpr Input kSetHumidity[] = {{{"humidity", "Relative humidity in percent.", 55, kPercent, true},
                                   {.min = "min_humidity", .max = "max_humidity"}}};
constexpr Input kSetPreset[] = {
    {{"preset_mode", "A preset from the thermostat's preset_modes.", "away", field::Text{}, true},
     {.options = "preset_modes"}}};
constexpr Input kSetFan[] = {
    {{"fan_mode", "A mode from the device's fan_modes.", "auto", field::Text{}, true}, {.options = "fan_modes"}}};
constexpr Input kSetSwing[] = {
    {{"swing_mode", "A mode from the device's swing_modes.", "vertical", field::Text{}, true},
     {.options = "swing_modes"}}};
constexpr Input kSetSwingHorizontal[] = {
    {{"swing_horizontal_mode", "A mode from the device's swing_horizontal_modes.", "on", field::Text{}, true},
     {.options = "swing_horizontal_modes"}}};

constexpr Action kActions[] = {
    {"turn_on", "Turn on", "Turns thermostats on, in the mode they were in last.", {}, "turn_on"},
    {.service = "turn_off",
     .name = "Turn off",
     .description = "Turns thermostats off.",
     .needs = "turn_off",
     .value = "off"},
    {"toggle", "Toggle", "Turns thermostats on that are off, and off that are on.", {}, "turn_on turn_off"},
    {"set_temperature", "Set target temperature", "Sets the temperature to hold, or the two to stay between.",
     kSetTemperature},
    {"set_hvac_mode", "Set mode", "Sets what thermostats do.", kSetMode},
    {"set_humidity", "Set target humidity", "Sets the humidity to hold.", kSetHumidity, "target_humidity"},
    {"set_preset_mode", "Set preset mode", "Sets a preset.", kSetPreset, "preset_mode"},
    {"set_fan_mode", "Set fan mode", "Sets how the fan runs.", kSetFan, "fan_mode"},
    {"set_swing_mode", "Set swing mode", "Sets how the air swings.", kSetSwing, "swing_mode"},
    {"set_swing_horizontal_mode", "Set horizontal swing mode", "Sets how the air swings from side to side.",
     kSetSwingHorizontal, "swing_horizontal_mode"},
};

}  // namespace climate

constexpr Kind kClimate{
    .domain = "climate",
    .description = "A thermostat or air conditioner. Its state is the mode that it is in, perhaps one of its own.",
    .value = climate::kModes,
    .on = "turn_on",
    .off = "turn_off",
    .features = climate::kFeatures,
    .attributes = climate::kAttributes,
    .actions = climate::kActions,
    .code = true};

}  // namespace hearth::domains
