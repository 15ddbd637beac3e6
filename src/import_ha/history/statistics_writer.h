// SPDX-License-Identifier: Apache-2.0
// Writes statistics of the old home: those of entities into history.db, others into home.db. One thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"
#include "import_ha/history/old_statistics.h"
#include "recorder/history/imported_statistics.h"
#include "recorder/history/past_writer.h"

namespace hearth::import_ha {

enum StepCount : std::size_t {
  kHours,      // carried …
  kHoursLeft,  // … and not
  kShorts,     // likewise, of five minutes
  kShortsLeft,
  kIds,        // carried
  kWrongTime,  // rows of the future, before 2000, or that begin with no hour or five minutes
  kBroken,     // rows without the value that counts
  kUnused,     // rows of five minutes whose hour is not whole
  kOwn,        // rows that are not older than what the home has itself
  kStepCounts,
};
using StepCounts = std::array<std::uint64_t, kStepCounts>;

json::array counts_json(const StepCounts& counts);
void add_counts(StepCounts& counts, const json::value& value);

// True if the statistics are those of an entity.
bool is_entity(const OldStatistic& statistic);
// False if they are neither an entity's nor another source's, or have no kind.
bool is_known(const OldStatistic& statistic);

class StatisticsWriter {
 public:
  // Null: counts only. The writer must outlive this.
  StatisticsWriter(recorder::PastWriter* writer, std::unique_ptr<recorder::ImportedStatistics> external)
      : writer_(writer), external_(std::move(external)) {}

  // All rows of one statistic, in any order; adds what becomes of them to the counts.
  base::Result<void> write(const OldStatistic& statistic, std::vector<OldStep> rows, StepCounts& counts);

 private:
  struct Entity {
    std::int64_t number = 0;
    std::optional<std::string> unit;  // of its states
  };
  base::Result<Entity> entity(const OldStatistic& statistic);
  base::Result<std::size_t> write_entity(const Entity& entity, std::span<const OldHour> hours);
  base::Result<bool> write_external(const OldStatistic& statistic, std::span<const OldHour> hours);

  recorder::PastWriter* const writer_;
  const std::unique_ptr<recorder::ImportedStatistics> external_;
};

}  // namespace hearth::import_ha
