// SPDX-License-Identifier: Apache-2.0
#include "recorder/statistics.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "recorder/log_packer.h"

namespace hearth::recorder {
namespace {

constexpr double kSurelyLess = 0.9;

enum class Kind { measurement, total, increasing };

Kind kind_of(std::string_view attributes) {
  if (attributes.find(R"("state_class":"total_increasing")") != std::string_view::npos) return Kind::increasing;
  if (attributes.find(R"("state_class":"total")") != std::string_view::npos) return Kind::total;
  return Kind::measurement;
}

}  // namespace

bool is_total(std::string_view attributes_json) {
  return kind_of(attributes_json) != Kind::measurement;
}

std::optional<double> measured(const Change& change) {
  if (change.removed || !is_measurement(change.attributes)) return {};
  double value;
  const char* const end = change.value.data() + change.value.size();
  const auto [stop, error] = std::from_chars(change.value.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value)) return {};
  return value;
}

void Statistics::join(const Statistics& later) {
  const auto before = static_cast<double>(covered.count()), then = static_cast<double>(later.covered.count());
  min = std::min(min, later.min);
  max = std::max(max, later.max);
  // Rounding must not lead out of the range.
  if (before + then > 0) mean = std::clamp((mean * before + later.mean * then) / (before + then), min, max);
  covered += later.covered;
  state = later.state;
  sum = later.sum;
  total = later.total;
}

Total total_after(const Statistics& last) {
  return {last.sum, last.total ? std::optional(last.state) : std::nullopt};
}

void StatisticsWalk::begin(base::Timestamp at, const Change& change) {
  at_ = at;
  changed_ = change.updated;
  value_ = measured(change);
  total_ = value_ && kind_of(change.attributes) != Kind::measurement;
  if (value_ || change.removed || !before_.meter) return;
  value_ = before_.meter;  // if it is unavailable
  total_ = true;
}

Statistics& StatisticsWalk::step(base::Timestamp at) {
  const auto start = period_start(at, Period::five_minutes);
  if (steps_.empty() || steps_.back().start != start) {
    Statistics fresh;
    fresh.start = start;
    fresh.min = fresh.max = fresh.mean = *value_;
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
    now.join(held);
    at_ += held.covered;
  }
  at_ = std::max(at_, end);
}

void StatisticsWalk::add(const Change& change) {
  hold(change.updated);
  changed_ = change.updated;
  const auto value = measured(change);
  if (value) {
    const Kind kind = kind_of(change.attributes);
    total_ = kind != Kind::measurement;
    // An increasing meter that shows much less was reset; a little less is inaccuracy.
    const bool anew = kind == Kind::increasing && value_ && *value < kSurelyLess * *value_;
    if (total_ && value_) sum_ += anew ? *value : *value - *value_;
    value_ = value;
    Statistics& now = step(change.updated);
    now.min = std::min(now.min, *value);
    now.max = std::max(now.max, *value);
    now.state = *value;
    now.sum = sum_;
    now.total = total_;
  } else if (!total_) {
    value_.reset();  // a meter that is unavailable for a while continues afterwards
  }
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
