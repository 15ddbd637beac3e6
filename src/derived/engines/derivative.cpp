// SPDX-License-Identifier: Apache-2.0
#include "derived/engines/derivative.h"

#include <algorithm>

#include "automation/config/parsing.h"
#include "derived/platforms.h"

namespace hearth::derived {

void Derivative::receive(const Reading& reading) {
  const auto value = number_of(reading.state);
  available_ = reading.state && reading.state->value() != core::kUnavailable;
  if (value && reading.why != Reading::Why::past) {
    const std::string unit = text_attribute(reading.state, "unit_of_measurement");
    unit_ = !options_.unit.empty() ? options_.unit
            : unit.empty()         ? std::string()
                                   : options_.unit_prefix + unit + "/" + options_.unit_time;
  }
  // A counter that begins anew has not fallen.
  const bool begins_anew =
      value && value_ && *value < *value_ && text_attribute(reading.state, "state_class") == "total_increasing";
  const bool goes_on =
      reading.why == Reading::Why::past || (reading.why == Reading::Why::change && is_known(reading.before));
  if (value && value_ && goes_on && !begins_anew && reading.at > since_) add(*value_, *value, reading.at);
  value_ = reading.why == Reading::Why::restored ? std::nullopt : value;
  since_ = reading.at;
}

void Derivative::add(double from, double to, base::Timestamp end) {
  const auto seconds = [](base::Duration span) { return std::chrono::duration<double>(span).count(); };
  const double slope = (to - from) / seconds(end - since_) / options_.prefix_factor * options_.time_seconds;
  const base::Duration window = options_.time_window;
  std::erase_if(slopes_, [&](const Slope& each) { return end - each.end >= window; });
  if (slopes_.size() == kMostSlopes) slopes_.pop_front();
  if (window.count() > 0) slopes_.push_back({since_, end, slope});
  if (end - since_ > window) {
    shown_ = slope;
    return;
  }
  double mean = 0;
  for (const Slope& each : slopes_)
    mean += each.value * seconds(each.end - std::max(each.start, end - window)) / seconds(window);
  shown_ = mean;
}

Output Derivative::show(const Moment&) {
  return {.value = shown_ ? fixed(*shown_, options_.round) : json::value(),
          .attributes = {{"source", options_.source}},
          .unit = unit_,
          .state_class = "measurement",
          .icon = "mdi:chart-line",
          .available = available_};
}

void Derivative::restore(const core::State& last, const Moment&) {
  shown_ = number_of(&last);
  if (unit_.empty()) unit_ = text_attribute(&last, "unit_of_measurement");
}

std::optional<Past> Derivative::past(const Moment&) {
  if (options_.time_window.count() == 0) return {};
  return Past{.span = options_.time_window, .most = kMostSlopes};
}

void parse_derivative(Keys& in, Plan& plan) {
  Derivative::Options options;
  options.source = read_source(in, "source", plan, kNumbers);
  in.integer("round", options.round, 0, 15);
  options.prefix_factor = read_unit_prefix(in, options.unit_prefix);
  options.time_seconds = read_unit_time(in, options.unit_time);
  options.unit = in.text("unit");
  options.time_window = in.span("time_window", base::Duration(0), base::Duration(0));
  plan.engine = [options] { return std::make_unique<Derivative>(options); };
}

}  // namespace hearth::derived
