// SPDX-License-Identifier: Apache-2.0
#include "derived/engines/threshold.h"

#include "automation/config/parsing.h"
#include "derived/platforms.h"

namespace hearth::derived {

void Threshold::receive(const Reading& reading) {
  value_ = number_of(reading.state);
  decide();
}

void Threshold::decide() {
  if (!value_) {
    position_ = "unknown";
    on_ = {};
    return;
  }
  const auto below = [&](double limit) { return *value_ < limit - options_.hysteresis; };
  const auto above = [&](double limit) { return *value_ > limit + options_.hysteresis; };
  const auto become = [&](std::string_view position, bool on) {
    position_ = position;
    on_ = on;
  };
  const bool is_range = options_.lower && options_.upper;
  // Between the hystereses it stays as it was.
  if (!on_) on_ = is_range;
  if (is_range) {
    if (below(*options_.lower))
      become("below", false);
    else if (above(*options_.upper))
      become("above", false);
    else if (above(*options_.lower) && below(*options_.upper))
      become("in_range", true);
    return;
  }
  const double limit = options_.lower ? *options_.lower : *options_.upper;
  if (below(limit))
    become("below", options_.lower.has_value());
  else if (above(limit))
    become("above", options_.upper.has_value());
}

Output Threshold::show(const Moment&) {
  const auto number = [](std::optional<double> value) { return value ? json::value(*value) : json::value(); };
  return {.value = on_ ? json::value(*on_) : json::value(),
          .attributes = {{"entity_id", options_.source},
                         {"hysteresis", options_.hysteresis},
                         {"lower", number(options_.lower)},
                         {"position", position_},
                         {"sensor_value", number(value_)},
                         {"type", options_.lower && options_.upper ? "range"
                                  : options_.lower                 ? "lower"
                                                                   : "upper"},
                         {"upper", number(options_.upper)}}};
}

void Threshold::restore(const core::State& last, const Moment&) {
  on_ = last.value() == "on";
  const std::string position = text_attribute(&last, "position");
  for (const std::string_view known : {"below", "above", "in_range"})
    if (position == known) position_ = known;
  decide();
}

void parse_threshold(Keys& in, Plan& plan) {
  Threshold::Options options;
  options.source = read_source(in, "entity_id", plan, kNumbers);
  options.lower = in.limit("lower");
  options.upper = in.limit("upper");
  in.number("hysteresis", options.hysteresis, 0, kFar);
  plan.device_class = in.text("device_class");
  if (!options.lower && !options.upper)
    automation::note(in, in.node(), "expected lower, upper or both");
  else if (options.lower && options.upper && *options.lower >= *options.upper)
    automation::note(in, *in.find("upper"), "expected more than lower");
  plan.engine = [options] { return std::make_unique<Threshold>(options); };
}

}  // namespace hearth::derived
