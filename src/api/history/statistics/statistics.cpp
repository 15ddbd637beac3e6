// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <set>

#include "api/gateway/message_reader.h"
#include "api/gateway/piece_reply.h"
#include "api/history/span_fields.h"
#include "api/history/statistics/earlier_periods.h"
#include "api/history/statistics/imported_periods.h"
#include "api/parts.h"
#include "api/rows.h"
#include "api/system/recorder_state.h"
#include "core/values/entity_filter.h"
#include "core/values/entity_id.h"
#include "recorder/history/entity_statistics.h"

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

struct Question {
  std::vector<std::string> ids;  // entities, then others
  recorder::Span span;
  recorder::CalendarPeriods calendar{Period::hour};
  std::set<std::string> types;
};

void append_number(std::string& out, std::string_view key, double value) {
  out.append(",\"").append(key).append("\":");
  base::write_json_number(out, value);
}

// Null: there is none, of what was imported.
void append_figure(std::string& out, std::string_view key, double value) {
  if (std::isfinite(value)) return append_number(out, key, value);
  out.append(",\"").append(key).append("\":null");
}

// The fields of a row besides its state.
struct Shown {
  bool mean = false, range = false, sum = false;

  static Shown of(const Statistics& row) { return {!row.total, !row.total && !row.angle, row.total}; }
  static Shown of(const recorder::ImportedStatistic& statistic) {
    return {statistic.has_mean, statistic.has_mean, statistic.has_sum};
  }
};

