// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "api/gateway/message_reader.h"
#include "api/gateway/piece_reply.h"
#include "api/history/statistics/imported_periods.h"
#include "api/history/statistics/statistic_period.h"
#include "api/parts.h"
#include "api/rows.h"
#include "core/values/entity_id.h"
#include "recorder/history/entity_statistics.h"

namespace hearth::api {
namespace {

using recorder::Statistics;

constexpr std::string_view kFigures[] = {"max", "mean", "min", "change"};

// All of a span as one: what was measured, or how much a total has increased. Imports count up to the first hour that
// the hub has measured itself, as whole hours.
class WholeStatistic {
 public:
  WholeStatistic(recorder::ImportedStatistics* imported, std::string id, recorder::Span span,
                 std::set<std::string> types)
      : statistics_(id, span, recorder::Period::month),
        imported_(imported, std::move(id), whole_hours(span), recorder::CalendarPeriods(recorder::Period::month)),
        types_(std::move(types)) {}

  base::Result<bool> produce(recorder::HistoryReader& reader, std::string& out) {
    auto more = own_done_ ? read_imported() : read_own(reader);
    if (!more) return more;
    if (*more) return true;
    join_both();
    out = text();
    return false;
  }

 private:
  // Nothing is known of a part of an imported hour.
  static recorder::Span whole_hours(recorder::Span span) {
    span.end = recorder::period_start(span.end, recorder::Period::hour) - base::Duration(1);
    return span;
  }

  static void join(std::optional<Statistics>& whole, const Statistics& period) {
    if (whole)
      whole->join(period);
    else
      whole = period;
  }

  base::Result<bool> read_own(recorder::HistoryReader& reader) {
    const auto more = statistics_.read_on(reader);
    if (!more) return more;
    for (const Statistics& period : statistics_.take_finished(!*more)) join(own_, period);
    if (*more) return true;
    own_done_ = true;
    if (own_) change_ = own_->sum - statistics_.sum_before();
    return imported_.begin();
  }

  base::Result<bool> read_imported() {
    const auto rows = imported_.next(own_ ? statistics_.first_hour() : base::Timestamp::max());
    if (!rows) return std::unexpected(rows.error());
    for (const Statistics& row : *rows) join(whole_, row);
    return !rows->empty();
  }

  void join_both() {
    const recorder::ImportedStatistic* const kind = whole_ ? &imported_.statistic() : nullptr;
    // The hub's own measurements count, if they are of another kind.
    if (!kind || (own_ && (kind->has_sum != own_->total || own_->angle))) {
      whole_ = own_;
      if (own_) has_mean_ = !own_->total, has_range_ = has_mean_ && !own_->angle, has_sum_ = own_->total;
      return;
    }
    has_mean_ = has_range_ = own_ ? !own_->total : kind->has_mean;
    has_sum_ = kind->has_sum;
    change_ += whole_->sum - imported_.sum_before();
    if (own_) whole_->join(*own_);
  }

  std::string text() const {
    json::object object;
    const auto figure = [&](const char* type, bool known, double value) {
      if (types_.contains(type)) object[type] = known ? json::value(value) : json::value();
    };
    const Statistics whole = whole_.value_or(Statistics());
    figure("max", has_range_, whole.max);
    figure("mean", has_mean_, whole.mean);
    figure("min", has_range_, whole.min);
    figure("change", has_sum_, change_);
    return base::to_json(object);
  }

  recorder::EntityStatistics statistics_;
  ImportedPeriods imported_;
  const std::set<std::string> types_;
  bool own_done_ = false;
  std::optional<Statistics> own_, whole_;  // until all is read, `whole_` is what was imported
  double change_ = 0;
  bool has_mean_ = false, has_range_ = false, has_sum_ = false;
};

void statistic_during_period(const CommandCall& call, CommandReply reply) {
  const auto refuse = [&](std::string text) {
    reply.send(std::unexpected(CommandError(command_error::kInvalidFormat, std::move(text))));
  };
  std::string statistic_id;
  std::vector<std::string> types;
  json::object units;
  StatisticPeriod period;
  MessageReader in(call.message);
  in.required("statistic_id", statistic_id);
  in.optional("types", types);
  in.optional("units", units);
  period.read(in);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  for (const std::string& type : types) {
    if (std::ranges::find(kFigures, type) == std::end(kFigures))
      return refuse("types: expected some of max, mean, min, change.");
  }
  const auto entity = core::EntityId::parse(statistic_id);
  const bool external = !entity && recorder::is_external_statistic(statistic_id);
  if (!entity && !external) return refuse("statistic_id: expected an entity id, or an id as of imported statistics.");
  const std::string id = external ? statistic_id : std::string(entity->str());
  const base::Timestamp now = call.home.clock().now();
  auto span = period.span(now, call.home.config()->time_zone);
  if (!span) return reply.send(std::unexpected(span.error()));
  span->end = std::min(span->end, now);
  // Of what the caller may not read there is as much as of what does not exist: nothing, of an empty span.
  const bool reads = external ? call.home.rights().reads_all() : call.home.reads(id);
  if (!reads || span->end < span->start) span->end = span->start = base::Timestamp();
  auto wanted = types.empty() ? std::set<std::string>(std::begin(kFigures), std::end(kFigures))
                              : std::set<std::string>(types.begin(), types.end());
  const auto query = std::make_shared<WholeStatistic>(call.parts.imported, id, *span, std::move(wanted));
  reply_with_pieces(
      call, std::move(reply), id.size(),
      [query](recorder::HistoryReader& reader, std::string& out, std::size_t) { return query->produce(reader, out); });
}

}  // namespace

constexpr Command kStatisticDuringCommandRows[] = {
    {"recorder/statistic_during_period", Access::history, statistic_during_period, Durable::no},
};
constexpr Commands kStatisticDuringCommands = kStatisticDuringCommandRows;

}  // namespace hearth::api
