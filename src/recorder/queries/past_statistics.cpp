// SPDX-License-Identifier: Apache-2.0
// The tables statistics, by hours, and statistics_short_term, by five minutes, of the last ten days if nothing else is
// asked for.
#include <algorithm>
#include <cmath>
#include <utility>

#include "recorder/history/entity_statistics.h"
#include "recorder/log/history_file.h"
#include "recorder/queries/past_table.h"

namespace hearth::recorder {
namespace {

using base::Result;
using Use = PastColumn::Use;

enum class StatisticsColumn {
  id,
  statistics_metadata_id,
  start_ts,
  start,
  created_ts,
  mean,
  min,
  max,
  state_value,
  sum,
  last_reset_ts,
};

constexpr PastColumn kStatisticsColumns[] = {
    {"id INTEGER"},
    {"metadata_id INTEGER", Use::entity_number},
    {"start_ts REAL", Use::time},
    {"start TEXT", Use::time_text},
    {"created_ts REAL"},
    {"mean REAL"},
    {"min REAL"},
    {"max REAL"},
    {"state REAL"},
    {"sum REAL"},
    {"last_reset_ts REAL"},
};

constexpr base::Duration kShortTerm = std::chrono::days(10);

class StatisticsRows final : public PastRows {
 public:
  StatisticsRows(HistoryTables& tables, Wanted wanted, Period period)
      : tables_(tables), wanted_(std::move(wanted)), calendar_(period) {}

  Result<bool> step() override {
    ++at_;
    while (at_ >= list_.size()) {
      if (!tables_.go_on()) return base::fail(base::ErrorCode::unavailable, "cancelled");
      if (!entity_) {
        auto begun = begin_entity();
        if (!begun || !*begun) return begun;
      }
      const auto more = entity_->read_on(tables_.reader());
      if (!more) return std::unexpected(more.error());
      list_ = entity_->take_finished(!*more);
      std::erase_if(list_, [this](const Statistics& each) { return calendar_.end_of(each.start) > tables_.now(); });
      at_ = 0;
      if (!*more) entity_.reset();
    }
    return true;
  }

  void column(sqlite3_context* to, int number) const override {
    const Statistics& row = list_[at_];
    const auto number_or_null = [to](bool there, double value) {
      return there && !std::isnan(value) ? sqlite3_result_double(to, value) : sqlite3_result_null(to);
    };
    switch (static_cast<StatisticsColumn>(number)) {
      case StatisticsColumn::id:
        return sqlite3_result_int64(to, row.start.time_since_epoch().count() / 1'000'000 * 4'096 + number_ % 4'096);
      case StatisticsColumn::statistics_metadata_id:
        return sqlite3_result_int64(to, number_);
      case StatisticsColumn::start_ts:
        return give_seconds(to, row.start);
      case StatisticsColumn::start:
        return give_time(to, row.start);
      case StatisticsColumn::created_ts:
        return give_seconds(to, CalendarPeriods(calendar_).end_of(row.start));
      case StatisticsColumn::mean:
        return number_or_null(!row.total, row.mean);
      case StatisticsColumn::min:
        return number_or_null(!row.total && !row.angle, row.min);
      case StatisticsColumn::max:
        return number_or_null(!row.total && !row.angle, row.max);
      case StatisticsColumn::state_value:
        return number_or_null(row.total, row.state);
      case StatisticsColumn::sum:
        return number_or_null(row.total, row.sum);
      case StatisticsColumn::last_reset_ts:
        break;
    }
    return row.last_reset ? give_seconds(to, *row.last_reset) : sqlite3_result_null(to);
  }

 private:
  Result<bool> begin_entity() {
    if (next_ == wanted_.entities.size()) return false;
    number_ = wanted_.entities[next_++];
    const std::string& id = *tables_.find_entity(number_);
    base::Timestamp from = wanted_.from;
    const bool short_term = calendar_.period() == Period::five_minutes;
    if (short_term) from = std::max(from, tables_.now() - kShortTerm);
    if (!short_term || wanted_.entities.size() > 1) {
      if (auto opened = tables_.reader().open(); !opened) return std::unexpected(std::move(opened.error()));
      const auto first = tables_.reader().first_day(id);
      if (!first) return std::unexpected(first.error());
      const auto oldest = tables_.reader().oldest();
      if (!oldest) return std::unexpected(oldest.error());
      base::Timestamp begin = std::min(*oldest, tables_.now());
      if (*first) begin = std::min(begin, base::Timestamp(base::Duration(**first * kMicrosPerDay)));
      from = std::max(from, begin);
    }
    entity_.emplace(id, Span{calendar_.start_of(from), std::min(wanted_.until, tables_.now())}, calendar_);
    return true;
  }

  HistoryTables& tables_;
  const Wanted wanted_;
  CalendarPeriods calendar_;
  std::size_t next_ = 0;  // of the entities that are wanted
  std::int64_t number_ = 0;
  std::optional<EntityStatistics> entity_;
  std::vector<Statistics> list_;
  std::size_t at_ = 0;
};

template <Period period>
std::unique_ptr<PastRows> statistics_rows(HistoryTables& tables, Wanted wanted) {
  return std::make_unique<StatisticsRows>(tables, std::move(wanted), period);
}

}  // namespace

const PastTable kStatisticsTable{
    .name = "statistics", .columns = kStatisticsColumns, .rows = statistics_rows<Period::hour>};

const PastTable kShortStatisticsTable{
    .name = "statistics_short_term", .columns = kStatisticsColumns, .rows = statistics_rows<Period::five_minutes>};

}  // namespace hearth::recorder
