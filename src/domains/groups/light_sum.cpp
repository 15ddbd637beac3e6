// SPDX-License-Identifier: Apache-2.0
// The state of several lights together.
#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <map>
#include <numbers>

#include "domains/groups/light_group.h"
#include "domains/groups/thing_group.h"

namespace hearth::domains {
namespace {

constexpr unsigned kFlashFeature = 8, kTransitionFeature = 32;
constexpr ColorMode kModes[] = {ColorMode::onoff, ColorMode::brightness, ColorMode::color_temp,
                                ColorMode::hs,    ColorMode::xy,         ColorMode::rgb,
                                ColorMode::rgbw,  ColorMode::rgbww,      ColorMode::white};

std::optional<ColorMode> mode_named(std::string_view name) {
  const auto* const found = std::ranges::find(kModes, name, [](ColorMode mode) { return to_string(mode); });
  return found == std::end(kModes) ? std::nullopt : std::optional(*found);
}

// Calls visit(text) for each of the list.
template <class Visit>
void each_text(const GroupMember& member, std::string_view attribute, Visit&& visit) {
  const json::value* const list = member.find(attribute);
  if (!list || !list->is_array()) return;
  for (const json::value& each : list->get_array())
    if (each.is_string()) visit(std::string_view(each.get_string()));
}

bool is_on(const GroupMember& member) {
  return member.state && member.state->value() == "on";
}

// Of a light that is on and shines in that mode; null if it does not.
template <std::size_t count>
std::optional<std::array<double, count>> channels_of(const GroupMember& member, std::string_view mode,
                                                     std::string_view attribute) {
  if (!is_on(member) || member.text("color_mode") != mode) return {};
  const json::value* const list = member.find(attribute);
  if (!list || !list->is_array() || list->get_array().size() != count) return {};
  std::array<double, count> channels;
  for (std::size_t i = 0; i < count; ++i) {
    const json::value& each = list->get_array()[i];
    if (!each.is_number()) return {};
    channels[i] = each.to_number<double>();
  }
  return channels;
}

// The mean of each channel; null if no light says it.
template <std::size_t count>
std::optional<std::array<double, count>> mean_channels(const GroupMembers& members, std::string_view mode,
                                                       std::string_view attribute) {
  std::array<double, count> sums{};
  int lights = 0;
  for (const GroupMember& member : members) {
    const auto own = channels_of<count>(member, mode, attribute);
    if (!own) continue;
    for (std::size_t i = 0; i < count; ++i) sums[i] += (*own)[i];
    ++lights;
  }
  if (!lights) return {};
  for (double& each : sums) each /= lights;
  return sums;
}

int step(double channel) {
  return std::clamp(static_cast<int>(std::lround(channel)), 0, 255);
}

// Hues lie on a circle: the mean of 350 and 10 is 0.
std::optional<LightColor> mean_hue(const GroupMembers& members) {
  constexpr double degree = std::numbers::pi / 180;
  double x = 0, y = 0, saturation = 0;
  int lights = 0;
  for (const GroupMember& member : members) {
    const auto own = channels_of<2>(member, "hs", "hs_color");
    if (!own) continue;
    x += std::cos((*own)[0] * degree);
    y += std::sin((*own)[0] * degree);
    saturation += (*own)[1];
    ++lights;
  }
  if (!lights) return {};
  const double hue = std::fmod(std::atan2(y, x) / degree + 360, 360);
  return HsColor{std::round(hue * 1000) / 1000, saturation / lights};
}

std::optional<LightColor> mean_temperature(const GroupMembers& members) {
  const auto kelvin = mean_of(members, "color_temp_kelvin", [](const GroupMember& member) {
    return is_on(member) && member.text("color_mode") == "color_temp";
  });
  return kelvin ? std::optional<LightColor>(ColorTemperature{static_cast<int>(std::lround(*kelvin))}) : std::nullopt;
}

std::optional<LightColor> mean_color(const GroupMembers& members, ColorMode mode) {
  const std::string_view name = to_string(mode);
  switch (mode) {
    case ColorMode::hs:
      return mean_hue(members);
    case ColorMode::color_temp:
      return mean_temperature(members);
    case ColorMode::white:
      return WhiteChannel{};
    case ColorMode::xy:
      if (const auto mean = mean_channels<2>(members, name, "xy_color")) return XyColor{(*mean)[0], (*mean)[1]};
      return {};
    case ColorMode::rgb:
      if (const auto mean = mean_channels<3>(members, name, "rgb_color"))
        return RgbColor{step((*mean)[0]), step((*mean)[1]), step((*mean)[2])};
      return {};
    case ColorMode::rgbw:
      if (const auto mean = mean_channels<4>(members, name, "rgbw_color"))
        return RgbwColor{step((*mean)[0]), step((*mean)[1]), step((*mean)[2]), step((*mean)[3])};
      return {};
    case ColorMode::rgbww:
      if (const auto mean = mean_channels<5>(members, name, "rgbww_color"))
        return RgbwwColor{step((*mean)[0]), step((*mean)[1]), step((*mean)[2]), step((*mean)[3]), step((*mean)[4])};
      return {};
    default:
      return {};
  }
}

// That of most of the lights that are on, of those that say a colour.
std::optional<LightColor> common_color(const GroupMembers& members) {
  std::map<ColorMode, int> counts;
  for (const GroupMember& member : members) {
    if (!is_on(member)) continue;
    const auto mode = mode_named(member.text("color_mode"));
    if (mode && *mode != ColorMode::onoff && *mode != ColorMode::brightness) ++counts[*mode];
  }
  const auto most = std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; });
  return most == counts.end() ? std::nullopt : mean_color(members, most->first);
}

}  // namespace

