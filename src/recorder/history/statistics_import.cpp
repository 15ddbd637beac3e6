// SPDX-License-Identifier: Apache-2.0
// Reads what is to be imported.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text/timestamp.h"
#include "core/values/entity_id.h"
#include "recorder/history/imported_statistics.h"

namespace hearth::recorder {
namespace {

using base::Result;

constexpr std::size_t kMaxText = 255;
constexpr std::size_t kMaxRowsAtOnce = 200'000;

std::unexpected<base::Error> wrong(std::string text) {
  return base::fail(base::ErrorCode::invalid, std::move(text));
}

bool is_part(std::string_view text) {
  const auto good = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  return !text.empty() && std::ranges::all_of(text, good) && text.front() != '_' && text.back() != '_' &&
         !text.contains("__");
}

// Leaves the text alone if the key is missing or null.
Result<void> read_text(const json::object& from, std::string_view key, std::optional<std::string>& text) {
  const json::value* const value = from.if_contains(key);
  if (!value || value->is_null()) return {};
  if (!value->is_string() || value->get_string().size() > kMaxText)
    return wrong(fmt::format("metadata.{}: expected a text of at most {} bytes", key, kMaxText));
  text = std::string(value->get_string());
  return {};
}

Result<ImportedStatistic> read_metadata(const json::object& metadata) {
  ImportedStatistic statistic;
  std::optional<std::string> id, source;
  for (const auto& [key, text] : {std::pair{"statistic_id", &id},
                                  {"source", &source},
                                  {"name", &statistic.name},
                                  {"unit_of_measurement", &statistic.unit}}) {
    if (auto read = read_text(metadata, key, *text); !read) return std::unexpected(read.error());
  }
  for (const auto& [key, flag] : {std::pair{"has_mean", &statistic.has_mean}, {"has_sum", &statistic.has_sum}}) {
    const json::value* const value = metadata.if_contains(key);
    if (value && !value->is_bool()) return wrong(fmt::format("metadata.{}: expected true or false", key));
    if (value) *flag = value->get_bool();
  }
  // Newer clients say so instead of has_mean: 0 none, 1 arithmetic, 2 over the circle.
  if (const json::value* const mean = metadata.if_contains("mean_type"); mean && mean->is_int64())
    statistic.has_mean = mean->get_int64() != 0;
  statistic.statistic_id = id.value_or("");
  const bool external = is_external_statistic(statistic.statistic_id);
  const auto entity = core::EntityId::parse(statistic.statistic_id);
  if (!external && (!entity || entity->str() != statistic.statistic_id))
    return wrong("metadata.statistic_id: expected an entity such as sensor.meter, or an id such as mine:energy");
  const std::string own =
      external ? statistic.statistic_id.substr(0, statistic.statistic_id.find(':')) : std::string("recorder");
  statistic.source = source.value_or(own);
  if (statistic.source != own)
    return wrong(
        fmt::format("metadata.source: expected {} for {}, got {}", own, statistic.statistic_id, statistic.source));
  if (!statistic.has_mean && !statistic.has_sum) return wrong("metadata: expected has_mean or has_sum to be true");
  return statistic;
}

// Null if the key is missing or null.
Result<std::optional<double>> read_number(const json::object& row, std::string_view key, std::size_t index) {
  const json::value* const value = row.if_contains(key);
  if (!value || value->is_null()) return std::optional<double>();
  const double number = value->is_number() ? value->to_number<double>() : NAN;
  if (!std::isfinite(number)) return wrong(fmt::format("stats[{}].{}: expected a number", index, key));
  return std::optional(number);
}

Result<std::optional<base::Timestamp>> read_time(const json::object& row, std::string_view key, std::size_t index) {
  const json::value* const value = row.if_contains(key);
  if (!value || value->is_null()) return std::optional<base::Timestamp>();
  const auto time = value->is_string() ? base::parse_timestamp(value->get_string()) : wrong("");
  if (!time) return wrong(fmt::format("stats[{}].{}: expected a time such as 2026-01-31T10:00:00+00:00", index, key));
  return std::optional(*time);
}

Result<Statistics> read_row(const json::value& value, const ImportedStatistic& statistic, std::size_t index) {
  if (!value.is_object()) return wrong(fmt::format("stats[{}]: expected an object", index));
  const json::object& object = value.get_object();
  const auto start = read_time(object, "start", index), last_reset = read_time(object, "last_reset", index);
  for (const auto* const time : {&start, &last_reset}) {
    if (!*time) return std::unexpected(time->error());
  }
  if (!*start || **start != period_start(**start, Period::hour))
    return wrong(fmt::format("stats[{}].start: expected the beginning of an hour", index));
  std::optional<double> mean, min, max, state, sum;
  for (const auto& [key, into] :
       {std::pair{"mean", &mean}, {"min", &min}, {"max", &max}, {"state", &state}, {"sum", &sum}}) {
    auto number = read_number(object, key, index);
    if (!number) return std::unexpected(number.error());
    *into = *number;
  }
  if (statistic.has_mean && !mean)
    return wrong(fmt::format("stats[{}].mean: missing, because has_mean is true", index));
  if (statistic.has_sum && !sum) return wrong(fmt::format("stats[{}].sum: missing, because has_sum is true", index));
  Statistics row;
  row.start = **start;
  row.covered = std::chrono::hours(1);
  row.mean = mean.value_or(0);
  row.min = std::min(min.value_or(row.mean), row.mean);
  row.max = std::max(max.value_or(row.mean), row.mean);
  row.state = state.value_or(std::numeric_limits<double>::quiet_NaN());
  row.sum = sum.value_or(0);
  row.total = statistic.has_sum;
  row.last_reset = *last_reset;
  return row;
}

}  // namespace

bool is_external_statistic(std::string_view id) {
  const std::size_t colon = id.find(':');
  return id.size() <= kMaxText && colon != std::string_view::npos && is_part(id.substr(0, colon)) &&
         is_part(id.substr(colon + 1));
}

Result<StatisticsImport> parse_statistics_import(const json::object& metadata, const json::array& stats) {
  auto statistic = read_metadata(metadata);
  if (!statistic) return std::unexpected(std::move(statistic.error()));
  if (stats.size() > kMaxRowsAtOnce)
    return wrong(fmt::format("stats: expected at most {} hours at once", kMaxRowsAtOnce));
  StatisticsImport import{std::move(*statistic), {}};
  for (std::size_t index = 0; index < stats.size(); ++index) {
    auto row = read_row(stats[index], import.statistic, index);
    if (!row) return std::unexpected(std::move(row.error()));
    import.rows.push_back(*row);
  }
  return import;
}

}  // namespace hearth::recorder
