// SPDX-License-Identifier: Apache-2.0
#include "energy/units.h"

#include <algorithm>
#include <array>

#include "core/values/units.h"

namespace hearth::energy {
namespace {

constexpr std::string_view kEnergyUnit = "kWh", kVolumeUnit = "m³";
// A hundredth of the currency.
constexpr std::array<std::string_view, 7> kCents = {"ct", "Ct", "cent", "Cent", "¢", "öre", "øre"};

std::optional<Shown> shown_as(std::string_view wanted, const std::string& unit) {
  if (unit.empty()) return Shown{std::string(wanted), 1};
  if (const auto factor = core::convert_unit(1, unit, wanted)) return Shown{std::string(wanted), *factor};
  return {};
}

std::string_view divisor_of(std::string_view price_unit) {
  const auto slash = price_unit.find('/');
  return slash == std::string_view::npos ? std::string_view() : price_unit.substr(slash + 1);
}

}  // namespace

std::optional<Shown> shown_unit(Role role, const std::string& unit) {
  if (is_electricity(role)) return shown_as(kEnergyUnit, unit);
  auto volume = shown_as(kVolumeUnit, unit);
  return volume || role == Role::water ? volume : shown_as(kEnergyUnit, unit);
}

std::optional<Shown> shown_unit_of_device(const Device& device, const std::string& unit) {
  return shown_unit(device.water ? Role::water : Role::grid_in, unit);
}

double price_factor(Role role, const std::string& meter_unit, std::string_view price_unit) {
  const auto shown = shown_unit(role, meter_unit);
  if (!shown) return 1;
  const std::string_view money = price_unit.substr(0, price_unit.find('/'));
  const double cents = std::ranges::find(kCents, money) != kCents.end() ? 0.01 : 1;
  if (const auto one = core::convert_unit(1, divisor_of(price_unit), shown->unit)) return cents / *one;
  // Of gas a price without a unit is that of a unit of the meter.
  return role == Role::gas ? cents / shown->factor : cents;
}

bool is_price_unit(Role role, std::string_view price_unit) {
  const std::string_view divisor = divisor_of(price_unit);
  const bool energy = core::convert_unit(1, divisor, kEnergyUnit).has_value();
  const bool volume = core::convert_unit(1, divisor, kVolumeUnit).has_value();
  return role == Role::water ? volume : role == Role::gas ? energy || volume : energy;
}

}  // namespace hearth::energy
