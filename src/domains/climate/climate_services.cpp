// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "domains/climate/climate.h"

namespace hearth::domains {
namespace {

namespace field = core::field;
using Prepared = DomainServices::Prepared;

constexpr double kColdest = -50, kHottest = 150;  // of the field; each device has its own range

Prepared set(Climate& climate, ClimateCommand command) {
  return [&climate, command = std::move(command)] { climate.device().set(command); };
}

// The mode in the data, or nothing where there is none.
base::Result<std::optional<HvacMode>> checked_mode(const Climate& climate, const json::object& data) {
  const json::value* name = data.if_contains("hvac_mode");
  if (!name) return std::nullopt;
  const auto mode = parse_hvac_mode(name->get_string());
  const std::vector<HvacMode>& modes = climate.capabilities().modes;
  if (mode && std::find(modes.begin(), modes.end(), *mode) != modes.end()) return mode;
  std::vector<std::string_view> names;
  for (const HvacMode each : modes) names.push_back(to_string(each));
  return cannot(climate, fmt::format("run in the mode {}; it has {}", std::string_view(name->get_string()),
                                     fmt::join(names, ", ")));
}

// The temperature in the data, on the device's nearest step, or nothing where there is none.
base::Result<std::optional<double>> checked_temperature(const Climate& climate, const json::object& data,
                                                        std::string_view key) {
  const json::value* value = data.if_contains(key);
  if (!value) return std::nullopt;
  const ClimateCapabilities& can = climate.capabilities();
  const double wanted = value->get_double();
  // So written, a bound that is no number lets nothing through.
  if (!(wanted >= can.min_temperature && wanted <= can.max_temperature)) {
    return base::fail(base::ErrorCode::invalid, fmt::format("{}: {} takes {} to {}, got {}", key, climate.entity_id(),
                                                            can.min_temperature, can.max_temperature, wanted));
  }
  if (!std::isnormal(can.temperature_step)) return wanted;
  const double steps = std::round((wanted - can.min_temperature) / can.temperature_step);
  const double on_step = std::min(can.min_temperature + steps * can.temperature_step, can.max_temperature);
  return std::round(on_step * 1e6) / 1e6;  // 21.1, not 21.100000000000001
}

Prepared set_temperature(Climate& climate, const json::object& data) {
  const auto target = checked_temperature(climate, data, "temperature");
  if (!target) return std::unexpected(target.error());
  const auto low = checked_temperature(climate, data, "target_temp_low");
  if (!low) return std::unexpected(low.error());
  const auto high = checked_temperature(climate, data, "target_temp_high");
  if (!high) return std::unexpected(high.error());
  const auto mode = checked_mode(climate, data);
  if (!mode) return std::unexpected(mode.error());
  if (low->has_value() != high->has_value() || target->has_value() == low->has_value()) {
    return base::fail(base::ErrorCode::invalid,
                      "temperature: expected either temperature, or target_temp_low and target_temp_high");
  }
  if (*target && !climate.capabilities().target_temperature) return cannot(climate, "hold one temperature");
  if (*low && !climate.capabilities().target_range) return cannot(climate, "hold a temperature between two");
  if (*low && **low > **high) {
    return base::fail(base::ErrorCode::invalid, "target_temp_low: expected at most target_temp_high");
  }
  return set(climate, {.mode = *mode, .temperature = *target, .temperature_low = *low, .temperature_high = *high});
}

Prepared set_hvac_mode(Climate& climate, const json::object& data) {
  const auto mode = checked_mode(climate, data);
  if (!mode) return std::unexpected(mode.error());
  return set(climate, {.mode = *mode});
}

Prepared turn_on(Climate& climate, const json::object&) {
  if (auto able = climate.supports("turn_on"); !able) return std::unexpected(able.error());
  return set(climate, {.mode = climate.mode_when_on()});
}

Prepared turn_off(Climate& climate, const json::object&) {
  if (auto able = climate.supports("turn_off"); !able) return std::unexpected(able.error());
  return set(climate, {.mode = HvacMode::off});
}

Prepared toggle(Climate& climate, const json::object& data) {
  const bool off = !climate.state() || climate.state()->mode == HvacMode::off;
  return off ? turn_on(climate, data) : turn_off(climate, data);
}

Prepared set_humidity(Climate& climate, const json::object& data) {
  const ClimateCapabilities& can = climate.capabilities();
  const int humidity = static_cast<int>(data.at("humidity").get_int64());
  if (!can.target_humidity) return cannot(climate, "hold a humidity");
  if (humidity < can.min_humidity || humidity > can.max_humidity) {
    return base::fail(base::ErrorCode::invalid, fmt::format("humidity: {} takes {} to {}, got {}", climate.entity_id(),
                                                            can.min_humidity, can.max_humidity, humidity));
  }
  return set(climate, {.humidity = humidity});
}

// A service that picks one of the names that a device has: preset, fan or swing mode.
void add_choice(DomainServices& services, DomainService service,
                std::vector<std::string> ClimateCapabilities::* choices,
                std::optional<std::string> ClimateCommand::* chosen, std::string what) {
  const std::string key = service.fields.front().name;
  services.add<Climate>(std::move(service), [=](Climate& climate, const json::object& data) -> Prepared {
    const std::vector<std::string>& names = climate.capabilities().*choices;
    const std::string name(data.at(key).get_string());
    if (names.empty()) return cannot(climate, fmt::format("change its {}", what));
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      return cannot(climate, fmt::format("change its {} to {}; it has {}", what, base::to_json(json::value(name)),
                                         fmt::join(names, ", ")));
    }
    ClimateCommand command;
    command.*chosen = name;
    return set(climate, std::move(command));
  });
}

}  // namespace

