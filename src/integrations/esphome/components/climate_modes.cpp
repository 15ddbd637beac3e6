// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/components/climate_modes.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "integrations/esphome/entities/values.h"

namespace hearth::integrations::esphome {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::string_view kModes[] = {"off", "heat_cool", "cool", "heat", "fan_only", "dry", "auto"};
constexpr std::string_view kFanModes[] = {"on",   "off",    "auto",  "low",     "medium",
                                          "high", "middle", "focus", "diffuse", "quiet"};
constexpr std::string_view kSwingModes[] = {"off", "both", "vertical", "horizontal"};
constexpr std::string_view kPresets[] = {"none", "home", "away", "boost", "comfort", "eco", "sleep", "activity"};
constexpr std::uint32_t kCurrentFlag = 1, kTwoTargetsFlag = 2, kOnlyTwoTargetsFlag = 4, kCurrentHumidityFlag = 8,
                        kHumidityFlag = 16, kActionFlag = 32;
constexpr std::uint32_t kFahrenheit = 1;

// Old nodes have a field for each.
std::uint32_t flags_of(const proto::ListClimate& list) {
  std::uint32_t flags = list.feature_flags();
  if (list.current_temperature()) flags |= kCurrentFlag;
  if (list.two_point_target_temperature()) flags |= kTwoTargetsFlag;
  if (list.current_humidity()) flags |= kCurrentHumidityFlag;
  if (list.target_humidity()) flags |= kHumidityFlag;
  if (list.action()) flags |= kActionFlag;
  return flags;
}

bool has_range(const proto::ListClimate& list) {
  return flags_of(list) & (kTwoTargetsFlag | kOnlyTwoTargetsFlag);
}

std::vector<std::string> words_of(Words words, const google::protobuf::RepeatedField<std::uint32_t>& numbers) {
  std::vector<std::string> made;
  for (const std::uint32_t number : numbers) {
    const auto word = word_of(words, number);
    if (word && std::ranges::find(made, *word) == made.end()) made.emplace_back(*word);
  }
  return made;
}

void append_texts(std::vector<std::string>& to, const google::protobuf::RepeatedPtrField<std::string>& custom) {
  for (const json::value& each : texts_of(custom)) {
    std::string text(each.get_string());
    if (std::ranges::find(to, text) == to.end()) to.push_back(std::move(text));
  }
}

std::optional<double> celsius(float degrees, const proto::ListClimate& list) {
  const auto number = decimal_of(degrees);
  return number ? std::optional(to_celsius(*number, list.temperature_unit())) : std::nullopt;
}

float to_node(double degrees, const proto::ListClimate& list) {
  return static_cast<float>(from_celsius(degrees, list.temperature_unit()));
}

// The custom word if there is one, otherwise that of the number; empty if it is not in the list.
std::string chosen(Words words, std::uint32_t number, std::string_view custom, const std::vector<std::string>& listed) {
  const std::string word = custom.empty() ? std::string(word_of(words, number).value_or("")) : clean_text(custom);
  return std::ranges::find(listed, word) == listed.end() ? std::string() : word;
}

std::optional<domains::HvacAction> action_of(std::uint32_t number) {
  using enum domains::HvacAction;
  constexpr std::optional<domains::HvacAction> actions[] = {off,  std::nullopt, cooling, heating,
                                                            idle, drying,       fan,     defrosting};
  return number < std::size(actions) ? actions[number] : std::nullopt;
}

}  // namespace