void append_row(std::string& out, Question& question, const Statistics& row, const Shown& shown, double sum_before) {
  const auto milliseconds = [](base::Timestamp time) {
    return std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
  };
  fmt::format_to(std::back_inserter(out), R"({{"start":{},"end":{})", milliseconds(row.start),
                 milliseconds(question.calendar.end_of(row.start)));
  const auto wanted = [&](const char* type) { return question.types.contains(type); };
  if (shown.mean && wanted("mean")) append_number(out, "mean", row.mean);
  if (shown.range) {
    if (wanted("min")) append_number(out, "min", row.min);
    if (wanted("max")) append_number(out, "max", row.max);
  }
  if (wanted("state")) append_figure(out, "state", row.state);
  if (shown.sum) {
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
  StatisticsQuery(Question question, recorder::ImportedStatistics* imported, EarlierById earlier)
      : question_(std::move(question)), imports_(imported), earlier_(std::move(earlier)) {}

  base::Result<bool> produce(recorder::HistoryReader& reader, std::string& out) {
    if (!entity_) {
      if (next_ == question_.ids.size()) {
        out += any_ ? "}" : "{}";
        return false;
      }
      const std::string& id = question_.ids[next_++];
      imported_.emplace(imports_, id, question_.span, question_.calendar);
      auto any = imported_->begin();
      if (!any) return std::unexpected(std::move(any.error()));
      if (!*any) imported_.reset();
      entity_.emplace(id, question_.span, question_.calendar);
      own_ = false;
    }
    const auto more = entity_->read_on(reader);
    if (!more) return std::unexpected(more.error());
    auto rows = entity_->take_finished(!*more);
    if (!rows.empty() && !own_) {
      if (auto done = append_imported(out, entity_->first_hour(), &rows.front()); !done)
        return std::unexpected(done.error());
      own_ = true;
    }
    for (const Statistics& row : rows) append(out, row, Shown::of(row));
    if (*more) return true;
    if (!own_) {
      if (auto done = append_imported(out, base::Timestamp::max(), nullptr); !done)
        return std::unexpected(done.error());
    }
    if (std::exchange(open_, false)) out += ']';
    entity_.reset();
    return true;
  }

 private:
  // Imports count up to the first hour that the hub has measured itself: `own` is the period of that, or null if there
  // is none. The imported part of that period joins it.
  base::Result<void> append_imported(std::string& out, base::Timestamp before, Statistics* own) {
    append_earlier(out, own);
    double gained = 0;  // of the period that is shared
    if (imported_) before_ = imported_->sum_before();
    while (imported_) {
      const auto rows = imported_->next(before);
      if (!rows) return std::unexpected(rows.error());
      // An answer of more is refused.
      if (rows->empty() || out.size() > kMostImported) break;
      for (const Statistics& row : *rows) {
        if (own && row.start == own->start) {
          if (row.total != own->total || own->angle) continue;  // of another kind
          gained = row.sum - before_;
          Statistics both = row;
          both.join(*own);
          *own = both;
        } else {
          append(out, row, Shown::of(imported_->statistic()));
        }
      }
    }
    if (own) before_ = entity_->sum_before() - gained;
    return {};
  }

  // The periods of another hub come first.
  void append_earlier(std::string& out, const Statistics* own) {
    const auto found = earlier_.find(entity_->entity_id());
    if (found == earlier_.end()) return;
    const bool goes_on = own && own->total;
    for (const std::string& row : rows_of(found->second, own ? own->start : found->second.until, question_.types,
                                          goes_on ? std::optional(entity_->sum_before()) : std::nullopt)) {
      open(out);
      out += row;
    }
  }

  void open(std::string& out) {
    if (!open_) {
      out += any_ ? ',' : '{';
      any_ = open_ = true;
      base::write_json_string(out, entity_->entity_id());
      out += ":[";
    } else {
      out += ',';
    }
  }

  void append(std::string& out, const Statistics& row, const Shown& shown) {
    open(out);
    append_row(out, question_, row, shown, before_);
    before_ = row.sum;
  }

  static constexpr std::size_t kMostImported = 8 << 20;

  Question question_;
  recorder::ImportedStatistics* const imports_;
  const EarlierById earlier_;
  std::size_t next_ = 0;
  bool any_ = false;   // entities in the text
  bool open_ = false;  // the current one's list is
  bool own_ = false;   // rows that the hub has measured have begun
  double before_ = 0;  // the total's sum of the row before
  std::optional<ImportedPeriods> imported_;
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
  question.calendar = {known->second, call.home.config()->time_zone};
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
  std::vector<std::string> others;  // of nobody's rooms: only those may read them who may read all
  for (const std::string& text : *ids) {
    if (const auto id = core::EntityId::parse(text)) question.ids.emplace_back(id->str());
    if (recorder::is_external_statistic(text) && call.home.rights().reads_all()) others.push_back(text);
  }
  for (std::vector<std::string>* const list : {&question.ids, &others}) {
    if (auto few = core::bound_list(*list, "statistic_ids", call.home.limits()); !few)
      return std::unexpected(few.error());
  }
  call.home.keep_readable(question.ids);
  question.ids.insert(question.ids.end(), others.begin(), others.end());
  // Whole periods: the first is the one that the start lies in.
  question.span.start = question.calendar.start_of(parsed->start);
  question.span.end = std::min(parsed->end, call.home.clock().now());
  return question;
}

EarlierQuestion earlier_question(const Question& question, std::string_view period,
                                 recorder::ImportedStatistics* imported) {
  json::array types;
  for (const std::string& type : question.types) types.push_back(json::value(type));
  return {.entity_ids = question.ids,
          .span = question.span,
          .command = {{"type", "recorder/statistics_during_period"}, {"period", period}, {"types", std::move(types)}},
          .ids_key = "statistic_ids",
          .first = first_period(imported, question.calendar)};
}

CommandResult recorder_info(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  return base::to_json(recorder_state(call.parts));
}

void statistics_during_period(const CommandCall& call, CommandReply reply) {
  auto question = read_question(call);
  if (!question) return reply.send(std::unexpected(question.error()));
  if (question->span.end < question->span.start) return reply.send("{}");
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  EarlierQuestion earlier = earlier_question(*question, call.message.at("period").get_string(), call.parts.imported);
  ask_earlier(call.home, call.parts.history, std::move(earlier),
              [home = call.home, history = call.parts.history, imported = call.parts.imported,
               question = std::move(*question), shared](EarlierById found) {
                const std::size_t weight = weight_of(question.ids);
                const auto query = std::make_shared<StatisticsQuery>(question, imported, std::move(found));
                reply_with_pieces(home, history, std::move(*shared), weight,
                                  [query](recorder::HistoryReader& reader, std::string& out, std::size_t) {
                                    return query->produce(reader, out);
                                  });
              });
}

}  // namespace

constexpr Command kStatisticsCommandRows[] = {
    {"recorder/info", Access::user, recorder_info, Durable::no},
    {"recorder/statistics_during_period", Access::history, statistics_during_period, Durable::no},
};
constexpr Commands kStatisticsCommands = kStatisticsCommandRows;

}  // namespace hearth::api
