// SPDX-License-Identifier: Apache-2.0
// The statistics of the old database: what each is of, its rows, and the steps that they make. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "import_ha/history/old_tables.h"
#include "recorder/history/statistics.h"
#include "storage/database.h"

namespace hearth::import_ha {

struct OldStatistic {
  std::string id;      // sensor.meter, or mine:energy
  std::string source;  // `recorder` for an entity
  std::optional<std::string> unit, name;
  bool has_mean = false, has_sum = false;
  bool circular = false;  // its mean is one of angles
};

// By number.
using OldStatistics = std::unordered_map<std::int64_t, OldStatistic>;
base::Result<OldStatistics> old_statistics(storage::Database& old);

// A row of an hour or of five minutes. Values that are absent are NaN.
struct OldStep {
  std::int64_t statistic = 0;
  base::Timestamp start;
  bool hour = false;
  double mean = 0, min = 0, max = 0, state = 0, sum = 0;
  std::optional<base::Timestamp> last_reset;
};

extern const std::vector<std::string_view> kOldStepColumns;
// Null if it has no time, or one that is no beginning of an hour or of five minutes.
std::optional<OldStep> old_step(const storage::Statement& row, bool hour);

void write_old_step(std::string& out, const OldStep& step);
std::vector<OldStep> read_old_steps(std::string_view block);

// One hour of a statistic: twelve steps, or one of an hour, or what there is of the last hour.
struct OldHour {
  std::vector<recorder::Statistics> steps;
  std::uint64_t hour_rows = 0, short_rows = 0;  // that the steps say
  std::uint64_t unused_rows = 0;                // of five minutes
  std::uint64_t broken_rows = 0;                // without the value that counts: of an hour …
  std::uint64_t broken_short_rows = 0;          // … and of five minutes
};

// The rows of one statistic, in any order, hour by hour. Values are in `unit`, if it is another one of the same
// quantity.
std::vector<OldHour> old_hours(const OldStatistic& statistic, std::vector<OldStep> rows,
                               const std::optional<std::string>& unit);

}  // namespace hearth::import_ha
