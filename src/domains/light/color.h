// SPDX-License-Identifier: Apache-2.0
// Colours in all forms that lamps use, and their conversions. Any thread.
//
// Red, green and blue are sRGB; xy is CIE 1931, by the wide-gamut D65 matrices that lamp makers publish. All except xy
// exclude brightness, which a lamp has separately.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/json/json.h"

namespace hearth::domains {

struct HsColor {
  double hue;         // 0–360
  double saturation;  // 0–100
};
struct XyColor {
  double x, y;  // 0–1
};
struct RgbColor {
  int red, green, blue;  // 0–255
};
struct RgbwColor {
  int red, green, blue, white;
};
struct RgbwwColor {
  int red, green, blue, cold_white, warm_white;
};
struct ColorTemperature {
  int kelvin;
};
struct WhiteChannel {};

using LightColor = std::variant<HsColor, XyColor, RgbColor, RgbwColor, RgbwwColor, ColorTemperature, WhiteChannel>;

// How a lamp produces its light.
enum class ColorMode { onoff, brightness, color_temp, hs, xy, rgb, rgbw, rgbww, white };

std::string_view to_string(ColorMode mode);
ColorMode mode_of(const LightColor& color);

// The range of a lamp's white temperatures.
struct KelvinRange {
  int min = 2000;
  int max = 6535;
};

int mired_to_kelvin(double mired);
RgbColor to_rgb(const LightColor& color, KelvinRange range);
HsColor to_hs(const LightColor& color, KelvinRange range);
XyColor to_xy(const LightColor& color, KelvinRange range);
// The nearest white, within the range.
ColorTemperature to_temperature(const LightColor& color, KelvinRange range);

// The nearest colour in another mode. REQUIRES: a mode with a colour: not onoff, brightness or white.
LightColor convert(const LightColor& color, ColorMode mode, KelvinRange range);

// As attributes show them, with fractions rounded to three digits.
json::array to_json_array(const HsColor& color);
json::array to_json_array(const XyColor& color);
json::array to_json_array(const RgbColor& color);
json::array to_json_array(const RgbwColor& color);
json::array to_json_array(const RgbwwColor& color);

// A CSS colour name, ignoring case and spaces.
std::optional<RgbColor> parse_color_name(std::string_view name);

}  // namespace hearth::domains
