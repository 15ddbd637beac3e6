// SPDX-License-Identifier: Apache-2.0
#include "api/history/statistics/earlier_periods.h"

#include <cmath>

#include "base/text/timestamp.h"
#include "recorder/history/entity_statistics.h"

namespace hearth::api {
namespace {

// Milliseconds since 1970, or a text of ISO 8601, as versions before 2023 have it.
std::optional<std::int64_t> milliseconds_at(const json::object& row, std::string_view key) {
  const json::value* const found = row.if_contains(key);
  if (found && found->is_number()) {
    const auto number = found->to_number<double>();
    return number > 0 && number < 1e14 ? std::optional(std::llround(number)) : std::nullopt;
  }
  const auto time = found && found->is_string() ? base::parse_timestamp(std::string_view(found->get_string()))
                                                : base::Result<base::Timestamp>(std::unexpected(base::Error{}));
  if (!time) return {};
  return std::chrono::floor<std::chrono::milliseconds>(*time).time_since_epoch().count();
}

std::optional<double> number_at(const json::object& row, std::string_view key) {
  const json::value* const found = row.if_contains(key);
  return found && found->is_number() ? std::optional(found->to_number<double>()) : std::nullopt;
}

}  // namespace

decltype(EarlierQuestion::first) first_period(recorder::ImportedStatistics* imported,
                                              const recorder::CalendarPeriods& calendar) {
  return [imported, calendar](recorder::HistoryReader& reader, const std::string& id,
                              recorder::Span span) -> base::Result<std::optional<base::Timestamp>> {
    if (imported) {
      const auto known = imported->find(id);
      if (!known) return std::unexpected(known.error());
      if (*known) return std::nullopt;
    }
    recorder::EntityStatistics entity(id, span, calendar);
    for (bool more = true; more;) {
      const auto read = entity.read_on(reader);
      if (!read) return std::unexpected(read.error());
      more = *read;
      if (const auto rows = entity.take_finished(!more); !rows.empty()) return rows.front().start;
    }
    return span.end;
  };
}

std::vector<std::string> rows_of(const Earlier& earlier, base::Timestamp before, const std::set<std::string>& types,
                                 std::optional<double> sum_after) {
  const std::int64_t limit = std::chrono::floor<std::chrono::milliseconds>(before).time_since_epoch().count();
  std::vector<const json::object*> rows;
  std::optional<double> last_sum;
  for (const json::value& each : earlier.rows) {
    const json::object* const row = each.if_object();
    const auto start = row ? milliseconds_at(*row, "start") : std::nullopt;
    const auto end = row ? milliseconds_at(*row, "end") : std::nullopt;
    if (!start || !end || *end > limit || *start >= *end) continue;
    rows.push_back(row);
    if (const auto sum = number_at(*row, "sum")) last_sum = sum;
  }
  const double moved = sum_after && last_sum ? *sum_after - *last_sum : 0;
  std::vector<std::string> texts;
  for (const json::object* const row : rows) {
    json::object shown{{"start", *milliseconds_at(*row, "start")}, {"end", *milliseconds_at(*row, "end")}};
    for (const std::string& type : types) {
      const auto number = number_at(*row, type);
      if (number)
        shown[type] = type == "sum" ? *number + moved : *number;
      else if (row->contains(type))
        shown[type] = nullptr;
    }
    texts.push_back(base::to_json(shown));
  }
  return texts;
}

}  // namespace hearth::api