LightCapabilities joined_capabilities(const GroupMembers& members) {
  LightCapabilities joined{.modes = {}};
  std::optional<int> coldest, warmest;
  std::set<std::string> effects;
  for (const GroupMember& member : members) {
    each_text(member, "supported_color_modes", [&](std::string_view name) {
      if (const auto mode = mode_named(name)) joined.modes.insert(*mode);
    });
    each_text(member, "effect_list", [&](std::string_view effect) { effects.emplace(effect); });
    joined.flash = joined.flash || (member.features() & kFlashFeature);
    joined.transition = joined.transition || (member.features() & kTransitionFeature);
    if (const auto least = member.number("min_color_temp_kelvin"))
      warmest = std::min(warmest.value_or(INT_MAX), static_cast<int>(std::clamp(*least, 1'000.0, 40'000.0)));
    if (const auto most = member.number("max_color_temp_kelvin"))
      coldest = std::max(coldest.value_or(0), static_cast<int>(std::clamp(*most, 1'000.0, 40'000.0)));
  }
  joined.effects.assign(effects.begin(), effects.end());
  if (warmest && coldest) joined.kelvin = {*warmest, *coldest};
  // onoff and brightness say nothing beside others, and white goes with a colour only.
  if (joined.modes.size() > 1) joined.modes.erase(ColorMode::onoff);
  if (joined.modes.size() > 1) joined.modes.erase(ColorMode::brightness);
  if (joined.modes == std::set{ColorMode::white}) joined.modes = {ColorMode::brightness};
  if (joined.modes.empty()) joined.modes = {ColorMode::onoff};
  return joined;
}

std::optional<LightState> sum_of_lights(const GroupMembers& members, bool all) {
  const auto on = is_group_on(members, all);
  if (!on) return {};
  LightState state{.on = *on};
  if (const auto mean = mean_of(members, "brightness", is_on)) state.brightness = std::max(1, step(*mean));
  state.color = common_color(members);
  if (const json::value effect = most_common(members, "effect", is_on); effect.is_string())
    state.effect = effect.get_string();
  return state;
}

}  // namespace hearth::domains
