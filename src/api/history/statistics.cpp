// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <set>

#include "api/commands.h"
#include "api/gateway/message_reader.h"
#include "api/gateway/piece_reply.h"
#include "api/history/span_fields.h"
#include "api/records.h"
#include "api/system/recorder_state.h"
#include "core/entity_filter.h"
#include "core/entity_id.h"
#include "recorder/entity_statistics.h"

namespace hearth::api {
namespace {

using recorder::Period;
using recorder::Statistics;

constexpr std::pair<std::string_view, Period> kPeriods[] = {{"5minute", Period::five_minutes},
                                                            {"hour", Period::hour},
                                                            {"day", Period::day},
                                                            {"week", Period::week},
                                                            {"month", Period::month}};
constexpr std::string_view kTypes[] = {"change", "last_reset", "max", "mean", "min", "state", "sum"};

base::Timestamp period_end(base::Timestamp start, Period period) {
  using namespace std::chrono_literals;
  switch (period) {
    case Period::five_minutes:
      return start + 5min;
    case Period::hour:
      return start + 1h;
    case Period::day:
      return start + 24h;
    case Period::week:
      return start + 7 * 24h;
    case Period::month:
      return recorder::period_start(start + 32 * 24h, Period::month);
  }
  return start;
}

struct Question {
  std::vector<std::string> ids;
  recorder::Span span;
  Period period = Period::hour;
  std::set<std::string> types;
};

void append_number(std::string& out, std::string_view key, double value) {
  out.append(",\"").append(key).append("\":");
  base::write_json_number(out, value);
}

void append_row(std::string& out, const Question& question, const Statistics& row, double sum_before) {
  const auto milliseconds = [](base::Timestamp time) {
    return std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
  };
  fmt::format_to(std::back_inserter(out), R"({{"start":{},"end":{})", milliseconds(row.start),
                 milliseconds(period_end(row.start, question.period)));
  const auto wanted = [&](const char* type) { return question.types.contains(type); };
  if (!row.total && wanted("mean")) append_number(out, "mean", row.mean);
  if (!row.total && !row.angle) {
    if (wanted("min")) append_number(out, "min", row.min);
    if (wanted("max")) append_number(out, "max", row.max);
  }
  if (wanted("state")) append_number(out, "state", row.state);
  if (row.total) {
    if (wanted("sum")) append_number(out, "sum", row.sum);
    if (wanted("change")) append_number(out, "change", row.sum - sum_before);
    if (wanted("last_reset") && row.last_reset)
      fmt::format_to(std::back_inserter(out), R"(,"last_reset":{})", milliseconds(*row.last_reset));
    else if (wanted("last_reset"))
      out += R"(,"last_reset":null)";
  }
  out += '}';
}

// Entity after entity, each in a turn or several.
class StatisticsQuery {
 public:
  explicit StatisticsQuery(Question question) : question_(std::move(question)) {}

  base::Result<bool> produce(recorder::HistoryReader& reader, std::string& out) {
    if (!entity_) {
      if (next_ == question_.ids.size()) {
        out += any_ ? "}" : "{}";
        return false;
      }
      entity_.emplace(question_.ids[next_++], question_.span, question_.period);
    }
    const auto more = entity_->read_on(reader);
    if (!more) return std::unexpected(more.error());
    append_rows(out, entity_->take_finished(!*more));
    if (*more) return true;
    if (std::exchange(open_, false)) out += ']';
    entity_.reset();
    return true;
  }

 private:
  void append_rows(std::string& out, const std::vector<Statistics>& rows) {
    if (rows.empty()) return;
    if (!open_) {
      out += any_ ? ',' : '{';
      any_ = open_ = true;
      base::write_json_string(out, entity_->entity_id());
      out += ":[";
      before_ = entity_->sum_before();
    } else {
      out += ',';
    }
    for (const Statistics& row : rows) {
      if (&row != rows.data()) out += ',';
      append_row(out, question_, row, before_);
      before_ = row.sum;
    }
  }

  const Question question_;
  std::size_t next_ = 0;
  bool any_ = false;   // entities in the text
  bool open_ = false;  // the current one's list is
  double before_ = 0;  // the total's sum of the row before
  std::optional<recorder::EntityStatistics> entity_;
};

std::expected<Question, CommandError> read_question(const CommandCall& call) {
  Question question;
  SpanFields span;
  std::vector<std::string> types;
  std::optional<std::vector<std::string>> ids;
  std::string period;
  json::object units;
  MessageReader in(call.message);
  span.read(in);
  in.optional("statistic_ids", ids);
  in.required("period", period);
  in.optional("types", types);
  in.optional("units", units);
  if (auto read = in.finish(); !read) return std::unexpected(CommandError(read.error()));
  const auto parsed = span.parse(call.home.clock().now());
  if (!parsed) return std::unexpected(parsed.error());
  const auto known = std::ranges::find(kPeriods, period, &std::pair<std::string_view, Period>::first);
  if (known == std::end(kPeriods)) {
    return std::unexpected(
        CommandError(command_error::kInvalidFormat, "period: expected one of 5minute, hour, day, week, month."));
  }
  question.period = known->second;
  for (const std::string& type : types) {
    if (std::ranges::find(kTypes, type) == std::end(kTypes)) {
      return std::unexpected(CommandError(command_error::kInvalidFormat,
                                          "types: expected some of change, last_reset, max, mean, min, state, sum."));
    }
  }
  question.types = types.empty() ? std::set<std::string>(std::begin(kTypes), std::end(kTypes))
                                 : std::set<std::string>(types.begin(), types.end());
  if (!ids) {
    return std::unexpected(CommandError(command_error::kInvalidFormat, "statistic_ids: missing; expected a list."));
  }
  for (const std::string& text : *ids) {
    if (const auto id = core::EntityId::parse(text)) question.ids.emplace_back(id->str());
  }
  if (auto few = core::bound_list(question.ids, "statistic_ids", call.home.limits()); !few)
    return std::unexpected(few.error());
  call.home.keep_readable(question.ids);
  // Whole periods: the first is the one that the start lies in.
  question.span.start = recorder::period_start(parsed->start, question.period);
  question.span.end = std::min(parsed->end, call.home.clock().now());
  return question;
}

}  // namespace

CommandResult recorder_commands::info(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  return base::to_json(recorder_state(call.records));
}

void recorder_commands::statistics_during_period(const CommandCall& call, CommandReply reply) {
  auto question = read_question(call);
  if (!question) return reply.send(std::unexpected(question.error()));
  if (question->span.end < question->span.start) return reply.send("{}");
  const std::size_t weight = weight_of(question->ids);
  const auto query = std::make_shared<StatisticsQuery>(std::move(*question));
  reply_with_pieces(
      call, std::move(reply), weight,
      [query](recorder::HistoryReader& reader, std::string& out, std::size_t) { return query->produce(reader, out); });
}

}  // namespace hearth::api
