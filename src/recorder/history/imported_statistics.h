// SPDX-License-Identifier: Apache-2.0
// Statistics that people import, hour by hour: years of meter readings of a former hub, the bill of a supplier. They
// are kept for ever, in home.db, apart from the hub's own statistics.
//
// One thread at a time. Bounds: kMaxStatistics, kMaxRows of all together; beyond them an import is refused whole.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"
#include "recorder/history/statistics.h"
#include "storage/database.h"
#include "storage/migrate.h"

namespace hearth::recorder {

struct ImportedStatistic {
  std::string statistic_id;  // sensor.meter, or mine:energy
  std::string source;        // `recorder` for an entity, otherwise what precedes the colon
  std::optional<std::string> name, unit;
  bool has_mean = false, has_sum = false;
};

// `total` of each row is whether it has a sum; its state is NaN if none was given.
struct StatisticsImport {
  ImportedStatistic statistic;
  std::vector<Statistics> rows;
};

// {"statistic_id", "source", "name", "unit_of_measurement", "has_mean", "has_sum"}, and a list of
// {"start", "mean", "min", "max", "state", "sum", "last_reset"}. Fails with invalid.
base::Result<StatisticsImport> parse_statistics_import(const json::object& metadata, const json::array& stats);

// mine:energy: two parts of small letters, digits and single underscores.
bool is_external_statistic(std::string_view id);

class ImportedStatistics {
 public:
  static constexpr std::int64_t kMaxStatistics = 1'000, kMaxRows = 5'000'000;

  // Of its tables.
  static storage::Schema schema();

  // The file is the home's database.
  static base::Result<std::unique_ptr<ImportedStatistics>> open(const std::filesystem::path& file);

  // Replaces what is known of the statistic, and its rows of the same hours. Fails with full, unavailable.
  base::Result<void> import(const StatisticsImport& import);
  // All, by id.
  base::Result<std::vector<ImportedStatistic>> list();
  base::Result<std::optional<ImportedStatistic>> find(std::string_view statistic_id);
  // At most `most` rows from `from` on and before `until`, by time.
  base::Result<std::vector<Statistics>> rows(std::string_view statistic_id, base::Timestamp from, base::Timestamp until,
                                             std::size_t most);
  // The sum of the last row before; 0 if there is none.
  base::Result<double> sum_before(std::string_view statistic_id, base::Timestamp time);

  // False if there is no such statistic.
  base::Result<bool> remove(std::string_view statistic_id);
  base::Result<bool> set_unit(std::string_view statistic_id, const std::optional<std::string>& unit);
  // Adds to the sum of each row from that time on.
  base::Result<bool> adjust_sum(std::string_view statistic_id, base::Timestamp from, double by);

 private:
  explicit ImportedStatistics(storage::Database database) : database_(std::move(database)) {}
  base::Result<std::int64_t> number_of(std::string_view statistic_id);  // 0: unknown
  base::Result<void> put(const StatisticsImport& import);

  storage::Database database_;
};

}  // namespace hearth::recorder
