// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "api/gateway/message_reader.h"
#include "api/gateway/piece_reply.h"
#include "api/history/statistics/statistic_period.h"
#include "api/rows.h"
#include "core/values/entity_id.h"
#include "recorder/history/entity_statistics.h"

namespace hearth::api {
namespace {

using recorder::Statistics;

constexpr std::string_view kFigures[] = {"max", "mean", "min", "change"};

// All of a span as one: what was measured, or how much a total has increased.
class WholeStatistic {
 public:
  WholeStatistic(std::string entity_id, recorder::Span span, std::set<std::string> types)
      : statistics_(std::move(entity_id), span, recorder::Period::month), types_(std::move(types)) {}

  base::Result<bool> produce(recorder::HistoryReader& reader, std::string& out) {
    const auto more = statistics_.read_on(reader);
    if (!more) return more;
    for (const Statistics& period : statistics_.take_finished(!*more)) {
      if (whole_)
        whole_->join(period);
      else
        whole_ = period;
    }
    if (!*more) out = text();
    return more;
  }

 private:
  std::string text() const {
    json::object object;
    const bool measured = whole_ && !whole_->total, ranges = measured && !whole_->angle;
    if (types_.contains("max")) object["max"] = ranges ? json::value(whole_->max) : json::value();
    if (types_.contains("mean")) object["mean"] = measured ? json::value(whole_->mean) : json::value();
    if (types_.contains("min")) object["min"] = ranges ? json::value(whole_->min) : json::value();
    if (types_.contains("change")) {
      object["change"] = whole_ && whole_->total ? json::value(whole_->sum - statistics_.sum_before()) : json::value();
    }
    return base::to_json(object);
  }

  recorder::EntityStatistics statistics_;
  const std::set<std::string> types_;
  std::optional<Statistics> whole_;
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
  const auto id = core::EntityId::parse(statistic_id);
  if (!id) return refuse("statistic_id: expected an entity id.");
  const base::Timestamp now = call.home.clock().now();
  auto span = period.span(now, call.home.config()->time_zone);
  if (!span) return reply.send(std::unexpected(span.error()));
  span->end = std::min(span->end, now);
  // Of what the caller may not read there is as much as of what does not exist: nothing, of an empty span.
  if (!call.home.reads(id->str()) || span->end < span->start) span->end = span->start = base::Timestamp();
  auto wanted = types.empty() ? std::set<std::string>(std::begin(kFigures), std::end(kFigures))
                              : std::set<std::string>(types.begin(), types.end());
  const auto query = std::make_shared<WholeStatistic>(std::string(id->str()), *span, std::move(wanted));
  reply_with_pieces(
      call, std::move(reply), id->str().size(),
      [query](recorder::HistoryReader& reader, std::string& out, std::size_t) { return query->produce(reader, out); });
}

}  // namespace

constexpr Command kStatisticDuringCommandRows[] = {
    {"recorder/statistic_during_period", Access::history, statistic_during_period, Durable::no},
};
constexpr Commands kStatisticDuringCommands = kStatisticDuringCommandRows;

}  // namespace hearth::api
