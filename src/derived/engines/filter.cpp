// SPDX-License-Identifier: Apache-2.0
#include "derived/engines/filter.h"

#include <algorithm>
#include <cmath>

#include "automation/config/parsing.h"
#include "derived/platforms.h"

namespace hearth::derived {
namespace {

using Kind = FilterStep::Kind;

constexpr std::size_t kMostSteps = 20, kLargestWindow = 10'000;

}  // namespace

std::optional<double> FilterStage::pass(base::Timestamp at, double value) {
  switch (step_.kind) {
    case Kind::throttle:
    case Kind::time_throttle:
      if (!lets_through(at)) return {};
      break;
    case Kind::range:
      if (step_.upper && value > *step_.upper)
        value = *step_.upper;
      else if (step_.lower && value < *step_.lower)
        value = *step_.lower;
      break;
    case Kind::outlier:
      value = without_outlier(value);
      break;
    case Kind::lowpass:
      if (!kept_.empty()) value = kept_.back().value * (1 - 1 / step_.time_constant) + value / step_.time_constant;
      break;
    case Kind::moving_average:
      value = average(at, value);
      break;
  }
  if (step_.precision) {
    const double scale = std::pow(10.0, *step_.precision);
    value = std::nearbyint(value * scale) / scale;
  }
  if (step_.kind == Kind::lowpass) kept_ = {{at, value}};
  return value;
}

double FilterStage::without_outlier(double value) {
  const double given = value;
  if (kept_.size() == step_.window_size) {
    std::vector<double> values;
    for (const Kept& each : kept_) values.push_back(each.value);
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    const double median = values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
    if (std::abs(value - median) > step_.radius) value = median;
    kept_.pop_front();
  }
  kept_.push_back({{}, given});  // so that a value that stays so is no outlier for long
  return value;
}

double FilterStage::average(base::Timestamp at, double value) {
  while (!kept_.empty() && kept_.front().at + step_.window <= at) {
    left_ = kept_.front();
    kept_.pop_front();
  }
  if (kept_.size() == kMostValues) {
    left_ = kept_.front();
    kept_.pop_front();
  }
  kept_.push_back({at, value});
  double sum = 0, former = left_ ? left_->value : kept_.front().value;
  base::Timestamp start = at - step_.window;
  for (const Kept& each : kept_) {
    if (each.at > start) {
      sum += std::chrono::duration<double>(each.at - start).count() * former;
      start = each.at;
    }
    former = each.value;
  }
  return sum / std::chrono::duration<double>(step_.window).count();
}

bool FilterStage::lets_through(base::Timestamp at) {
  if (step_.kind == Kind::throttle) {
    const bool passes = count_ == 0 || count_ == step_.window_size;
    count_ = passes ? 1 : count_ + 1;
    return passes;
  }
  if (passed_ && *passed_ > at - step_.window && *passed_ <= at) return false;
  passed_ = at;
  return true;
}

Filter::Filter(Options options) : options_(std::move(options)) {
  for (const FilterStep& step : options_.steps) stages_.emplace_back(step);
}

void Filter::receive(const Reading& reading) {
  const bool past = reading.why == Reading::Why::past;
  if (!past) {
    available_ = reading.state && reading.state->value() != core::kUnavailable;
    if (is_known(reading.state)) {
      unit_ = text_attribute(reading.state, "unit_of_measurement");
      device_class_ = text_attribute(reading.state, "device_class");
      state_class_ = text_attribute(reading.state, "state_class");
      icon_ = text_attribute(reading.state, "icon");
    } else if (available_) {
      value_ = {};
    }
  }
  auto value = number_of(reading.state);
  if (!value || (reading.why != Reading::Why::change && reading.at <= last_)) return;
  last_ = reading.at;
  for (FilterStage& stage : stages_) {
    value = stage.pass(reading.at, *value);
    if (!value) return;
  }
  value_ = value;
}

Output Filter::show(const Moment&) {
  const auto precision = options_.steps.back().precision;
  return {.value = !value_     ? json::value()
                   : precision ? rounded(*value_, *precision)
                               : plain(*value_),
          .attributes = {{"entity_id", options_.source}},
          .unit = unit_,
          .device_class = device_class_,
          .state_class = state_class_,
          .icon = icon_,
          .available = available_};
}

void Filter::restore(const core::State& last, const Moment&) {
  value_ = number_of(&last);
}

std::optional<Past> Filter::past(const Moment&) {
  Past wanted{.span = std::chrono::hours(24), .most = 1};
  for (const FilterStep& step : options_.steps) {
    wanted.span = std::max(wanted.span, step.window);
    const bool by_time = step.kind == Kind::moving_average || step.kind == Kind::time_throttle;
    wanted.most = std::max(wanted.most, by_time ? FilterStage::kMostValues : step.window_size);
    if (step.kind == Kind::lowpass)
      wanted.most = std::max(wanted.most, static_cast<std::size_t>(std::min(step.time_constant * 5, 10'000.0)));
  }
  return wanted;
}

namespace {

FilterStep read_step(Keys& in) {
  FilterStep step;
  in.option<Kind>("filter", step.kind,
                  {{"outlier", Kind::outlier},
                   {"lowpass", Kind::lowpass},
                   {"range", Kind::range},
                   {"time_simple_moving_average", Kind::moving_average},
                   {"throttle", Kind::throttle},
                   {"time_throttle", Kind::time_throttle}});
  in.require("filter");
  if (step.kind == Kind::moving_average || step.kind == Kind::time_throttle) {
    step.window = in.span("window_size", std::chrono::seconds(1), std::chrono::milliseconds(1));
    in.require("window_size");
  } else {
    in.integer("window_size", step.window_size, 1, kLargestWindow);
  }
  if (step.kind == Kind::outlier) in.number("radius", step.radius, 0, kFar);
  if (step.kind == Kind::lowpass) in.number("time_constant", step.time_constant, 1, 1e6);
  if (step.kind == Kind::range) {
    step.lower = in.limit("lower_bound");
    step.upper = in.limit("upper_bound");
  }
  if (step.kind == Kind::moving_average) {
    std::string type = "last";
    in.option<std::string>("type", type, {{"last", "last"}});
  }
  int precision = *step.precision;
  in.integer("precision", precision, 0, 15);
  step.precision = precision;
  return step;
}

}  // namespace

void parse_filter(Keys& in, Plan& plan) {
  Filter::Options options;
  options.source = read_source(in, "entity_id", plan, kNumbers);
  const base::ConfigNode* const filters = in.find("filters");
  in.describe_list("filters", "filter", [](Keys& each) { read_step(each); });
  automation::require_some(in, in.node(), "filters");
  for (const base::ConfigNode& each : automation::one_or_many(filters)) {
    if (options.steps.size() == kMostSteps) {
      automation::note(in, each, "is more than 20 filters");
      break;
    }
    Keys step_in(each);
    FilterStep step = read_step(step_in);
    if (const auto read = step_in.finish(0); !read) automation::note(in, each, read.error());
    options.steps.push_back(std::move(step));
  }
  plan.engine = [options] { return std::make_unique<Filter>(options); };
}

}  // namespace hearth::derived
