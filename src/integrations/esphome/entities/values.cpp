// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/entities/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text/number.h"

namespace hearth::integrations::esphome {
namespace {

constexpr std::uint32_t kFahrenheit = 1, kKelvin = 2;
constexpr double kFreezingInKelvin = 273.15;

// 20.000000000000004 is 20.
double without_noise(double value) {
  return std::round(value * 1e6) / 1e6;
}

}  // namespace

std::optional<double> decimal_of(float value) {
  if (!std::isfinite(value)) return {};
  return base::parse_number(fmt::format("{:.7g}", value));
}

json::value number_json(float value) {
  const auto number = decimal_of(value);
  return number ? json::value(*number) : json::value();
}

double rounded_to_step(double value, double start, double step) {
  if (!std::isnormal(step) || step < 0) return value;
  const double steps = std::round((value - start) / step);
  return std::isfinite(steps) ? without_noise(start + steps * step) : value;
}

std::optional<int> share_of(float value, int whole) {
  if (std::isnan(value)) return {};
  return static_cast<int>(std::lround(std::clamp(value, 0.0F, 1.0F) * static_cast<float>(whole)));
}

json::value percent_json(float value) {
  const auto percent = share_of(value, 100);
  return percent ? json::value(*percent) : json::value();
}

std::optional<std::string_view> word_of(std::span<const std::string_view> words, std::uint32_t number) {
  if (number >= words.size() || words[number].empty()) return {};
  return words[number];
}

std::optional<std::uint32_t> number_of(std::span<const std::string_view> words, std::string_view word) {
  const auto found = std::ranges::find(words, word);
  if (found == words.end() || word.empty()) return {};
  return static_cast<std::uint32_t>(found - words.begin());
}

json::array texts_of(const google::protobuf::RepeatedPtrField<std::string>& texts) {
  json::array cleaned;
  std::set<std::string> known;
  for (const std::string& each : texts) {
    if (cleaned.size() == kMaxList) break;
    std::string text = clean_text(each);
    if (known.insert(text).second) cleaned.emplace_back(std::move(text));
  }
  return cleaned;
}

double to_celsius(double degrees, std::uint32_t unit) {
  if (unit == kFahrenheit) return without_noise((degrees - 32) / 1.8);
  if (unit == kKelvin) return without_noise(degrees - kFreezingInKelvin);
  return degrees;
}

double from_celsius(double degrees, std::uint32_t unit) {
  if (unit == kFahrenheit) return without_noise(degrees * 1.8 + 32);
  if (unit == kKelvin) return without_noise(degrees + kFreezingInKelvin);
  return degrees;
}

}  // namespace hearth::integrations::esphome
