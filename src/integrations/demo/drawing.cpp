// SPDX-License-Identifier: Apache-2.0
#include "integrations/demo/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hearth::integrations::demo {
namespace {

struct Color {
  double red, green, blue;
};

std::string text(const Color& color) {
  const auto byte = [](double part) { return static_cast<int>(std::lround(std::clamp(part, 0.0, 255.0))); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(color.red), byte(color.green), byte(color.blue));
}

Color mixed(const Color& from, const Color& to, double share) {
  const auto mix = [share](double a, double b) { return a + (b - a) * share; };
  return {mix(from.red, to.red), mix(from.green, to.green), mix(from.blue, to.blue)};
}

}  // namespace

core::Picture draw_house(const LocalTime& time, const Weather& weather, std::string_view title, bool visitor) {
  const double day = std::clamp(std::log10(std::max(weather.illuminance, 1.0)) / 4, 0.0, 1.0);
  const Color clear = mixed({16, 22, 44}, {128, 190, 235}, day), grey = mixed({24, 26, 32}, {172, 180, 188}, day);
  const std::string sky = text(mixed(clear, grey, weather.clouds / 100));
  const std::string ground = text(mixed({14, 26, 16}, {110, 150, 84}, day));
  const std::string wall = text(mixed({44, 40, 40}, {226, 214, 196}, day));
  const std::string window = day < 0.5 ? "#ffd98a" : "#8fb4cc";
  const double angle = std::numbers::pi * (time.hour - 6) / 12;
  const double x = 160 - 130 * std::cos(angle), y = 110 - 90 * std::sin(angle);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 320 180\" width=\"640\" height=\"360\">"
      "<rect width=\"320\" height=\"180\" fill=\"{}\"/>"
      "<circle cx=\"{:.0f}\" cy=\"{:.0f}\" r=\"12\" fill=\"#ffe9a8\"/>"
      "<rect y=\"120\" width=\"320\" height=\"60\" fill=\"{}\"/>"
      "<path d=\"M110 120V72l50-32 50 32v48z\" fill=\"{}\"/><path d=\"M102 76l58-38 58 38\" fill=\"none\" "
      "stroke=\"#6d3b32\" stroke-width=\"8\"/><rect x=\"150\" y=\"88\" width=\"20\" height=\"32\" fill=\"#5a4033\"/>"
      "<rect x=\"122\" y=\"84\" width=\"18\" height=\"16\" fill=\"{}\"/><rect x=\"180\" y=\"84\" width=\"18\" "
      "height=\"16\" fill=\"{}\"/>",
      sky, x, y, ground, wall, window, window);
  if (weather.rain > 0.1) {
    for (int drop = 0; drop < 40; ++drop) {
      const int left = drop * 53 % 320, top = (drop * 37 + static_cast<int>(time.hours * 3600)) % 170;
      svg += fmt::format("<path d=\"M{} {}l-3 9\" stroke=\"#dfe9f2\" stroke-width=\"1\"/>", left, top);
    }
  }
  if (visitor) {
    svg +=
        "<circle cx=\"178\" cy=\"94\" r=\"6\" fill=\"#e0b090\"/><path d=\"M171 126v-18a7 7 0 0 1 14 0v18z\" "
        "fill=\"#3f5f8a\"/>";
  }
  const int minutes = static_cast<int>(time.hour * 60);
  svg += fmt::format(
      "<text x=\"8\" y=\"172\" font-family=\"sans-serif\" font-size=\"11\" fill=\"#fff\">{} {:02}:{:02}</text></svg>",
      title, minutes / 60, minutes % 60);
  return {"image/svg+xml", std::move(svg)};
}

}  // namespace hearth::integrations::demo
