// SPDX-License-Identifier: Apache-2.0
#include "derived/engines/samples.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace hearth::derived {
namespace {

using Result = std::optional<double>;

double seconds_between(const Sample& from, const Sample& to) {
  return std::chrono::duration<double>(to.at - from.at).count();
}

double sum_of(const Samples& samples) {
  return std::accumulate(samples.begin(), samples.end(), 0.0,
                         [](double sum, const Sample& each) { return sum + each.value; });
}

std::vector<double> sorted(const Samples& samples) {
  std::vector<double> values;
  values.reserve(samples.size());
  for (const Sample& each : samples) values.push_back(each.value);
  std::ranges::sort(values);
  return values;
}

// The sum over neighbours of function(earlier, later).
template <class Function>
double over_pairs(const Samples& samples, Function&& function) {
  double sum = 0;
  for (std::size_t i = 1; i < samples.size(); ++i) sum += function(samples[i - 1], samples[i]);
  return sum;
}

template <class Level>
Result average_over_time(const Samples& samples, Level&& level) {
  if (samples.empty()) return {};
  const double span = seconds_between(samples.front(), samples.back());
  if (span <= 0) return samples.back().value;
  return over_pairs(samples, [&](const Sample& a, const Sample& b) { return level(a, b) * seconds_between(a, b); }) /
         span;
}

Result average_linear(const Samples& samples, int) {
  return average_over_time(samples, [](const Sample& a, const Sample& b) { return (a.value + b.value) / 2; });
}
Result average_step(const Samples& samples, int) {
  return average_over_time(samples, [](const Sample& a, const Sample&) { return a.value; });
}
Result mean(const Samples& samples, int) {
  if (samples.empty()) return {};
  return sum_of(samples) / static_cast<double>(samples.size());
}
Result change(const Samples& samples, int) {
  if (samples.empty()) return {};
  return samples.back().value - samples.front().value;
}
Result change_sample(const Samples& samples, int) {
  if (samples.empty()) return {};
  if (samples.size() == 1) return 0.0;
  return (samples.back().value - samples.front().value) / static_cast<double>(samples.size() - 1);
}
Result change_second(const Samples& samples, int) {
  if (samples.empty()) return {};
  const double span = seconds_between(samples.front(), samples.back());
  return span <= 0 ? 0.0 : (samples.back().value - samples.front().value) / span;
}
Result count(const Samples& samples, int) {
  return static_cast<double>(samples.size());
}
Result count_on(const Samples& samples, int) {
  return sum_of(samples);
}
Result count_off(const Samples& samples, int) {
  return static_cast<double>(samples.size()) - sum_of(samples);
}
double time_of(const Sample& sample) {
  return std::chrono::duration<double>(sample.at.time_since_epoch()).count();
}
Result datetime_newest(const Samples& samples, int) {
  return samples.empty() ? Result() : time_of(samples.back());
}
Result datetime_oldest(const Samples& samples, int) {
  return samples.empty() ? Result() : time_of(samples.front());
}
Result datetime_value_max(const Samples& samples, int) {
  return samples.empty() ? Result() : time_of(*std::ranges::max_element(samples, {}, &Sample::value));
}
Result datetime_value_min(const Samples& samples, int) {
  return samples.empty() ? Result() : time_of(*std::ranges::min_element(samples, {}, &Sample::value));
}
Result variance(const Samples& samples, int) {
  if (samples.empty()) return {};
  if (samples.size() == 1) return 0.0;
  const double middle = sum_of(samples) / static_cast<double>(samples.size());
  double squares = 0;
  for (const Sample& each : samples) squares += (each.value - middle) * (each.value - middle);
  return squares / static_cast<double>(samples.size() - 1);
}
Result standard_deviation(const Samples& samples, int) {
  const Result squared = variance(samples, 0);
  return squared ? Result(std::sqrt(*squared)) : Result();
}
// If the values are spread normally.
Result distance_95(const Samples& samples, int) {
  const Result deviation = standard_deviation(samples, 0);
  return deviation ? Result(2 * 1.96 * *deviation) : Result();
}
Result distance_99(const Samples& samples, int) {
  const Result deviation = standard_deviation(samples, 0);
  return deviation ? Result(2 * 2.58 * *deviation) : Result();
}
Result value_max(const Samples& samples, int) {
  return samples.empty() ? Result() : std::ranges::max_element(samples, {}, &Sample::value)->value;
}
Result value_min(const Samples& samples, int) {
  return samples.empty() ? Result() : std::ranges::min_element(samples, {}, &Sample::value)->value;
}
Result distance_absolute(const Samples& samples, int) {
  return samples.empty() ? Result() : *value_max(samples, 0) - *value_min(samples, 0);
}
// Of directions in degrees.
Result mean_circular(const Samples& samples, int) {
  if (samples.empty()) return {};
  double sine = 0, cosine = 0;
  for (const Sample& each : samples) {
    sine += std::sin(each.value * std::numbers::pi / 180);
    cosine += std::cos(each.value * std::numbers::pi / 180);
  }
  return std::fmod(360 + std::atan2(sine, cosine) * 180 / std::numbers::pi, 360);
}
Result median(const Samples& samples, int) {
  if (samples.empty()) return {};
  const auto values = sorted(samples);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}
Result noisiness(const Samples& samples, int) {
  if (samples.empty()) return {};
  if (samples.size() == 1) return 0.0;
  return over_pairs(samples, [](const Sample& a, const Sample& b) { return std::abs(b.value - a.value); }) /
         static_cast<double>(samples.size() - 1);
}
// As Python's statistics.quantiles, exclusive.
Result percentile(const Samples& samples, int percent) {
  if (samples.empty()) return {};
  const auto values = sorted(samples);
  const std::size_t n = values.size();
  if (n == 1) return values.front();
  const std::size_t scaled = static_cast<std::size_t>(percent) * (n + 1);
  const std::size_t j = std::clamp<std::size_t>(scaled / 100, 1, n - 1);
  const double share = (static_cast<double>(scaled) - static_cast<double>(j) * 100) / 100;
  return values[j - 1] * (1 - share) + values[j] * share;
}
Result sum(const Samples& samples, int) {
  return samples.empty() ? Result() : sum_of(samples);
}
Result sum_differences(const Samples& samples, int) {
  if (samples.empty()) return {};
  return over_pairs(samples, [](const Sample& a, const Sample& b) { return std::abs(b.value - a.value); });
}
// Of a counter: a fall means that it has begun anew.
Result sum_differences_nonnegative(const Samples& samples, int) {
  if (samples.empty()) return {};
  return over_pairs(samples,
                    [](const Sample& a, const Sample& b) { return b.value >= a.value ? b.value - a.value : b.value; });
}

constexpr Characteristic kCharacteristics[] = {
    {"average_linear", &average_linear},
    {"average_step", &average_step, true, true},
    {"average_timeless", &mean, true, true},
    {"change", &change},
    {"change_sample", &change_sample, true, false, Characteristic::Unit::per_sample},
    {"change_second", &change_second, true, false, Characteristic::Unit::per_second},
    {"count", &count, true, true, Characteristic::Unit::none},
    {"count_off", &count_off, false, true, Characteristic::Unit::none},
    {"count_on", &count_on, false, true, Characteristic::Unit::none},
    {"datetime_newest", &datetime_newest, true, true, Characteristic::Unit::time},
    {"datetime_oldest", &datetime_oldest, true, true, Characteristic::Unit::time},
    {"datetime_value_max", &datetime_value_max, true, false, Characteristic::Unit::time},
    {"datetime_value_min", &datetime_value_min, true, false, Characteristic::Unit::time},
    {"distance_95_percent_of_values", &distance_95},
    {"distance_99_percent_of_values", &distance_99},
    {"distance_absolute", &distance_absolute},
    {"mean", &mean, true, true},
    {"mean_circular", &mean_circular},
    {"median", &median},
    {"noisiness", &noisiness},
    {"percentile", &percentile},
    {"standard_deviation", &standard_deviation},
    {"sum", &sum},
    {"sum_differences", &sum_differences},
    {"sum_differences_nonnegative", &sum_differences_nonnegative},
    {"total", &sum},
    {"value_max", &value_max},
    {"value_min", &value_min},
    {"variance", &variance, true, false, Characteristic::Unit::squared},
};

}  // namespace

const Characteristic* find_characteristic(std::string_view name) {
  const auto found = std::ranges::find(kCharacteristics, name, &Characteristic::name);
  return found == std::end(kCharacteristics) ? nullptr : &*found;
}

std::vector<std::string_view> characteristic_names() {
  std::vector<std::string_view> names;
  for (const Characteristic& each : kCharacteristics) names.push_back(each.name);
  return names;
}

}  // namespace hearth::derived
