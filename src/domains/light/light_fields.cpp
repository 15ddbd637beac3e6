// SPDX-License-Identifier: Apache-2.0
#include "domains/light/light_request.h"

namespace hearth::domains {
namespace {

namespace field = core::field;

core::Field transition_field() {
  return {"transition", "Seconds to fade to the new state; lamps that cannot fade change at once.", 2,
          field::Number{0, 300}};
}

core::Field flash_field() {
  return {"flash", "Flashes once, briefly or for longer.", "short", field::Option{{"short", "long"}}};
}

}  // namespace

std::vector<core::Field> turn_on_fields() {
  return {
      transition_field(),
      {"brightness", "Brightness from 0 to 255; 0 turns the lamp off.", 120, field::Integer{0, 255}},
      {"brightness_pct", "Brightness in percent; 0 turns the lamp off.", 47, field::Number{0, 100}},
      {"brightness_step", "Change of the brightness, from -255 to 255; a lamp that is off starts at 0.", -25,
       field::Integer{-255, 255}},
      {"brightness_step_pct", "Change of the brightness in percent; a lamp that is off starts at 0.", 10,
       field::Number{-100, 100}},
      {"rgb_color", "Colour as red, green and blue, each from 0 to 255.", json::array{255, 100, 100},
       field::Numbers{3, 0, 255}},
      {"rgbw_color", "Colour as red, green, blue and white, each from 0 to 255.", json::array{255, 100, 100, 50},
       field::Numbers{4, 0, 255}},
      {"rgbww_color", "Colour as red, green, blue, cold white and warm white, each from 0 to 255.",
       json::array{255, 100, 100, 50, 70}, field::Numbers{5, 0, 255}},
      {"hs_color", "Colour as hue, from 0 to 360, and saturation, from 0 to 100.", json::array{300, 70},
       field::Numbers{2, 0, 100, 360}},
      {"xy_color", "Colour as x and y of the CIE 1931 diagram, each from 0 to 1.", json::array{0.52, 0.43},
       field::Numbers{2, 0, 1}},
      {"color_name", "Colour by its CSS name.", "red", field::Text{}},
      {"color_temp_kelvin", "White by its temperature in kelvin, the lower the warmer.", 4000,
       field::Integer{1000, 40'000}},
      {"color_temp", "White by its temperature in mireds; the old form of color_temp_kelvin.", 250,
       field::Number{153, 500}},
      {"kelvin", "White by its temperature in kelvin; the old name of color_temp_kelvin.", 4000,
       field::Integer{1000, 40'000}},
      {"white", "Switches to white light at this brightness, from 0 to 255.", 255, field::Integer{0, 255}},
      {"effect", "An effect from the lamp's effect_list, or off.", "colorloop", field::Text{}},
      flash_field(),
      {"profile", "A named colour and brightness.", "relax",
       field::Option{{"relax", "energize", "concentrate", "reading"}}},
  };
}

std::vector<core::Field> turn_off_fields() {
  return {transition_field(), flash_field()};
}

}  // namespace hearth::domains