domains::ClimateCapabilities climate_capabilities(const proto::ListClimate& list) {
  domains::ClimateCapabilities can;
  can.modes = words_of(kModes, list.modes());
  can.min_temperature = celsius(list.min_temperature(), list).value_or(can.min_temperature);
  can.max_temperature = celsius(list.max_temperature(), list).value_or(can.max_temperature);
  if (const auto step = decimal_of(list.target_temperature_step()); step && *step > 0)
    can.temperature_step = list.temperature_unit() == kFahrenheit ? std::round(*step / 1.8 * 100) / 100 : *step;
  can.target_range = has_range(list);
  can.target_temperature = !can.target_range;
  can.fan_modes = words_of(kFanModes, list.fan_modes());
  append_texts(can.fan_modes, list.custom_fan_modes());
  can.presets = words_of(kPresets, list.presets());
  append_texts(can.presets, list.custom_presets());
  can.swing_modes = words_of(kSwingModes, list.swing_modes());
  can.target_humidity = flags_of(list) & kHumidityFlag;
  const auto humidity = [](float value, int otherwise) {
    const auto number = decimal_of(value);
    return number && *number >= 0 && *number <= 100 ? static_cast<int>(std::lround(*number)) : otherwise;
  };
  can.min_humidity = humidity(list.min_humidity(), can.min_humidity);
  can.max_humidity = humidity(list.max_humidity(), can.max_humidity);
  return can;
}

std::optional<domains::ClimateState> climate_state(const proto::ListClimate& list, const proto::ClimateState& state) {
  const domains::ClimateCapabilities can = climate_capabilities(list);
  const auto mode = word_of(kModes, state.mode());
  if (!mode) return {};
  const std::uint32_t flags = flags_of(list);
  domains::ClimateState made{.mode = std::string(*mode)};
  if (flags & kCurrentFlag) made.current_temperature = celsius(state.current_temperature(), list);
  if (can.target_range) {
    made.temperature_low = celsius(state.target_temperature_low(), list);
    made.temperature_high = celsius(state.target_temperature_high(), list);
  } else {
    made.temperature = celsius(state.target_temperature(), list);
  }
  if (flags & kCurrentHumidityFlag) made.current_humidity = decimal_of(state.current_humidity());
  if (const auto humidity = decimal_of(state.target_humidity()); humidity && can.target_humidity)
    made.humidity = static_cast<int>(std::lround(std::clamp(*humidity, 0.0, 100.0)));
  if (flags & kActionFlag) made.action = action_of(state.action());
  made.fan_mode = chosen(kFanModes, state.fan_mode(), state.custom_fan_mode(), can.fan_modes);
  made.preset = chosen(kPresets, state.preset(), state.custom_preset(), can.presets);
  made.swing_mode = chosen(kSwingModes, state.swing_mode(), {}, can.swing_modes);
  return made;
}

proto::ClimateCommand climate_command(const proto::ListClimate& list, const domains::ClimateCommand& command) {
  proto::ClimateCommand out;
  if (command.mode) {
    out.set_has_mode(true);
    out.set_mode(number_of(kModes, *command.mode).value_or(0));
  }
  if (command.temperature) {
    out.set_has_target_temperature(true);
    out.set_target_temperature(to_node(*command.temperature, list));
  }
  if (command.temperature_low) {
    out.set_has_target_temperature_low(true);
    out.set_target_temperature_low(to_node(*command.temperature_low, list));
  }
  if (command.temperature_high) {
    out.set_has_target_temperature_high(true);
    out.set_target_temperature_high(to_node(*command.temperature_high, list));
  }
  if (command.humidity) {
    out.set_has_target_humidity(true);
    out.set_target_humidity(static_cast<float>(*command.humidity));
  }
  const auto listed = [](const google::protobuf::RepeatedPtrField<std::string>& custom, const std::string& word) {
    return std::ranges::find(custom, word) != custom.end();
  };
  if (command.fan_mode && listed(list.custom_fan_modes(), *command.fan_mode)) {
    out.set_has_custom_fan_mode(true);
    out.set_custom_fan_mode(*command.fan_mode);
  } else if (command.fan_mode) {
    out.set_has_fan_mode(true);
    out.set_fan_mode(number_of(kFanModes, *command.fan_mode).value_or(0));
  }
  if (command.preset && listed(list.custom_presets(), *command.preset)) {
    out.set_has_custom_preset(true);
    out.set_custom_preset(*command.preset);
  } else if (command.preset) {
    out.set_has_preset(true);
    out.set_preset(number_of(kPresets, *command.preset).value_or(0));
  }
  if (command.swing_mode) {
    out.set_has_swing_mode(true);
    out.set_swing_mode(number_of(kSwingModes, *command.swing_mode).value_or(0));
  }
  return out;
}

}  // namespace hearth::integrations::esphome
