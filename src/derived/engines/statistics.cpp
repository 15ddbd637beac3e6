// SPDX-License-Identifier: Apache-2.0
#include "derived/engines/statistics.h"

#include <fmt/format.h>

#include <cmath>

#include "automation/config/parsing.h"
#include "base/text/timestamp.h"
#include "derived/platforms.h"

namespace hearth::derived {

using StatisticUnit = Characteristic::Unit;

void Statistics::receive(const Reading& reading) {
  const bool past = reading.why == Reading::Why::past;
  if (!past) available_ = !reading.state || reading.state->value() != core::kUnavailable;
  if (!is_known(reading.state)) {
    if (!past) valid_ = available_ ? json::value(false) : json::value();
    return;
  }
  auto value = number_of(reading.state);
  if (is_binary()) {
    value = {};
    if (reading.state->value() == "on") value = 1;
    if (reading.state->value() == "off") value = 0;
  }
  valid_ = value.has_value();
  if (!value) return;
  if (!past) {
    source_unit_ = text_attribute(reading.state, "unit_of_measurement");
    source_class_ = text_attribute(reading.state, "device_class");
  }
  // Values that history has told already.
  if (reading.why != Reading::Why::change && !samples_.empty() && reading.at <= samples_.back().at) return;
  if (samples_.size() == most()) samples_.pop_front();
  samples_.push_back({reading.at, *value});
}

void Statistics::drop_old(base::Timestamp now) {
  if (options_.max_age.count() == 0) return;
  const std::size_t kept = options_.keep_last_sample ? 1 : 0;
  while (samples_.size() > kept && samples_.front().at + options_.max_age < now) samples_.pop_front();
}

std::optional<base::Timestamp> Statistics::next(const Moment&) {
  if (options_.max_age.count() == 0 || samples_.empty()) return {};
  if (options_.keep_last_sample && samples_.size() == 1) return {};
  return samples_.front().at + options_.max_age + base::Duration(1);
}

json::value Statistics::value() const {
  const Characteristic& of = *options_.characteristic;
  const auto number = of.of(samples_, options_.percentile);
  if (!number || !std::isfinite(*number)) return {};
  if (of.unit == StatisticUnit::time)
    return json::string(base::to_string(base::Timestamp(base::Duration(std::llround(*number * 1e6)))));
  if (of.unit == StatisticUnit::none) return fixed(*number, 0);
  return rounded(is_binary() ? *number * 100 : *number, options_.precision);
}

std::string Statistics::unit() const {
  switch (options_.characteristic->unit) {
    case StatisticUnit::source:
      return is_binary() ? "%" : source_unit_;
    case StatisticUnit::squared:
      return source_unit_.empty() ? "" : source_unit_ + "²";
    case StatisticUnit::per_sample:
      return source_unit_.empty() ? "" : source_unit_ + "/sample";
    case StatisticUnit::per_second:
      return source_unit_.empty() ? "" : source_unit_ + "/s";
    default:
      return {};
  }
}

Output Statistics::show(const Moment& now) {
  drop_old(now.time);
  const Characteristic& of = *options_.characteristic;
  const bool is_time = of.unit == StatisticUnit::time;
  Output shown{.value = value(), .unit = unit(), .icon = "mdi:calculator", .available = available_};
  if (is_time)
    shown.device_class = "timestamp";
  else
    shown.state_class = "measurement";
  if (of.unit == StatisticUnit::source && !is_binary()) shown.device_class = source_class_;
  // A device class such as energy knows only sums.
  if (shown.device_class == "energy" || shown.device_class == "gas" || shown.device_class == "water")
    shown.state_class = "total";
  const auto share = [](double part, double whole) { return std::round(part / whole * 100) / 100; };
  if (options_.sampling_size)
    shown.attributes["buffer_usage_ratio"] =
        share(static_cast<double>(samples_.size()), static_cast<double>(options_.sampling_size));
  if (options_.max_age.count()) {
    const base::Duration covered = samples_.empty() ? base::Duration(0) : samples_.back().at - samples_.front().at;
    shown.attributes["age_coverage_ratio"] =
        samples_.empty()
            ? json::value()
            : json::value(share(static_cast<double>(covered.count()), static_cast<double>(options_.max_age.count())));
  }
  shown.attributes["source_value_valid"] = valid_;
  return shown;
}

std::optional<Past> Statistics::past(const Moment&) {
  constexpr base::Duration kLongest = std::chrono::days(10);
  return Past{.span = options_.max_age.count() ? options_.max_age : kLongest, .most = most()};
}

void parse_statistics(Keys& in, Plan& plan) {
  Statistics::Options options;
  options.source = read_source(in, "entity_id", plan, "sensor binary_sensor input_number number counter");
  const std::string name = in.text("state_characteristic");
  in.describe_choice("state_characteristic", characteristic_names(), "");
  in.require("state_characteristic");
  const base::ConfigNode* const characteristic = in.find("state_characteristic");
  options.characteristic = find_characteristic(name);
  const bool binary = options.source.starts_with("binary_sensor.");
  if (characteristic && !options.characteristic) {
    const auto known = characteristic_names();
    automation::note(in, *characteristic, automation::unknown_name("characteristic", name, known));
  } else if (characteristic && !(binary ? options.characteristic->binary : options.characteristic->numbers)) {
    automation::note(in, *characteristic,
                     fmt::format("{} is not for a source that is {}", name, binary ? "on or off" : "a number"));
  }
  // With max_age a size is only a bound, which may be lower.
  constexpr std::int64_t kAny = 1'000'000'000;
  const base::ConfigNode* const size = in.find("sampling_size");
  in.integer("sampling_size", options.sampling_size, 1,
             size && in.find("max_age") ? kAny : static_cast<std::int64_t>(Statistics::kMostSamples));
  if (options.sampling_size > Statistics::kMostSamples) {
    options.sampling_size = Statistics::kMostSamples;
    plan.warning = size->error(fmt::format("only the last {} samples are kept", Statistics::kMostSamples)).message;
  }
  options.max_age = in.span("max_age", base::Duration(0), std::chrono::milliseconds(1));
  if (!in.find("sampling_size") && !in.find("max_age"))
    automation::note(in, in.node(), "expected sampling_size, max_age or both");
  in.boolean("keep_last_sample", options.keep_last_sample);
  in.integer("precision", options.precision, 0, 15);
  in.integer("percentile", options.percentile, 1, 99);
  if (options.keep_last_sample && !in.find("max_age"))
    automation::note(in, *in.find("keep_last_sample"), "needs max_age");
  plan.engine = [options] { return std::make_unique<Statistics>(options); };
}

}  // namespace hearth::derived
