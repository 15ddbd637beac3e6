// SPDX-License-Identifier: Apache-2.0
#include "core/values/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/number.h"

namespace hearth::core {
namespace {

enum class Quantity {
  temperature,
  power,
  energy,
  current,
  voltage,
  length,
  speed,
  pressure,
  mass,
  volume,
  flow,
  duration,
  data,
  data_rate,
  rain,
};

// In the quantity's base unit a value is value × factor + offset.
struct Unit {
  Quantity quantity;
  std::string_view name;
  double factor;
  double offset = 0;
};

namespace unit_table {  // keeps the names of quantities to itself
using enum Quantity;
constexpr double kInch = 0.0254, kFoot = 0.3048, kMile = 1'609.344, kNauticalMile = 1'852, kPound = 0.45359237;
constexpr double kGallon = 3.785411784, kCubicFoot = 28.316846592, kKibi = 1'024, kDay = 86'400;
constexpr double kBtu = 1'055.05585262, kInchOfMercury = 3'386.389, kMillimetreOfMercury = 133.322387415;

constexpr Unit kUnits[] = {
    {temperature, "°C", 1},
    {temperature, "°F", 5.0 / 9, -160.0 / 9},
    {temperature, "K", 1, -273.15},
    {power, "mW", 1e-3},
    {power, "W", 1},
    {power, "kW", 1e3},
    {power, "MW", 1e6},
    {power, "GW", 1e9},
    {power, "BTU/h", kBtu / 3'600},
    {energy, "mWh", 3.6},
    {energy, "Wh", 3.6e3},
    {energy, "kWh", 3.6e6},
    {energy, "MWh", 3.6e9},
    {energy, "GWh", 3.6e12},
    {energy, "J", 1},
    {energy, "kJ", 1e3},
    {energy, "MJ", 1e6},
    {energy, "GJ", 1e9},
    {energy, "kcal", 4'184},
    {current, "mA", 1e-3},
    {current, "A", 1},
    {voltage, "µV", 1e-6},
    {voltage, "mV", 1e-3},
    {voltage, "V", 1},
    {voltage, "kV", 1e3},
    {length, "mm", 1e-3},
    {length, "cm", 1e-2},
    {length, "m", 1},
    {length, "km", 1e3},
    {length, "in", kInch},
    {length, "ft", kFoot},
    {length, "yd", 3 * kFoot},
    {length, "mi", kMile},
    {length, "nmi", kNauticalMile},
    {speed, "mm/s", 1e-3},
    {speed, "m/s", 1},
    {speed, "km/h", 1 / 3.6},
    {speed, "in/s", kInch},
    {speed, "ft/s", kFoot},
    {speed, "mph", kMile / 3'600},
    {speed, "kn", kNauticalMile / 3'600},
    {pressure, "Pa", 1},
    {pressure, "hPa", 1e2},
    {pressure, "mbar", 1e2},
    {pressure, "kPa", 1e3},
    {pressure, "cbar", 1e3},
    {pressure, "bar", 1e5},
    {pressure, "mmHg", kMillimetreOfMercury},
    {pressure, "inHg", kInchOfMercury},
    {pressure, "psi", 6'894.757293168},
    {mass, "µg", 1e-9},
    {mass, "mg", 1e-6},
    {mass, "g", 1e-3},
    {mass, "kg", 1},
    {mass, "oz", kPound / 16},
    {mass, "lb", kPound},
    {mass, "st", 14 * kPound},
    {volume, "mL", 1e-3},
    {volume, "L", 1},
    {volume, "m³", 1e3},
    {volume, "fl. oz.", kGallon / 128},
    {volume, "gal", kGallon},
    {volume, "ft³", kCubicFoot},
    {volume, "CCF", 100 * kCubicFoot},
    {flow, "L/min", 1},
    {flow, "m³/h", 1e3 / 60},
    {flow, "gal/min", kGallon},
    {flow, "ft³/min", kCubicFoot},
    {duration, "ms", 1e-3},
    {duration, "s", 1},
    {duration, "min", 60},
    {duration, "h", 3'600},
    {duration, "d", kDay},
    {duration, "w", 7 * kDay},
    {data, "bit", 0.125},
    {data, "kbit", 125},
    {data, "Mbit", 125e3},
    {data, "Gbit", 125e6},
    {data, "B", 1},
    {data, "kB", 1e3},
    {data, "MB", 1e6},
    {data, "GB", 1e9},
    {data, "TB", 1e12},
    {data, "KiB", kKibi},
    {data, "MiB", kKibi* kKibi},
    {data, "GiB", kKibi* kKibi* kKibi},
    {data, "TiB", kKibi* kKibi* kKibi* kKibi},
    {data_rate, "bit/s", 0.125},
    {data_rate, "kbit/s", 125},
    {data_rate, "Mbit/s", 125e3},
    {data_rate, "Gbit/s", 125e6},
    {data_rate, "B/s", 1},
    {data_rate, "kB/s", 1e3},
    {data_rate, "MB/s", 1e6},
    {data_rate, "GB/s", 1e9},
    {rain, "mm/d", 1},
    {rain, "mm/h", 24},
    {rain, "in/d", 25.4},
    {rain, "in/h", 24 * 25.4},
};

}  // namespace unit_table
using unit_table::kUnits;

const Unit* find_unit(std::string_view name) {
  const auto found = std::ranges::find(kUnits, name, &Unit::name);
  return found == std::end(kUnits) ? nullptr : &*found;
}

}  // namespace

std::optional<double> convert_unit(double value, std::string_view from, std::string_view to) {
  const Unit *const one = find_unit(from), *const other = find_unit(to);
  if (!one || !other || one->quantity != other->quantity) return {};
  return (value * one->factor + one->offset - other->offset) / other->factor;
}

std::vector<std::string_view> units_like(std::string_view unit) {
  std::vector<std::string_view> names;
  if (const Unit* const known = find_unit(unit)) {
    for (const Unit& each : kUnits)
      if (each.quantity == known->quantity) names.push_back(each.name);
  }
  return names;
}

std::optional<std::string> convert_unit_of(std::string_view text, std::string_view from, std::string_view to) {
  const auto value = base::parse_plain_number(text);
  const auto converted = value ? convert_unit(*value, from, to) : std::nullopt;
  if (!converted || !std::isfinite(*converted)) return {};
  constexpr double kLong = 1e15;
  if (std::abs(*converted) >= kLong) return fmt::format("{}", *converted);
  constexpr int kMost = 12;
  const std::size_t point = text.find('.');
  const std::size_t digits = point == std::string_view::npos
                                 ? 0
                                 : std::min(text.find_first_not_of("0123456789", point + 1), text.size()) - point - 1;
  const double larger = std::log10(find_unit(to)->factor / find_unit(from)->factor);
  const int more = larger > 0 ? static_cast<int>(larger + 1e-9) : 0;
  return fmt::format("{:.{}f}", *converted,
                     std::min(static_cast<int>(std::min<std::size_t>(digits, kMost)) + more, kMost));
}

}  // namespace hearth::core
