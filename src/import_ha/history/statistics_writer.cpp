// SPDX-License-Identifier: Apache-2.0
#include "import_ha/history/statistics_writer.h"

#include <algorithm>

#include "core/values/entity_id.h"

namespace hearth::import_ha {
namespace {

using base::Result;
using recorder::Statistics;

void leave(std::span<const OldStep> rows, StepCounts& counts) {
  for (const OldStep& row : rows) ++counts[row.hour ? kHoursLeft : kShortsLeft];
  counts[kBroken] += rows.size();
}

}  // namespace

json::array counts_json(const StepCounts& counts) {
  return json::array(counts.begin(), counts.end());
}

void add_counts(StepCounts& counts, const json::value& value) {
  if (!value.is_array() || value.get_array().size() != kStepCounts) return;
  for (std::size_t i = 0; i < kStepCounts; ++i) counts[i] += value.get_array()[i].to_number<std::uint64_t>();
}

bool is_entity(const OldStatistic& statistic) {
  const auto id = core::EntityId::parse(statistic.id);
  return id && id->str() == statistic.id && (statistic.source == "recorder" || statistic.source.empty());
}

bool is_known(const OldStatistic& statistic) {
  return (is_entity(statistic) || recorder::is_external_statistic(statistic.id)) &&
         (statistic.has_mean || statistic.has_sum);
}

Result<void> StatisticsWriter::write(const OldStatistic& statistic, std::vector<OldStep> rows, StepCounts& counts) {
  if (!is_known(statistic)) {
    leave(rows, counts);
    return {};
  }
  const bool of_entity = is_entity(statistic);
  if (!of_entity) {
    // Others have hours only.
    const auto shorts = std::ranges::partition(rows, &OldStep::hour);
    leave({shorts.begin(), shorts.end()}, counts);
    rows.erase(shorts.begin(), shorts.end());
  }
  const auto known = of_entity ? entity(statistic) : Entity();
  if (!known) return std::unexpected(known.error());
  const auto hours = old_hours(statistic, std::move(rows), known->unit);
  std::size_t steps = 0;  // that are carried
  if (of_entity) {
    const auto written = write_entity(*known, hours);
    if (!written) return std::unexpected(written.error());
    steps = *written;
  } else {
    const auto written = write_external(statistic, hours);
    if (!written) return std::unexpected(written.error());
    steps = *written ? SIZE_MAX : 0;
  }
  if (steps > 0) ++counts[kIds];
  std::size_t place = 0;
  for (const OldHour& hour : hours) {
    place += hour.steps.size();
    const bool carried = place <= steps;
    counts[carried ? kHours : kHoursLeft] += hour.hour_rows;
    counts[carried ? kShorts : kShortsLeft] += hour.short_rows;
    if (!carried) counts[kOwn] += hour.hour_rows + hour.short_rows;
    counts[kHoursLeft] += hour.broken_rows;
    counts[kShortsLeft] += hour.broken_short_rows + hour.unused_rows;
    counts[kBroken] += hour.broken_rows + hour.broken_short_rows;
    counts[kUnused] += hour.unused_rows;
  }
  return {};
}

Result<StatisticsWriter::Entity> StatisticsWriter::entity(const OldStatistic& statistic) {
  if (!writer_) return Entity();
  const auto number = writer_->entity(statistic.id);
  if (!number) return std::unexpected(number.error());
  auto unit = writer_->unit(*number);
  if (!unit) return std::unexpected(std::move(unit.error()));
  return Entity{*number, std::move(*unit)};
}

// How many steps are carried.
Result<std::size_t> StatisticsWriter::write_entity(const Entity& entity, std::span<const OldHour> hours) {
  std::vector<Statistics> steps;
  for (const OldHour& hour : hours) steps.insert(steps.end(), hour.steps.begin(), hour.steps.end());
  if (!writer_) return steps.size();
  return writer_->add_statistics(entity.number, steps);
}

// False if there are more than the home can keep.
Result<bool> StatisticsWriter::write_external(const OldStatistic& statistic, std::span<const OldHour> hours) {
  recorder::StatisticsImport import;
  import.statistic = {statistic.id,       statistic.id.substr(0, statistic.id.find(':')),
                      statistic.name,     statistic.unit,
                      statistic.has_mean, statistic.has_sum};
  for (const OldHour& hour : hours) {
    if (!hour.steps.empty()) import.rows.push_back(hour.steps.front());
  }
  if (!external_ || import.rows.empty()) return !import.rows.empty();
  auto done = external_->import(import);
  if (!done && done.error().code == base::ErrorCode::full) return false;
  if (!done) return std::unexpected(std::move(done.error()));
  return true;
}

}  // namespace hearth::import_ha
