// SPDX-License-Identifier: Apache-2.0
#include "api/energy/bar_sums.h"

#include "recorder/log/history_file.h"

namespace hearth::api {
namespace {

constexpr auto kLongBar = std::chrono::days(2);

}  // namespace

BarSums::BarSums(std::string entity_id, const energy::Slots& bars, base::Timestamp until)
    : entity_id_(std::move(entity_id)) {
  for (std::size_t bar = 0; bar < bars.size() && bars.start(bar) <= until; ++bar) bounds_.push_back(bars.start(bar));
  if (bounds_.size() == bars.size() && bars.end() <= until) bounds_.push_back(bars.end());
}

bool BarSums::suits(const energy::Slots& bars) {
  return bars.end() - bars.start(0) > static_cast<std::int64_t>(bars.size()) * kLongBar;
}

// Of the last step that begins before; a step of an hour that goes on beyond counts in full, as it does elsewhere.
base::Result<double> BarSums::sum_at(recorder::HistoryReader& reader, base::Timestamp time) const {
  const std::int64_t day = recorder::day_of(time);
  const auto stored = reader.day_statistics(entity_id_, day, day);
  if (!stored) return std::unexpected(stored.error());
  const recorder::Statistics* last = nullptr;
  for (const recorder::Statistics& step : *stored) {
    if (step.start < time) last = &step;
  }
  if (last) return last->sum;
  const auto before = reader.total_before(entity_id_, day);
  if (!before) return std::unexpected(before.error());
  return before->sum;
}

base::Result<bool> BarSums::read_on(recorder::HistoryReader& reader) {
  if (sums_.size() == bounds_.size()) return false;
  if (auto opened = reader.open(); !opened) return std::unexpected(opened.error());
  if (!reader.records(entity_id_)) {
    bounds_.clear();
    sums_.clear();
    return false;
  }
  const auto sum = sum_at(reader, bounds_[sums_.size()]);
  if (!sum) return std::unexpected(sum.error());
  sums_.push_back(*sum);
  return true;
}

std::vector<double> BarSums::gained() const {
  std::vector<double> gained;
  for (std::size_t bar = 1; bar < sums_.size(); ++bar) {
    gained.push_back(sums_[bar] - sums_[bar - 1]);
    if (gained.back() < 0) return {};
  }
  return gained;
}

}  // namespace hearth::api
