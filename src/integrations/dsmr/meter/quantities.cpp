// SPDX-License-Identifier: Apache-2.0
#include "integrations/dsmr/meter/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/number.h"
#include "core/values/units.h"

namespace hearth::integrations::dsmr {
namespace {

constexpr Quantity energy(std::string_view key, std::string_view obis, std::string_view name) {
  return {key, obis, name, "kWh", "energy", "total_increasing"};
}
constexpr Quantity power(std::string_view key, std::string_view obis, std::string_view name) {
  return {key, obis, name, "kW", "power", "measurement"};
}
constexpr Quantity voltage(std::string_view key, std::string_view obis, std::string_view name) {
  return {key, obis, name, "V", "voltage", "measurement"};
}
constexpr Quantity current(std::string_view key, std::string_view obis, std::string_view name) {
  return {key, obis, name, "A", "current", "measurement"};
}
constexpr Quantity counter(std::string_view key, std::string_view obis, std::string_view name) {
  return {.key = key, .obis = obis, .name = name, .state_class = "total_increasing", .rare = true};
}

constexpr Quantity kElectricity[] = {
    power("current_electricity_usage", "1-0:1.7.0", "Power consumption"),
    power("current_electricity_delivery", "1-0:2.7.0", "Power production"),
    energy("electricity_used_tariff_1", "1-0:1.8.1", "Energy consumption (tariff 1)"),
    energy("electricity_used_tariff_2", "1-0:1.8.2", "Energy consumption (tariff 2)"),
    energy("electricity_delivered_tariff_1", "1-0:2.8.1", "Energy production (tariff 1)"),
    energy("electricity_delivered_tariff_2", "1-0:2.8.2", "Energy production (tariff 2)"),
    energy("electricity_imported_total", "1-0:1.8.0", "Energy consumption (total)"),
    energy("electricity_exported_total", "1-0:2.8.0", "Energy production (total)"),
    {.key = "electricity_active_tariff",
     .obis = "0-0:96.14.0",
     .name = "Active tariff",
     .device_class = "enum",
     .kind = Quantity::Kind::tariff},
    power("instantaneous_active_power_l1_positive", "1-0:21.7.0", "Power consumption phase L1"),
    power("instantaneous_active_power_l2_positive", "1-0:41.7.0", "Power consumption phase L2"),
    power("instantaneous_active_power_l3_positive", "1-0:61.7.0", "Power consumption phase L3"),
    power("instantaneous_active_power_l1_negative", "1-0:22.7.0", "Power production phase L1"),
    power("instantaneous_active_power_l2_negative", "1-0:42.7.0", "Power production phase L2"),
    power("instantaneous_active_power_l3_negative", "1-0:62.7.0", "Power production phase L3"),
    voltage("instantaneous_voltage_l1", "1-0:32.7.0", "Voltage phase L1"),
    voltage("instantaneous_voltage_l2", "1-0:52.7.0", "Voltage phase L2"),
    voltage("instantaneous_voltage_l3", "1-0:72.7.0", "Voltage phase L3"),
    current("instantaneous_current_l1", "1-0:31.7.0", "Current phase L1"),
    current("instantaneous_current_l2", "1-0:51.7.0", "Current phase L2"),
    current("instantaneous_current_l3", "1-0:71.7.0", "Current phase L3"),
    power("belgium_current_average_demand", "1-0:1.4.0", "Current average demand"),
    power("belgium_maximum_demand_current_month", "1-0:1.6.0", "Maximum demand current month"),
    counter("short_power_failure_count", "0-0:96.7.21", "Short power failures"),
    counter("long_power_failure_count", "0-0:96.7.9", "Long power failures"),
    counter("voltage_sag_l1_count", "1-0:32.32.0", "Voltage sags phase L1"),
    counter("voltage_sag_l2_count", "1-0:52.32.0", "Voltage sags phase L2"),
    counter("voltage_sag_l3_count", "1-0:72.32.0", "Voltage sags phase L3"),
    counter("voltage_swell_l1_count", "1-0:32.36.0", "Voltage swells phase L1"),
    counter("voltage_swell_l2_count", "1-0:52.36.0", "Voltage swells phase L2"),
    counter("voltage_swell_l3_count", "1-0:72.36.0", "Voltage swells phase L3"),
};

struct MbusMeter {
  int device_type;
  std::string_view device_name;
  Quantity quantity;
};

constexpr MbusMeter kMbusMeters[] = {
    {2, "Electricity submeter", energy("electricity_reading", "2", "Energy consumption")},
    {3, "Gas meter", {"hourly_gas_meter_reading", "3", "Gas consumption", "m³", "gas", "total_increasing"}},
    {4, "Heat meter", {"heat_reading", "4", "Heat consumption", "GJ", "energy", "total_increasing"}},
    {6, "Warm water meter", {"warm_water_reading", "6", "Water consumption", "m³", "water", "total_increasing"}},
    {7, "Water meter", {"water_reading", "7", "Water consumption", "m³", "water", "total_increasing"}},
    {12, "Heat meter", {"heat_inlet_reading", "12", "Heat consumption", "GJ", "energy", "total_increasing"}},
};

const MbusMeter* mbus_meter(int device_type) {
  const auto* const found = std::ranges::find(kMbusMeters, device_type, &MbusMeter::device_type);
  return found == std::end(kMbusMeters) ? nullptr : found;
}

bool has_key(std::string_view unique_id, std::string_view key) {
  return unique_id.ends_with(key) && unique_id.size() > key.size() + 1 &&
         unique_id[unique_id.size() - key.size() - 1] == '_';
}

}  // namespace

std::span<const Quantity> electricity_quantities() {
  return kElectricity;
}

const Quantity* mbus_quantity(int device_type) {
  const MbusMeter* const found = mbus_meter(device_type);
  return found ? &found->quantity : nullptr;
}

std::string_view mbus_device_name(int device_type) {
  const MbusMeter* const found = mbus_meter(device_type);
  return found ? found->device_name : std::string_view();
}

const Quantity* quantity_of_unique_id(std::string_view unique_id) {
  for (const Quantity& each : kElectricity)
    if (has_key(unique_id, each.key)) return &each;
  for (const MbusMeter& each : kMbusMeters)
    if (has_key(unique_id, each.quantity.key)) return &each.quantity;
  return nullptr;
}

std::optional<double> number_of(std::string_view value, std::string_view unit, std::string_view unit_apart) {
  const auto star = value.find('*');
  std::string_view own = star == std::string_view::npos ? unit_apart : value.substr(star + 1);
  const auto number = base::parse_plain_number(value.substr(0, star));
  // No meter counts so far.
  if (!number || std::abs(*number) > 1e12) return {};
  if (own == "m3") own = "m³";
  if (own == unit || (unit.empty() && own.empty())) return number;
  return core::convert_unit(*number, own, unit);
}

std::optional<double> mbus_reading(const Telegram& telegram, int channel, std::string_view unit) {
  // Of DSMR 4 and 5; not corrected for temperature, in Belgium; of DSMR 2.2, where the unit is a value of its own.
  for (const std::string_view part : {"24.2.1", "24.2.3", "24.3.0"}) {
    const ObisObject* const object = telegram.find(fmt::format("0-{}:{}", channel, part));
    if (!object || object->values.empty()) continue;
    const auto& values = object->values;
    const std::string_view unit_apart = values.size() > 2 ? values[values.size() - 2] : std::string_view();
    return number_of(values.back(), unit, unit_apart);
  }
  return {};
}

}  // namespace hearth::integrations::dsmr
