// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "domains/climate/climate.h"

namespace hearth::domains {
namespace {

using Prepared = DomainServices::Prepared;

Prepared set(Climate& climate, ClimateCommand command) {
  return [&climate, command = std::move(command)] { climate.device().set(command); };
}

// The mode in the data, null if absent.
base::Result<std::optional<std::string>> checked_mode(const Climate& climate, const json::object& data) {
  const json::value* name = data.if_contains("hvac_mode");
  if (!name) return std::nullopt;
  std::string mode(name->get_string());
  const std::vector<std::string>& modes = climate.capabilities().modes;
  if (std::ranges::find(modes, mode) != modes.end()) return mode;
  return cannot(climate, fmt::format("run in the hvac_mode {}; it has {}", mode, fmt::join(modes, ", ")));
}

// The temperature in the data, rounded to the device's step; null if absent.
base::Result<std::optional<double>> checked_temperature(const Climate& climate, const json::object& data,
                                                        std::string_view key) {
  const json::value* value = data.if_contains(key);
  if (!value) return std::nullopt;
  const ClimateCapabilities& can = climate.capabilities();
  const double wanted = value->get_double();
  // Written so that a NaN as a bound allows nothing.
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
  if (auto able = climate.can("turn_on", {}); !able) return std::unexpected(able.error());
  return set(climate, {.mode = climate.mode_when_on()});
}

Prepared turn_off(Climate& climate, const json::object&) {
  if (auto able = climate.can("turn_off", {}); !able) return std::unexpected(able.error());
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

// A service that selects one of the device's names: preset, fan or swing mode.
void add_choice(DomainServices& services, std::string_view service, std::string key,
                std::vector<std::string> ClimateCapabilities::* choices,
                std::optional<std::string> ClimateCommand::* chosen, std::string what) {
  services.add<Climate>(service, [=](Climate& climate, const json::object& data) -> Prepared {
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
  services.add<Climate>("turn_on", turn_on);
  services.add<Climate>("turn_off", turn_off);
  services.add<Climate>("toggle", toggle);
  services.add<Climate>("set_temperature", set_temperature);
  services.add<Climate>("set_hvac_mode", set_hvac_mode);
  services.add<Climate>("set_humidity", set_humidity);
  add_choice(services, "set_preset_mode", "preset_mode", &ClimateCapabilities::presets, &ClimateCommand::preset,
             "preset");
  add_choice(services, "set_fan_mode", "fan_mode", &ClimateCapabilities::fan_modes, &ClimateCommand::fan_mode,
             "fan mode");
  add_choice(services, "set_swing_mode", "swing_mode", &ClimateCapabilities::swing_modes, &ClimateCommand::swing_mode,
             "swing mode");
  add_choice(services, "set_swing_horizontal_mode", "swing_horizontal_mode",
             &ClimateCapabilities::swing_horizontal_modes, &ClimateCommand::swing_horizontal_mode,
             "horizontal swing mode");
}

}  // namespace hearth::domains
