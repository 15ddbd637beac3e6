// SPDX-License-Identifier: Apache-2.0
#include "import_ha/history/old_statistics.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <tuple>

#include "core/values/units.h"
#include "import_ha/history/old_values.h"

namespace hearth::import_ha {
namespace {

using base::Result;
using recorder::Statistics;
using storage::Statement;

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kStepsOfHour = 12;

enum StepColumn : int {
  kStepId,
  kStepStatistic,
  kStartSeconds,
  kMean,
  kMin,
  kMax,
  kStepState,
  kSum,
  kResetSeconds,
  kStartText,
  kResetText,
};

enum MetaColumn : int { kMetaId, kStatisticId, kSource, kUnit, kHasMean, kHasSum, kMetaName, kMeanType };

// As a temporary file has it.
struct PackedStep {
  std::int64_t statistic, start, last_reset;  // INT64_MIN: none
  double mean, min, max, state, sum;
  std::int64_t hour;
};

double value_of(const Statement& row, int column) {
  return row.is_null(column) ? kNothing : row.real(column);
}

std::optional<Statistics> step_of(const OldStatistic& statistic, const OldStep& row) {
  Statistics step;
  step.start = row.start;
  step.covered = row.hour ? base::Duration(std::chrono::hours(1)) : recorder::kStatisticsStep;
  step.imported = true;
  step.state = row.state;
  if (statistic.has_sum) {
    if (!std::isfinite(row.sum)) return {};
    step.total = true;
    step.sum = row.sum;
    step.last_reset = row.last_reset;
    step.mean = step.min = step.max = std::isfinite(row.state) ? row.state : 0;
  }
  if (statistic.has_mean) {
    if (!std::isfinite(row.mean) && !statistic.has_sum) return {};
    step.mean = std::isfinite(row.mean) ? row.mean : step.mean;
    step.min = std::isfinite(row.min) ? row.min : step.mean;
    step.max = std::isfinite(row.max) ? row.max : step.mean;
    step.angle = statistic.circular && !statistic.has_sum;
  }
  if (!statistic.has_mean && !statistic.has_sum) return {};
  return step;
}

void convert(Statistics& step, std::string_view from, std::string_view to) {
  for (const auto value :
       {&Statistics::mean, &Statistics::min, &Statistics::max, &Statistics::state, &Statistics::sum}) {
    if (!std::isfinite(step.*value)) continue;
    if (value == &Statistics::sum && !step.total) continue;
    step.*value = core::convert_unit(step.*value, from, to).value_or(step.*value);
  }
}

OldHour hour_of(const OldStatistic& statistic, std::span<const OldStep> rows) {
  OldHour hour;
  std::vector<Statistics> shorts;
  std::optional<Statistics> whole;
  for (const OldStep& row : rows) {
    const auto step = step_of(statistic, row);
    if (!step)
      ++(row.hour ? hour.broken_rows : hour.broken_short_rows);
    else if (row.hour)
      whole = step, hour.hour_rows = 1;
    else
      shorts.push_back(*step);
  }
  if (whole && shorts.size() < kStepsOfHour) {
    hour.steps = {*whole};
    hour.unused_rows = shorts.size();
    return hour;
  }
  hour.short_rows = shorts.size();
  hour.steps = std::move(shorts);
  return hour;
}

}  // namespace

const std::vector<std::string_view> kOldStepColumns = {
    "id", "metadata_id", "start_ts", "mean", "min", "max", "state", "sum", "last_reset_ts", "start", "last_reset"};

Result<OldStatistics> old_statistics(storage::Database& old) {
  const auto columns = old_columns(old, "statistics_meta");
  if (!columns) return std::unexpected(columns.error());
  OldStatistics all;
  if (columns->empty()) return all;
  auto select = old.prepare(
      select_old(*columns, "statistics_meta",
                 {"id", "statistic_id", "source", "unit_of_measurement", "has_mean", "has_sum", "name", "mean_type"}));
  if (!select) return std::unexpected(std::move(select.error()));
  auto read = select->for_each([&](const Statement& row) {
    OldStatistic statistic;
    statistic.id = row.text(kStatisticId);
    statistic.source = row.text(kSource);
    statistic.unit = row.optional_string(kUnit);
    statistic.name = row.optional_string(kMetaName);
    // has_mean is null where mean_type says it.
    statistic.has_mean = row.is_null(kMeanType) ? row.integer(kHasMean) != 0 : row.integer(kMeanType) != 0;
    statistic.circular = row.integer(kMeanType) == 2;
    statistic.has_sum = row.integer(kHasSum) != 0;
    all.insert_or_assign(row.integer(kMetaId), std::move(statistic));
  });
  if (!read && !old.damaged()) return std::unexpected(std::move(read.error()));
  return all;
}

std::optional<OldStep> old_step(const Statement& row, bool hour) {
  const auto start = time_of_columns(row, kStartSeconds, kStartText);
  const auto period = hour ? recorder::Period::hour : recorder::Period::five_minutes;
  if (!start || *start != recorder::period_start(*start, period)) return {};
  OldStep step;
  step.statistic = row.integer(kStepStatistic);
  step.start = *start;
  step.hour = hour;
  step.mean = value_of(row, kMean);
  step.min = value_of(row, kMin);
  step.max = value_of(row, kMax);
  step.state = value_of(row, kStepState);
  step.sum = value_of(row, kSum);
  step.last_reset = time_of_columns(row, kResetSeconds, kResetText);
  return step;
}

void write_old_step(std::string& out, const OldStep& step) {
  const PackedStep packed{step.statistic,
                          step.start.time_since_epoch().count(),
                          step.last_reset ? step.last_reset->time_since_epoch().count() : INT64_MIN,
                          step.mean,
                          step.min,
                          step.max,
                          step.state,
                          step.sum,
                          step.hour};
  out.append(reinterpret_cast<const char*>(&packed), sizeof packed);
}

std::vector<OldStep> read_old_steps(std::string_view block) {
  std::vector<OldStep> steps;
  for (; block.size() >= sizeof(PackedStep); block.remove_prefix(sizeof(PackedStep))) {
    PackedStep packed;
    std::memcpy(&packed, block.data(), sizeof packed);
    OldStep& step = steps.emplace_back();
    step.statistic = packed.statistic;
    step.start = base::Timestamp(base::Duration(packed.start));
    step.hour = packed.hour != 0;
    step.mean = packed.mean;
    step.min = packed.min;
    step.max = packed.max;
    step.state = packed.state;
    step.sum = packed.sum;
    if (packed.last_reset != INT64_MIN) step.last_reset = base::Timestamp(base::Duration(packed.last_reset));
  }
  return steps;
}

std::vector<OldHour> old_hours(const OldStatistic& statistic, std::vector<OldStep> rows,
                               const std::optional<std::string>& unit) {
  std::ranges::sort(rows, {}, [](const OldStep& row) { return std::tuple(row.start, row.hour); });
  std::vector<OldHour> hours;
  const bool converts = unit && statistic.unit && *unit != *statistic.unit;
  for (std::size_t first = 0; first < rows.size();) {
    const auto start = recorder::period_start(rows[first].start, recorder::Period::hour);
    std::size_t end = first;
    while (end < rows.size() && recorder::period_start(rows[end].start, recorder::Period::hour) == start) ++end;
    hours.push_back(hour_of(statistic, std::span(rows).subspan(first, end - first)));
    if (converts) {
      for (Statistics& step : hours.back().steps) convert(step, *statistic.unit, *unit);
    }
    first = end;
  }
  return hours;
}

}  // namespace hearth::import_ha
