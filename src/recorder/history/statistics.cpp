// SPDX-License-Identifier: Apache-2.0
#include "recorder/history/statistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/text/number.h"
#include "base/text/timestamp.h"
#include "core/values/units.h"
#include "recorder/log/log_packer.h"

namespace hearth::recorder {
namespace {

constexpr double kSurelyLess = 0.9;

enum class Kind { measurement, angle, total, increasing };

Kind kind_of(std::string_view attributes) {
  if (attributes.find(R"("state_class":"total_increasing")") != std::string_view::npos) return Kind::increasing;
  if (attributes.find(R"("state_class":"total")") != std::string_view::npos) return Kind::total;
  if (attributes.find(R"("state_class":"measurement_angle")") != std::string_view::npos) return Kind::angle;
  return Kind::measurement;
}

bool is_total(Kind kind) {
  return kind == Kind::total || kind == Kind::increasing;
}

// A member's text, as written in JSON; empty if there is none.
std::string_view text_of(std::string_view attributes, std::string_view key) {
  const std::size_t found = attributes.find(key);
  if (found == std::string_view::npos) return {};
  const std::string_view text = attributes.substr(found + key.size());
  return text.substr(0, text.find('"'));
}

std::string_view unit_of_measurement(std::string_view attributes) {
  return text_of(attributes, R"("unit_of_measurement":")");
}

std::optional<base::Timestamp> last_reset_of(std::string_view attributes) {
  const std::string_view text = text_of(attributes, R"("last_reset":")");
  if (text.empty()) return {};
  const auto time = base::parse_timestamp(text);
  return time ? std::optional(*time) : std::nullopt;
}

double radians(double degrees) {
  return degrees * std::numbers::pi / 180;
}

// 0 to 360.
double degrees(double radians) {
  const double found = radians * 180 / std::numbers::pi;
  return found < 0 ? found + 360 : found;
}

double on_circle(double angle) {
  return degrees(radians(std::remainder(angle, 360)));
}

}  // namespace

bool is_angle(std::string_view attributes_json) {
  return kind_of(attributes_json) == Kind::angle;
}

bool is_total(std::string_view attributes_json) {
  return is_total(kind_of(attributes_json));
}

std::optional<double> measured(const Change& change) {
  if (change.removed || !is_measurement(change.attributes)) return {};
  return base::parse_number(change.value);
}

void Statistics::join(const Statistics& later) {
  const auto before = static_cast<double>(covered.count()), then = static_cast<double>(later.covered.count());
  min = std::min(min, later.min);
  max = std::max(max, later.max);
  if (before + then > 0 && angle && later.angle) {
    const double to_x = before * steadiness, later_x = then * later.steadiness;
    const double x = to_x * std::cos(radians(mean)) + later_x * std::cos(radians(later.mean));
    const double y = to_x * std::sin(radians(mean)) + later_x * std::sin(radians(later.mean));
    mean = degrees(std::atan2(y, x));
    steadiness = std::min(std::hypot(x, y) / (before + then), 1.0);
  } else if (before + then > 0) {
    // Rounding must not lead out of the range.
    mean = std::clamp((mean * before + later.mean * then) / (before + then), min, max);
  }
  covered += later.covered;
  state = later.state;
  sum = later.sum;
  total = later.total;
  angle = later.angle;
  last_reset = later.last_reset;
  imported = imported && later.imported;
}

base::Timestamp imported_end(const Statistics& step) {
  return step.start + (step.covered > kStatisticsStep ? base::Duration(std::chrono::hours(1)) : kStatisticsStep);
}

Total total_after(const Statistics& last) {
  if (!last.total || std::isnan(last.state)) return {last.sum, std::nullopt};
  return {last.sum, last.state, last.last_reset};
}

void StatisticsWalk::begin(base::Timestamp at, const Change& change) {
  at_ = at;
  changed_ = change.updated;
  value_ = measured(change);
  const Kind kind = kind_of(change.attributes);
  total_ = value_ && is_total(kind);
  angle_ = kind == Kind::angle;
  unit_ = unit_of_measurement(change.attributes);
  last_reset_ = kind == Kind::total ? last_reset_of(change.attributes) : std::nullopt;
  if (!last_reset_) last_reset_ = before_.last_reset;
  if (value_ || change.removed || !before_.meter) return;
  value_ = before_.meter;  // if it is unavailable
  total_ = true;
}

Statistics& StatisticsWalk::step(base::Timestamp at) {
  const auto start = period_start(at, Period::five_minutes);
  if (steps_.empty() || steps_.back().start != start) {
    Statistics fresh;
    fresh.start = start;
    fresh.angle = angle_;
    fresh.min = fresh.max = *value_;
    fresh.mean = angle_ ? on_circle(*value_) : *value_;
    steps_.push_back(fresh);
  }
  return steps_.back();
}

// The value is unchanged from at_ to the end.
void StatisticsWalk::hold(base::Timestamp end) {
  const base::Timestamp held_until = std::min(end, changed_ + kMaxHold);
  while (value_ && at_ < held_until) {
    Statistics& now = step(at_);
    Statistics held;
    held.covered = std::min(held_until, now.start + kStatisticsStep) - at_;
    held.mean = held.min = held.max = held.state = *value_;
    held.sum = sum_;
    held.total = total_;
    held.angle = angle_;
    if (angle_) held.mean = on_circle(*value_);
    if (total_) held.last_reset = last_reset_;
    now.join(held);
    at_ += held.covered;
  }
  at_ = std::max(at_, end);
}

void StatisticsWalk::add(const Change& change) {
  hold(change.updated);
  changed_ = change.updated;
  const auto value = measured(change);
  const Kind kind = kind_of(change.attributes);
  if (!value) {
    if (!total_) value_.reset();  // a meter that is unavailable for a while continues afterwards
    return;
  }
  if (kind == Kind::increasing && *value < 0) return;  // no meter shows that
  if (is_total(kind)) gain(*value, change, kind == Kind::increasing);
  total_ = is_total(kind);
  angle_ = kind == Kind::angle;
  unit_ = unit_of_measurement(change.attributes);
  value_ = value;
  Statistics& now = step(change.updated);
  now.min = std::min(now.min, *value);
  now.max = std::max(now.max, *value);
  now.state = *value;
  now.sum = sum_;
  now.total = total_;
  now.angle = angle_;
  now.last_reset = total_ ? last_reset_ : std::nullopt;
}

void StatisticsWalk::gain(double value, const Change& change, bool increasing) {
  const auto reset = increasing ? std::nullopt : last_reset_of(change.attributes);
  const bool new_cycle = reset && reset != last_reset_;
  if (reset) last_reset_ = reset;
  if (!value_ || !total_) return;  // the first value is the zero point
  double before = *value_;
  if (const auto unit = unit_of_measurement(change.attributes); !unit_.empty() && unit != unit_) {
    const auto converted = core::convert_unit(before, unit_, unit);
    if (!converted && !new_cycle) return;  // and so is the first in a unit that measures something else
    before = converted.value_or(0);
  }
  // An increasing meter that shows much less was reset; a little less is inaccuracy.
  const bool anew = new_cycle || (increasing && value < kSurelyLess * before);
  sum_ += anew ? value : value - before;
}

double gained_between(const Change& before, const Change& after) {
  StatisticsWalk walk;
  walk.begin(after.updated, before);
  walk.add(after);
  const std::vector<Statistics> steps = walk.take();
  return steps.empty() ? 0 : steps.back().sum;
}

void StatisticsWalk::until(base::Timestamp end) {
  hold(end);
}

std::vector<Statistics> StatisticsWalk::take() {
  return std::exchange(steps_, {});
}

base::Timestamp period_start(base::Timestamp time, Period period) {
  using namespace std::chrono;
  switch (period) {
    case Period::five_minutes:
      return floor<duration<std::int64_t, std::ratio<300>>>(time);
    case Period::hour:
      return floor<hours>(time);
    case Period::day:
      return floor<days>(time);
    case Period::week: {
      const sys_days day = floor<days>(time);
      return day - (weekday(day) - Monday);
    }
    case Period::month: {
      const year_month_day date(floor<days>(time));
      return sys_days(date.year() / date.month() / 1);
    }
  }
  return time;
}

void add_step(std::vector<Statistics>& periods, const Statistics& step, Period period) {
  const auto start = period_start(step.start, period);
  if (!periods.empty() && periods.back().start == start) return periods.back().join(step);
  periods.push_back(step);
  periods.back().start = start;
}

}  // namespace hearth::recorder
