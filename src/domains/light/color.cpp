// SPDX-License-Identifier: Apache-2.0
#include "domains/light/color.h"

#include <algorithm>
#include <cmath>

namespace hearth::domains {
namespace {

// Red, green and blue from 0 to 1, unrounded.
struct Channels {
  double red, green, blue;

  double max() const { return std::max({red, green, blue}); }
  double min() const { return std::min({red, green, blue}); }
};

Channels channels(const RgbColor& color) {
  return {color.red / 255.0, color.green / 255.0, color.blue / 255.0};
}

int to_step(double channel) {
  return static_cast<int>(std::lround(std::clamp(channel, 0.0, 1.0) * 255));
}

RgbColor to_rgb(const Channels& c) {
  return {to_step(c.red), to_step(c.green), to_step(c.blue)};
}

double round_to_thousandth(double value) {
  return std::round(value * 1000) / 1000;
}

HsColor to_hs(const Channels& c) {
  const double max = c.max(), span = max - c.min();
  if (span == 0) return {0, 0};
  double sixth;
  if (max == c.red)
    sixth = std::fmod((c.green - c.blue) / span + 6, 6);
  else if (max == c.green)
    sixth = (c.blue - c.red) / span + 2;
  else
    sixth = (c.red - c.green) / span + 4;
  return {round_to_thousandth(sixth * 60), round_to_thousandth(span / max * 100)};
}

Channels from_hs(const HsColor& color) {
  const double sixth = std::fmod(color.hue / 60, 6), saturation = color.saturation / 100;
  const auto channel = [&](double offset) {
    const double k = std::fmod(sixth + offset, 6);
    return 1 - saturation * std::clamp(std::min(k, 4 - k), 0.0, 1.0);
  };
  return {channel(5), channel(3), channel(1)};
}

XyColor to_xy(const Channels& c) {
  const auto linear = [](double v) { return v > 0.04045 ? std::pow((v + 0.055) / 1.055, 2.4) : v / 12.92; };
  const double r = linear(c.red), g = linear(c.green), b = linear(c.blue);
  const double x = r * 0.664511 + g * 0.154324 + b * 0.162028;
  const double y = r * 0.283881 + g * 0.668433 + b * 0.047685;
  const double z = r * 0.000088 + g * 0.072310 + b * 0.986039;
  const double sum = x + y + z;
  if (sum == 0) return {0, 0};
  return {round_to_thousandth(x / sum), round_to_thousandth(y / sum)};
}

Channels from_xy(const XyColor& color) {
  const double luminance = 1, y = std::max(color.y, 1e-11);
  const double x = luminance / y * color.x, z = luminance / y * (1 - color.x - y);
  const auto gamma = [](double v) {
    return std::max(0.0, v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055);
  };
  Channels c{gamma(x * 1.656492 - luminance * 0.354851 - z * 0.255038),
             gamma(-x * 0.707196 + luminance * 1.655397 + z * 0.036152),
             gamma(x * 0.051713 - luminance * 0.121364 + z * 1.011530)};
  if (const double max = c.max(); max > 1) c = {c.red / max, c.green / max, c.blue / max};
  return c;
}

// A black body's colour, by Tanner Helland's fit.
Channels from_kelvin(double kelvin) {
  const double t = std::clamp(kelvin, 1000.0, 40000.0) / 100;
  const double red = t <= 66 ? 255 : 329.698727446 * std::pow(t - 60, -0.1332047592);
  const double green =
      t <= 66 ? 99.4708025861 * std::log(t) - 161.1195681661 : 288.1221695283 * std::pow(t - 60, -0.0755148492);
  const double blue = t >= 66 ? 255 : t <= 19 ? 0 : 138.5177312231 * std::log(t - 10) - 305.0447927307;
  const auto bound = [](double v) { return std::clamp(v, 0.0, 255.0) / 255; };
  return {bound(red), bound(green), bound(blue)};
}

double mired(double kelvin) {
  return 1e6 / kelvin;
}

// The temperature of cold and warm white mixed.
double kelvin_of_whites(int cold, int warm, KelvinRange range) {
  const double warm_share = cold + warm == 0 ? 0.5 : static_cast<double>(warm) / (cold + warm);
  return 1e6 / (mired(range.max) + warm_share * (mired(range.min) - mired(range.max)));
}

// The colour scaled so that its brightest channel is `brightest`.
Channels scaled(Channels c, double brightest) {
  const double factor = c.max() == 0 ? 0 : brightest / c.max();
  return {c.red * factor, c.green * factor, c.blue * factor};
}

Channels to_channels(const LightColor& color, KelvinRange range) {
  struct Visitor {
    KelvinRange range;
    Channels operator()(const HsColor& c) const { return from_hs(c); }
    Channels operator()(const XyColor& c) const { return from_xy(c); }
    Channels operator()(const RgbColor& c) const { return channels(c); }
    Channels operator()(const RgbwColor& c) const {
      const double w = c.white / 255.0;
      return scaled({c.red / 255.0 + w, c.green / 255.0 + w, c.blue / 255.0 + w},
                    std::max({c.red, c.green, c.blue, c.white}) / 255.0);
    }
    Channels operator()(const RgbwwColor& c) const {
      const Channels white = from_kelvin(kelvin_of_whites(c.cold_white, c.warm_white, range));
      const double level = std::max(c.cold_white, c.warm_white) / 255.0;
      return scaled({c.red / 255.0 + white.red * level, c.green / 255.0 + white.green * level,
                     c.blue / 255.0 + white.blue * level},
                    std::max({c.red, c.green, c.blue, c.cold_white, c.warm_white}) / 255.0);
    }
    Channels operator()(const ColorTemperature& c) const { return from_kelvin(c.kelvin); }
    Channels operator()(const WhiteChannel&) const { return {1, 1, 1}; }
  };
  return std::visit(Visitor{range}, color);
}

// The white channel produces as much of the colour as it can.
RgbwColor to_rgbw(const Channels& c) {
  const double white = c.min();
  const Channels rest{c.red - white, c.green - white, c.blue - white};
  const double brightest = std::max(rest.max(), white);
  const double factor = brightest == 0 ? 0 : c.max() / brightest;
  return {to_step(rest.red * factor), to_step(rest.green * factor), to_step(rest.blue * factor),
          to_step(white * factor)};
}

RgbwwColor to_rgbww(const Channels& c, KelvinRange range) {
  const Channels both = from_kelvin(kelvin_of_whites(1, 1, range));
  double white = std::min(c.red / both.red, c.green / both.green);
  if (both.blue > 0) white = std::min(white, c.blue / both.blue);
  const Channels rest{c.red - both.red * white, c.green - both.green * white, c.blue - both.blue * white};
  const double brightest = std::max(rest.max(), white);
  const double factor = brightest == 0 ? 0 : c.max() / brightest;
  const int each = to_step(white * factor);
  return {to_step(rest.red * factor), to_step(rest.green * factor), to_step(rest.blue * factor), each, each};
}

RgbwwColor whites_of_temperature(int kelvin, KelvinRange range) {
  const double span = mired(range.min) - mired(range.max);
  const double warm = span == 0 ? 0.5 : std::clamp((mired(kelvin) - mired(range.max)) / span, 0.0, 1.0);
  return {0, 0, 0, to_step(1 - warm), to_step(warm)};
}

}  // namespace

std::string_view to_string(ColorMode mode) {
  constexpr std::string_view names[] = {"onoff", "brightness", "color_temp", "hs",   "xy",
                                        "rgb",   "rgbw",       "rgbww",      "white"};
  return names[static_cast<std::size_t>(mode)];
}

ColorMode mode_of(const LightColor& color) {
  constexpr ColorMode modes[] = {ColorMode::hs,    ColorMode::xy,         ColorMode::rgb,  ColorMode::rgbw,
                                 ColorMode::rgbww, ColorMode::color_temp, ColorMode::white};
  return modes[color.index()];
}

int mired_to_kelvin(double value) {
  return static_cast<int>(std::lround(1e6 / value));
}

RgbColor to_rgb(const LightColor& color, KelvinRange range) {
  return to_rgb(to_channels(color, range));
}

HsColor to_hs(const LightColor& color, KelvinRange range) {
  if (const auto* hs = std::get_if<HsColor>(&color)) return *hs;
  return to_hs(to_channels(color, range));
}

XyColor to_xy(const LightColor& color, KelvinRange range) {
  if (const auto* xy = std::get_if<XyColor>(&color)) return *xy;
  return to_xy(to_channels(color, range));
}

ColorTemperature to_temperature(const LightColor& color, KelvinRange range) {
  if (const auto* temperature = std::get_if<ColorTemperature>(&color)) {
    return {std::clamp(temperature->kelvin, range.min, range.max)};
  }
  // McCamy's approximation (1992). It is valid near white: reds lie beyond its turning point, blues and violets beyond
  // its pole.
  constexpr double kTurningPoint = -1.2265, kPole = 0.1858;
  const XyColor xy = to_xy(color, range);
  if (xy.y <= kPole) return {range.max};
  const double n = std::max((xy.x - 0.3320) / (kPole - xy.y), kTurningPoint);
  const double kelvin = ((437 * n + 3601) * n + 6861) * n + 5517;
  return {static_cast<int>(std::lround(std::clamp<double>(kelvin, range.min, range.max)))};
}

LightColor convert(const LightColor& color, ColorMode mode, KelvinRange range) {
  if (mode == ColorMode::color_temp) return to_temperature(color, range);
  if (mode_of(color) == mode) return color;
  switch (mode) {
    case ColorMode::hs:
      return to_hs(color, range);
    case ColorMode::xy:
      return to_xy(color, range);
    case ColorMode::rgbw:
      return to_rgbw(to_channels(color, range));
    case ColorMode::rgbww:
      if (const auto* white = std::get_if<ColorTemperature>(&color)) return whites_of_temperature(white->kelvin, range);
      return to_rgbww(to_channels(color, range), range);
    default:
      return to_rgb(color, range);
  }
}

json::array to_json_array(const HsColor& color) {
  return {round_to_thousandth(color.hue), round_to_thousandth(color.saturation)};
}
json::array to_json_array(const XyColor& color) {
  return {round_to_thousandth(color.x), round_to_thousandth(color.y)};
}
json::array to_json_array(const RgbColor& color) {
  return {color.red, color.green, color.blue};
}
json::array to_json_array(const RgbwColor& color) {
  return {color.red, color.green, color.blue, color.white};
}
json::array to_json_array(const RgbwwColor& color) {
  return {color.red, color.green, color.blue, color.cold_white, color.warm_white};
}

}  // namespace hearth::domains
