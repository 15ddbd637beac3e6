// SPDX-License-Identifier: Apache-2.0
#include "derived/engines/trend.h"

#include <cmath>

#include "automation/conditions/comparison.h"
#include "automation/config/parsing.h"
#include "derived/platforms.h"

namespace hearth::derived {

void Trend::receive(const Reading& reading) {
  if (!reading.state) return;
  std::optional<double> value;
  if (options_.attribute.empty()) {
    value = number_of(reading.state);
  } else if (is_known(reading.state)) {
    const json::object attributes = reading.state->attributes();
    if (const json::value* const found = attributes.if_contains(options_.attribute))
      value = automation::number_of(*found);
  }
  if (!value) return;
  // Values that history has told already.
  if (reading.why != Reading::Why::change && !samples_.empty() && reading.at <= samples_.back().at) return;
  if (samples_.size() == options_.max_samples) samples_.pop_front();
  samples_.push_back({reading.at, *value});
}

std::optional<double> Trend::slope() const {
  // From the middle, so that the squares stay exact.
  const auto n = static_cast<double>(samples_.size());
  double at = 0, value = 0;
  const auto seconds = [&](const Sample& each) {
    return std::chrono::duration<double>(each.at - samples_.front().at).count();
  };
  for (const Sample& each : samples_) {
    at += seconds(each) / n;
    value += each.value / n;
  }
  double squares = 0, products = 0;
  for (const Sample& each : samples_) {
    squares += (seconds(each) - at) * (seconds(each) - at);
    products += (seconds(each) - at) * (each.value - value);
  }
  if (squares <= 0) return {};
  return products / squares;
}

Output Trend::show(const Moment& now) {
  if (options_.sample_duration.count())
    while (!samples_.empty() && samples_.front().at + options_.sample_duration < now.time) samples_.pop_front();
  if (samples_.size() >= options_.min_samples) {
    if (const auto found = slope()) {
      gradient_ = *found;
      const double least = options_.min_gradient;
      on_ = std::abs(gradient_) > std::abs(least) && std::signbit(gradient_) == std::signbit(least);
      if (options_.invert) on_ = !*on_;
    }
  }
  return {.value = on_ ? json::value(*on_) : json::value(),
          .attributes = {
              {"entity_id", options_.source},
              {"gradient", gradient_},
              {"invert", options_.invert},
              {"min_gradient", options_.min_gradient},
              {"sample_count", samples_.size()},
              {"sample_duration", std::chrono::duration_cast<std::chrono::seconds>(options_.sample_duration).count()}}};
}

std::optional<base::Timestamp> Trend::next(const Moment&) {
  if (!options_.sample_duration.count() || samples_.empty()) return {};
  return samples_.front().at + options_.sample_duration + base::Duration(1);
}

void Trend::restore(const core::State& last, const Moment&) {
  if (!on_) on_ = last.value() == "on";
}

std::optional<Past> Trend::past(const Moment&) {
  // History has no attributes.
  if (!options_.sample_duration.count() || !options_.attribute.empty()) return {};
  return Past{.span = options_.sample_duration, .most = options_.max_samples};
}

void parse_trend(Keys& in, Plan& plan) {
  Trend::Options options;
  options.source = read_source(in, "entity_id", plan, "");
  options.attribute = in.text("attribute");
  in.boolean("invert", options.invert);
  in.integer("max_samples", options.max_samples, 2, Trend::kMostSamples);
  in.integer("min_samples", options.min_samples, 2, Trend::kMostSamples);
  in.number("min_gradient", options.min_gradient, -kFar, kFar);
  options.sample_duration = in.span("sample_duration", base::Duration(0), base::Duration(0));
  plan.device_class = in.text("device_class");
  if (const std::string name = automation::read_text(in, "friendly_name"); plan.name.empty()) plan.name = name;
  if (options.min_samples > options.max_samples)
    automation::note(in, in.find("min_samples") ? *in.find("min_samples") : *in.find("max_samples"),
                     "expected max_samples to be no less than min_samples");
  plan.engine = [options] { return std::make_unique<Trend>(options); };
}

}  // namespace hearth::derived
