// SPDX-License-Identifier: Apache-2.0
#include "energy/reading.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hearth::energy {
namespace {

constexpr base::Duration kQuarter = std::chrono::minutes(15);
constexpr double kLeast = 1e-9;    // less is rounding
constexpr double kReplaced = 0.1;  // a meter that shows less than this part of what it showed

void note(Oddity& oddity, base::Timestamp at, double amount) {
  ++oddity.count;
  oddity.at = at;
  oddity.amount += amount;
}

}  // namespace

void MeterReading::begin(double sum_before) {
  sum_ = sum_before;
  state_.reset();
}

void MeterReading::put(base::Timestamp time, double gain) {
  if (const auto slot = slots_.find(time)) gained_[*slot] += gain;
}

void MeterReading::put_first(const std::vector<double>& gained) {
  for (std::size_t slot = 0; slot < gained.size(); ++slot) gained_[slot] += gained[slot] * factor_;
}

void MeterReading::add(const recorder::Statistics& row) {
  if (!row.total || !std::isfinite(row.sum)) return;
  first_ = std::min(first_.value_or(row.start), row.start);
  double gain = (row.sum - sum_) * factor_;
  sum_ = row.sum;
  const bool inside = row.start >= noted_from_ && row.start < slots_.end();
  const bool fell = state_ && std::isfinite(row.state) && row.state < *state_;
  // A total that falls to almost nothing was replaced, whatever its class says: it counts from zero.
  if (fell && gain < -kLeast && row.state >= 0 && row.state < kReplaced * *state_) gain = row.state * factor_;
  if (inside && gain < -kLeast)
    note(backwards_, row.start, -gain);
  else if (inside && fell)
    note(resets_, row.start, 0);
  if (std::isfinite(row.state)) state_ = row.state;
  if (row.covered <= kQuarter) return put(row.start, gain);
  for (int quarter = 0; quarter < 4; ++quarter) put(row.start + quarter * kQuarter, gain / 4);
}

void PriceReading::put(base::Timestamp time, base::Duration length, double value) {
  const auto slot = slots_.find(time);
  if (!slot) return;
  const double seconds = std::chrono::duration<double>(length).count();
  weighted_[*slot] += value * seconds;
  seconds_[*slot] += seconds;
  any_ = true;
}

void PriceReading::add(const recorder::Statistics& row) {
  if (row.total || row.covered <= base::Duration(0)) return;
  if (row.covered <= kQuarter) return put(row.start, row.covered, row.mean);
  for (int quarter = 0; quarter < 4; ++quarter) put(row.start + quarter * kQuarter, row.covered / 4, row.mean);
}

void PriceReading::hold(base::Timestamp from, base::Timestamp until, double value) {
  for (std::size_t slot = slots_.find(from).value_or(slots_.first_from(from)); slot < slots_.size(); ++slot) {
    const base::Timestamp end = slot + 1 < slots_.size() ? slots_.start(slot + 1) : slots_.end();
    const base::Timestamp start = std::max(from, slots_.start(slot));
    if (start >= until) break;
    put(start, std::min(until, end) - start, value);
  }
}

std::vector<double> PriceReading::prices(double factor) const {
  std::vector<double> prices(slots_.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t slot = 0; slot < prices.size(); ++slot) {
    if (seconds_[slot] > 0) prices[slot] = weighted_[slot] / seconds_[slot] * factor;
  }
  return prices;
}

}  // namespace hearth::energy
