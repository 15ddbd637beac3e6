// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace light {

using Json = core::Example::Json;

constexpr Feature kFeatures[] = {
    {"effect", 4, "show effects"},
    {"flash", 8, "flash"},
    {"transition", 32},
};
constexpr Attribute kAttributes[] = {
    {"supported_color_modes", field::TextList{}, Shown::once},
    {"min_color_temp_kelvin", field::Integer{1'000, 40'000, "K"}, Shown::once},
    {"max_color_temp_kelvin", field::Integer{1'000, 40'000, "K"}, Shown::once},
    {"effect_list", field::TextList{}, Shown::once, "effect"},
    {.name = "color_mode", .type = field::Text{}, .restored = true},
    {.name = "brightness", .type = field::Integer{0, 255}, .restored = true},
    {.name = "color_temp_kelvin", .type = field::Integer{1'000, 40'000, "K"}, .restored = true},
    {.name = "hs_color", .type = field::Numbers{2, 0, 100, 360}, .restored = true},
    {.name = "rgb_color", .type = field::Numbers{3, 0, 255}, .restored = true},
    {.name = "rgbw_color", .type = field::Numbers{4, 0, 255}, .restored = true},
    {.name = "rgbww_color", .type = field::Numbers{5, 0, 255}, .restored = true},
    {.name = "xy_color", .type = field::Numbers{2, 0, 1}, .restored = true},
    {.name = "effect", .type = field::Text{}, .needs = "effect", .restored = true, .options = "effect_list"},
};

// Callers compute these and step beyond the ends: the nearer end is what they mean.
constexpr field::Integer clamped(field::Integer type) {
  type.clamped = true;
  return type;
}
constexpr field::Number clamped(field::Number type) {
  type.clamped = true;
  return type;
}
constexpr field::Integer kLevel = clamped(field::Integer{0, 255});
constexpr field::Integer kKelvin = clamped(field::Integer{1'000, 40'000, "K"});

constexpr core::Field kTransition{"transition",
                                  "Seconds to fade to the new state; lamps that cannot fade change at once.", 2,
                                  clamped(field::Number{0, 300})};
constexpr core::Field kFlash{"flash", "Flashes once, briefly or for longer.", "short", field::Option{"short long"}};

constexpr Input kTurnOn[] = {
    {kTransition},
    {{"brightness", "Brightness from 0 to 255; 0 turns the lamp off.", 120, kLevel}},
    {{"brightness_pct", "Brightness in percent; 0 turns the lamp off.", 47, field::Number{0, 100}}},
    {{"brightness_step", "Change of the brightness, from -255 to 255; a lamp that is off starts at 0.", -25,
      clamped(field::Integer{-255, 255})}},
    {{"brightness_step_pct", "Change of the brightness in percent; a lamp that is off starts at 0.", 10,
      clamped(field::Number{-100, 100})}},
    {{"rgb_color", "Colour as red, green and blue, each from 0 to 255.", Json{"[255, 100, 100]"},
      field::Numbers{3, 0, 255}}},
    {{"rgbw_color", "Colour as red, green, blue and white, each from 0 to 255.", Json{"[255, 100, 100, 50]"},
      field::Numbers{4, 0, 255}}},
    {{"rgbww_color", "Colour as red, green, blue, cold white and warm white, each from 0 to 255.",
      Json{"[255, 100, 100, 50, 70]"}, field::Numbers{5, 0, 255}}},
    {{"hs_color", "Colour as hue, from 0 to 360, and saturation, from 0 to 100.", Json{"[300, 70]"},
      field::Numbers{2, 0, 100, 360}}},
    {{"xy_color", "Colour as x and y of the CIE 1931 diagram, each from 0 to 1.", Json{"[0.52, 0.43]"},
      field::Numbers{2, 0, 1}}},
    {{"color_name", "Colour by its CSS name.", "red", field::Text{}}},
    {{"color_temp_kelvin", "White by its temperature in kelvin, the lower the warmer.", 4000, kKelvin}},
    {{"color_temp", "White by its temperature in mireds; the old form of color_temp_kelvin.", 250,
      clamped(field::Number{153, 500})}},
    {{"kelvin", "White by its temperature in kelvin; the old name of color_temp_kelvin.", 4000, kKelvin}},
    {{"white", "Switches to white light at this brightness, from 0 to 255.", 255, kLevel}},
    {{"effect", "An effect from the lamp's effect_list, or off.", "colorloop", field::Text{}},
     {.options = "effect_list"},
     "effect"},
    {.field = kFlash, .needs = "flash"},
    {{"profile", "A named colour and brightness.", "relax", field::Option{"relax energize concentrate reading"}}},
};
constexpr Input kTurnOff[] = {{kTransition}, {.field = kFlash, .needs = "flash"}};

constexpr Action kActions[] = {
    {.service = "turn_on",
     .name = "Turn on",
     .description = "Turns lamps on, or changes brightness and colour of lamps that are on.",
     .fields = kTurnOn,
     .value = "on"},
    {.service = "turn_off", .name = "Turn off", .description = "Turns lamps off.", .fields = kTurnOff, .value = "off"},
    {.service = "toggle",
     .name = "Toggle",
     .description = "Turns lamps on that are off, and off that are on.",
     .fields = kTurnOn,
     .toggles = true},
};

}  // namespace light

constexpr Kind kLight{.domain = "light",
                      .description = "A lamp; it may dim, shine in colours, and show effects.",
                      .value = field::Option{"on off"},
                      .on = "turn_on",
                      .off = "turn_off",
                      .features = light::kFeatures,
                      .attributes = light::kAttributes,
                      .actions = light::kActions,
                      .code = true};

}  // namespace hearth::domains