void add_climate_services(DomainServices& services) {
  core::Field mode{"hvac_mode", "What to do from now on.", "heat",
                   field::Option{{"off", "heat", "cool", "heat_cool", "auto", "dry", "fan_only"}}};
  const field::Number degrees{kColdest, kHottest};
  services.add<Climate>({"turn_on", "Turn on", "Turns thermostats on, in the mode they were in last."}, turn_on);
  services.add<Climate>({"turn_off", "Turn off", "Turns thermostats off."}, turn_off);
  services.add<Climate>({"toggle", "Toggle", "Turns thermostats on that are off, and off that are on."}, toggle);
  services.add<Climate>({"set_temperature",
                         "Set target temperature",
                         "Sets the temperature to hold, or the two to stay between.",
                         {{"temperature", "The temperature to hold.", 21.5, degrees},
                          {"target_temp_high", "The highest temperature to allow.", 26, degrees},
                          {"target_temp_low", "The lowest temperature to allow.", 20, degrees},
                          mode}},
                        set_temperature);
  mode.required = true;
  services.add<Climate>({"set_hvac_mode", "Set mode", "Sets what thermostats do.", {mode}}, set_hvac_mode);
  services.add<Climate>({"set_humidity",
                         "Set target humidity",
                         "Sets the humidity to hold.",
                         {{"humidity", "Relative humidity in percent.", 55, field::Integer{0, 100}, true}}},
                        set_humidity);
  const auto choice = [](const char* name, const char* description, const char* example) {
    return std::vector{core::Field{name, description, example, field::Text{}, true}};
  };
  add_choice(services,
             {"set_preset_mode", "Set preset mode", "Sets a preset.",
              choice("preset_mode", "A preset from the thermostat's preset_modes.", "away")},
             &ClimateCapabilities::presets, &ClimateCommand::preset, "preset");
  add_choice(services,
             {"set_fan_mode", "Set fan mode", "Sets how the fan runs.",
              choice("fan_mode", "A mode from the device's fan_modes.", "auto")},
             &ClimateCapabilities::fan_modes, &ClimateCommand::fan_mode, "fan mode");
  add_choice(services,
             {"set_swing_mode", "Set swing mode", "Sets how the air swings.",
              choice("swing_mode", "A mode from the device's swing_modes.", "vertical")},
             &ClimateCapabilities::swing_modes, &ClimateCommand::swing_mode, "swing mode");
  add_choice(services,
             {"set_swing_horizontal_mode", "Set horizontal swing mode", "Sets how the air swings from side to side.",
              choice("swing_horizontal_mode", "A mode from the device's swing_horizontal_modes.", "on")},
             &ClimateCapabilities::swing_horizontal_modes, &ClimateCommand::swing_horizontal_mode,
             "horizontal swing mode");
}

}  // namespace hearth::domains
