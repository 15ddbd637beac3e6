// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "api/gateway/message_reader.h"
#include "api/rows.h"
#include "core/values/units.h"

namespace hearth::api {
namespace {

// The device classes of sensors whose states are numbers: all but those that are times or one of some words.
constexpr std::string_view kNumericClasses[] = {
    "absolute_humidity",
    "apparent_power",
    "aqi",
    "area",
    "atmospheric_pressure",
    "battery",
    "blood_glucose_concentration",
    "carbon_dioxide",
    "carbon_monoxide",
    "conductivity",
    "current",
    "data_rate",
    "data_size",
    "distance",
    "duration",
    "energy",
    "energy_distance",
    "energy_storage",
    "frequency",
    "gas",
    "humidity",
    "illuminance",
    "irradiance",
    "moisture",
    "monetary",
    "nitrogen_dioxide",
    "nitrogen_monoxide",
    "nitrous_oxide",
    "ozone",
    "ph",
    "pm1",
    "pm10",
    "pm25",
    "pm4",
    "power",
    "power_factor",
    "precipitation",
    "precipitation_intensity",
    "pressure",
    "reactive_energy",
    "reactive_power",
    "signal_strength",
    "sound_pressure",
    "speed",
    "sulphur_dioxide",
    "temperature",
    "temperature_delta",
    "volatile_organic_compounds",
    "volatile_organic_compounds_parts",
    "voltage",
    "volume",
    "volume_flow_rate",
    "volume_storage",
    "water",
    "weight",
    "wind_direction",
    "wind_speed",
};

// A unit of each device class whose values can be converted. Differences of temperatures are not among them: they have
// no zero to convert from.
constexpr std::pair<std::string_view, std::string_view> kConvertibleClasses[] = {
    {"atmospheric_pressure", "hPa"},
    {"current", "A"},
    {"data_rate", "kB/s"},
    {"data_size", "MB"},
    {"distance", "m"},
    {"duration", "s"},
    {"energy", "kWh"},
    {"energy_storage", "kWh"},
    {"gas", "m³"},
    {"power", "W"},
    {"precipitation", "mm"},
    {"precipitation_intensity", "mm/h"},
    {"pressure", "hPa"},
    {"speed", "m/s"},
    {"temperature", "°C"},
    {"voltage", "V"},
    {"volume", "L"},
    {"volume_flow_rate", "m³/h"},
    {"volume_storage", "L"},
    {"water", "L"},
    {"weight", "kg"},
    {"wind_speed", "m/s"},
};

CommandResult numeric_device_classes(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  json::array classes(std::begin(kNumericClasses), std::end(kNumericClasses));
  return base::to_json(json::object{{"numeric_device_classes", std::move(classes)}});
}

CommandResult convertible_units(const CommandCall& call) {
  std::string device_class;
  MessageReader in(call.message);
  in.required("device_class", device_class);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  json::array units;
  const auto known = std::ranges::find(kConvertibleClasses, device_class, [](const auto& pair) { return pair.first; });
  if (known != std::end(kConvertibleClasses)) {
    for (const std::string_view unit : core::units_like(known->second)) units.emplace_back(unit);
  }
  return base::to_json(json::object{{"units", std::move(units)}});
}

}  // namespace

constexpr Command kSensorClassCommandRows[] = {
    {"sensor/numeric_device_classes", Access::user, numeric_device_classes, Durable::no},
    {"sensor/device_class_convertible_units", Access::user, convertible_units, Durable::no},
};
constexpr Commands kSensorClassCommands = kSensorClassCommandRows;

}  // namespace hearth::api
