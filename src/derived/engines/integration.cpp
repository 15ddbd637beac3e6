// SPDX-License-Identifier: Apache-2.0
#include "derived/engines/integration.h"

#include "automation/config/parsing.h"
#include "core/values/units.h"
#include "derived/platforms.h"

namespace hearth::derived {

void Integration::receive(const Reading& reading) {
  available_ = reading.state && reading.state->value() != core::kUnavailable;
  const auto value = number_of(reading.state);
  if (value) {
    const std::string unit = text_attribute(reading.state, "unit_of_measurement");
    // l/h over hours are l, W over hours are Wh.
    const std::string per = "/" + options_.unit_time;
    std::string whole;
    if (unit.ends_with(per))
      whole = options_.unit_prefix + unit.substr(0, unit.size() - per.size());
    else if (!unit.empty())
      whole = options_.unit_prefix + unit + options_.unit_time;
    if (sum_ && !unit_.empty() && unit_ != whole) sum_ = core::convert_unit(*sum_, unit_, whole).value_or(*sum_);
    unit_ = whole;
    device_class_ =
        text_attribute(reading.state, "device_class") == "power" && options_.unit_time == "h" ? "energy" : "";
  }
  // The time before the hub's start, and before the source was back, is not known.
  if (value && value_ && reading.why == Reading::Why::change && is_known(reading.before) && reading.at > since_)
    add(*value_, *value, reading.at - since_);
  value_ = reading.why == Reading::Why::restored ? std::nullopt : value;
  since_ = reading.at;
}

void Integration::add(double from, double to, base::Duration span) {
  const double level = options_.method == Method::left ? from : options_.method == Method::right ? to : (from + to) / 2;
  sum_ = sum_.value_or(0) +
         level * std::chrono::duration<double>(span).count() / options_.time_seconds / options_.prefix_factor;
}

Output Integration::show(const Moment& now) {
  if (const auto due = next(now); due && *due <= now.time) {
    add(*value_, *value_, now.time - since_);
    since_ = now.time;
  }
  return {.value = sum_ ? fixed(*sum_, options_.round) : json::value(),
          .attributes = {{"source", options_.source}},
          .unit = unit_,
          .device_class = device_class_,
          .state_class = "total",
          .icon = device_class_.empty() ? "mdi:chart-histogram" : "",
          .available = available_};
}

std::optional<base::Timestamp> Integration::next(const Moment&) {
  if (!value_ || options_.max_sub_interval.count() == 0) return {};
  return since_ + options_.max_sub_interval;
}

void Integration::restore(const core::State& last, const Moment&) {
  const auto sum = number_of(&last);
  if (!sum) return;
  sum_ = sum;
  const std::string unit = text_attribute(&last, "unit_of_measurement");
  if (unit_.empty())
    unit_ = unit;
  else if (unit != unit_)  // of another prefix, or another time
    sum_ = core::convert_unit(*sum, unit, unit_);
  if (device_class_.empty()) device_class_ = text_attribute(&last, "device_class");
}

void parse_integration(Keys& in, Plan& plan) {
  using Method = Integration::Method;
  Integration::Options options;
  options.source = read_source(in, "source", plan, kNumbers);
  in.option<Method>("method", options.method,
                    {{"trapezoidal", Method::trapezoidal}, {"left", Method::left}, {"right", Method::right}});
  in.integer("round", options.round, 0, 15);
  options.prefix_factor = read_unit_prefix(in, options.unit_prefix);
  options.time_seconds = read_unit_time(in, options.unit_time);
  options.max_sub_interval = in.span("max_sub_interval", base::Duration(0), std::chrono::seconds(1));
  plan.engine = [options] { return std::make_unique<Integration>(options); };
}

}  // namespace hearth::derived
