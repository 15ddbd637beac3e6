// SPDX-License-Identifier: Apache-2.0
// The sensors of Tasmota devices: {"sn":{"Time":…,"AM2301":{"Temperature":21.3},"TempUnit":"C"},"ver":1}
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "integrations/mqtt/discovery/tasmota.h"
#include "integrations/mqtt/discovery/tasmota_device.h"

namespace hearth::integrations::mqtt {
namespace {

constexpr std::size_t kMaxSensors = 500;

struct Quantity {
  std::string_view name, device_class, unit, state_class;
};
constexpr std::string_view kMeasured = "measurement", kCounted = "total_increasing";
constexpr Quantity kQuantities[] = {
    {"Ampere", "current", "A", kMeasured},
    {"ApparentPower", "apparent_power", "VA", kMeasured},
    {"Battery", "battery", "%", kMeasured},
    {"CO2", "carbon_dioxide", "ppm", kMeasured},
    {"CarbonDioxide", "carbon_dioxide", "ppm", kMeasured},
    {"CarbonMonoxide", "carbon_monoxide", "ppm", kMeasured},
    {"Current", "current", "A", kMeasured},
    {"DewPoint", "temperature", "", kMeasured},
    {"Distance", "distance", "cm", kMeasured},
    {"ExportActive", "energy", "kWh", kCounted},
    {"Factor", "power_factor", "", kMeasured},
    {"Frequency", "frequency", "Hz", kMeasured},
    {"Humidity", "humidity", "%", kMeasured},
    {"Illuminance", "illuminance", "lx", kMeasured},
    {"ImportActive", "energy", "kWh", kCounted},
    {"Moisture", "moisture", "%", kMeasured},
    {"PM1", "pm1", "µg/m³", kMeasured},
    {"PM10", "pm10", "µg/m³", kMeasured},
    {"PM2.5", "pm25", "µg/m³", kMeasured},
    {"Power", "power", "W", kMeasured},
    {"Pressure", "pressure", "", kMeasured},
    {"ReactivePower", "reactive_power", "var", kMeasured},
    {"SeaPressure", "pressure", "", kMeasured},
    {"Temperature", "temperature", "", kMeasured},
    {"Today", "energy", "kWh", kCounted},
    {"Total", "energy", "kWh", kCounted},
    {"Voltage", "voltage", "V", kMeasured},
    {"Weight", "weight", "kg", kMeasured},
    {"Yesterday", "energy", "kWh", ""},
};
// Keys beside the sensors.
constexpr std::string_view kNoSensors[] = {"Time", "TempUnit", "PressureUnit", "SpeedUnit", "TotalStartTime", "Id"};

std::string unit_of(const Quantity& quantity, const json::object& sensors) {
  const auto unit = [&](std::string_view key, std::string_view otherwise) {
    const json::value* const value = sensors.if_contains(key);
    return value && value->is_string() ? std::string(value->get_string()) : std::string(otherwise);
  };
  if (quantity.device_class == "temperature") return "°" + unit("TempUnit", "C");
  if (quantity.device_class == "pressure") return unit("PressureUnit", "hPa");
  return std::string(quantity.unit);
}

// Any text within a template: 'AM2301'.
std::string quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + '\'';
}

class Collector {
 public:
  Collector(const TasmotaDevice& device, const json::object& sensors, DiscoveryMessage& message)
      : device_(device), sensors_(sensors), message_(message) {}

  // `path`: how templates reach the value; `names`: what people read.
  void collect(const json::value& value, const std::string& path, const std::string& name, std::string_view last,
               int depth) {
    if (message_.components.size() >= kMaxSensors || depth > 4) return;
    if (value.is_object()) {
      for (const auto& [key, each] : value.get_object()) {
        if (std::ranges::find(kNoSensors, std::string_view(key)) != std::end(kNoSensors)) continue;
        if (depth == 0 && (std::string_view(key).starts_with("Shutter") || std::string_view(key).starts_with("Switch")))
          continue;
        collect(each, fmt::format("{}[{}]", path, quoted(key)),
                name.empty() ? std::string(key) : fmt::format("{} {}", name, std::string_view(key)), key, depth + 1);
      }
    } else if (value.is_array()) {
      for (std::size_t i = 0; i < std::min<std::size_t>(value.get_array().size(), 16); ++i)
        collect(value.get_array()[i], fmt::format("{}[{}]", path, i), fmt::format("{} {}", name, i), last, depth + 1);
    } else if (depth > 0) {
      add(path, name, last, value.is_number());
    }
  }

 private:
  void add(const std::string& path, const std::string& name, std::string_view last, bool is_number) {
    json::object keys{
        {"name", name},
        {"state_topic", device_.tele("SENSOR")},
        {"value_template", fmt::format("{{{{ value_json{0} if value_json{0} is defined else '' }}}}", path)}};
    const auto* const quantity = std::ranges::find(kQuantities, last, &Quantity::name);
    if (quantity != std::end(kQuantities) && is_number) {
      keys["device_class"] = quantity->device_class;
      if (!quantity->state_class.empty()) keys["state_class"] = quantity->state_class;
      if (const std::string unit = unit_of(*quantity, sensors_); !unit.empty()) keys["unit_of_measurement"] = unit;
    }
    std::string id = name;
    std::ranges::replace(id, ' ', '_');
    message_.components.push_back(device_.describe("sensor", id, std::move(keys)));
  }

  const TasmotaDevice& device_;
  const json::object& sensors_;
  DiscoveryMessage& message_;
};

}  // namespace

base::Result<DiscoveryMessage> parse_tasmota_sensors(std::string_view mac, std::string_view payload,
                                                     std::string_view config) {
  if (config.empty()) return base::fail(base::ErrorCode::invalid, "expected a message at config first");
  const auto device = TasmotaDevice::parse(mac, config);
  if (!device) return std::unexpected(device.error());
  const auto parsed = base::parse_json(payload);
  if (!parsed) return base::fail(base::ErrorCode::invalid, fmt::format("not JSON: {}", parsed.error().message));
  const json::object* const object = parsed->if_object();
  const json::value* const sensors = object ? object->if_contains("sn") : nullptr;
  if (!sensors || !sensors->is_object()) return base::fail(base::ErrorCode::invalid, "sn: expected an object");
  DiscoveryMessage message;
  Collector(*device, sensors->get_object(), message).collect(*sensors, {}, {}, {}, 0);
  return message;
}

}  // namespace hearth::integrations::mqtt
