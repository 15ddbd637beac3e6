// SPDX-License-Identifier: Apache-2.0
// energy/fossil_energy_consumption: how much of the electricity from the grid was made of coal, oil and gas, by a
// statistic of its share in percent. An hour whose share is unknown counts in full.
#include <cmath>
#include <map>

#include "api/energy/statistic_rows.h"
#include "api/gateway/message_reader.h"
#include "api/gateway/piece_reply.h"
#include "api/history/query.h"
#include "api/history/span_fields.h"
#include "api/history/statistics/statistic_ids.h"
#include "api/parts.h"
#include "api/rows.h"
#include "base/text/timestamp.h"
#include "core/values/entity_filter.h"
#include "core/values/entity_id.h"
#include "core/values/units.h"
#include "recorder/history/calendar_periods.h"

namespace hearth::api {
namespace {

using recorder::Period;

constexpr base::Duration kQuarterOfShare = std::chrono::minutes(15);
constexpr double kMostPercent = 100;
constexpr std::size_t kWholeSeconds = 19;  // of a timestamp
constexpr std::pair<std::string_view, Period> kFossilPeriods[] = {
    {"5minute", Period::five_minutes}, {"hour", Period::hour}, {"day", Period::day}, {"month", Period::month}};

struct FossilQuestion {
  std::vector<std::string> ids;
  std::string share;
  recorder::Span span;
  recorder::CalendarPeriods calendar{Period::hour};
};

class FossilEnergy {
 public:
  FossilEnergy(const core::View& home, FossilQuestion question, recorder::ImportedStatistics* imported)
      : question_(std::move(question)), imported_(imported), ids_(home, question_.ids, [this](const StatisticId& id) {
          if (id.unit) units_[std::string(id.entity_id)] = *id.unit;
        }) {}

  base::Result<bool> produce(recorder::HistoryReader& reader, std::string& out) {
    const auto until = std::chrono::steady_clock::now() + kQueryTurn;
    do {
      const auto more = step(reader);
      if (!more) return more;
      if (*more) continue;
      out = text();
      return false;
    } while (std::chrono::steady_clock::now() < until);
    return true;
  }

 private:
  struct Share {
    double weighted = 0, seconds = 0;
  };

  base::Result<bool> step(recorder::HistoryReader& reader) {
    if (!ids_read_) {
      const auto more = ids_.read_on(reader);
      if (!more || *more) return more;
      ids_read_ = true;
      if (auto done = take_imported(); !done) return std::unexpected(done.error());
      return true;
    }
    if (!rows_ && next_ > question_.ids.size()) return false;
    if (!rows_) begin();
    const auto more = rows_->read_on(reader);
    if (!more || *more) return more;
    rows_.reset();
    return true;
  }

  base::Result<void> take_imported() {
    for (const std::string& id : question_.ids) {
      if (!imported_ || units_.contains(id)) continue;
      const auto found = imported_->find(id);
      if (!found) return std::unexpected(found.error());
      if (*found && (*found)->unit) units_[id] = *(*found)->unit;
    }
    return {};
  }

  // The meters, then the share.
  void begin() {
    const bool share = next_ == question_.ids.size();
    const std::string& id = share ? question_.share : question_.ids[next_];
    ++next_;
    const auto unit = units_.find(id);
    const double factor = unit == units_.end() ? 1 : core::convert_unit(1, unit->second, "kWh").value_or(1);
    rows_.emplace(
        imported_, id, question_.span, [this](double sum) { sum_ = sum; },
        [this, share, factor](const recorder::Statistics& row) {
          const base::Timestamp hour = recorder::period_start(row.start, Period::hour);
          if (share && !row.total) {
            const double seconds = std::chrono::duration<double>(row.covered).count();
            shares_[hour].weighted += row.mean * seconds;
            shares_[hour].seconds += seconds;
          }
          if (share || !row.total) return;
          const base::Timestamp at = row.covered > kQuarterOfShare ? hour : row.start;
          energy_[at] += (row.sum - sum_) * factor;
          sum_ = row.sum;
        });
  }

  std::string text() {
    std::map<base::Timestamp, double> fossil;
    for (const auto& [at, energy] : energy_) {
      const auto share = shares_.find(recorder::period_start(at, Period::hour));
      const bool known = share != shares_.end() && share->second.seconds > 0;
      const double percent = known ? share->second.weighted / share->second.seconds : kMostPercent;
      fossil[question_.calendar.start_of(at)] += energy * percent / kMostPercent;
    }
    json::object all;
    for (const auto& [at, energy] : fossil) {
      all[base::to_string(at).substr(0, kWholeSeconds) + "+00:00"] = energy;
    }
    return base::to_json(all);
  }

  FossilQuestion question_;
  recorder::ImportedStatistics* const imported_;
  std::map<std::string, std::string, std::less<>> units_;
  StatisticIds ids_;
  bool ids_read_ = false;
  std::size_t next_ = 0;
  std::optional<StatisticRows> rows_;
  double sum_ = 0;
  std::map<base::Timestamp, double> energy_;
  std::map<base::Timestamp, Share> shares_;
};

std::expected<FossilQuestion, CommandError> read_fossil(const CommandCall& call) {
  FossilQuestion question;
  std::string period;
  std::optional<std::vector<std::string>> ids;
  SpanFields span;
  MessageReader in(call.message);
  span.read(in);
  in.optional("energy_statistic_ids", ids);
  in.required("co2_statistic_id", question.share);
  in.required("period", period);
  if (auto read = in.finish(); !read) return std::unexpected(CommandError(read.error()));
  const auto parsed = span.parse(call.home.clock().now());
  if (!parsed) return std::unexpected(parsed.error());
  const auto* const known = std::ranges::find(kFossilPeriods, period, &std::pair<std::string_view, Period>::first);
  if (known == std::end(kFossilPeriods))
    return std::unexpected(
        CommandError(command_error::kInvalidFormat, "period: expected one of 5minute, hour, day, month."));
  if (!ids)
    return std::unexpected(
        CommandError(command_error::kInvalidFormat, "energy_statistic_ids: missing; expected a list."));
  if (auto few = core::bound_list(*ids, "energy_statistic_ids", call.home.limits()); !few)
    return std::unexpected(CommandError(few.error()));
  const auto readable = [&](const std::string& id) {
    return recorder::is_external_statistic(id) ? call.home.rights().reads_all()
                                               : core::EntityId::parse(id) && call.home.reads(id);
  };
  for (std::string& id : *ids) {
    if (readable(id)) question.ids.push_back(std::move(id));
  }
  if (!readable(question.share)) question.share.clear();
  // Quarters of an hour are the shortest that rows have.
  question.calendar = {known->second, call.home.config()->time_zone};
  question.span.start = recorder::period_start(parsed->start, Period::hour);
  question.span.end = std::min(parsed->end, call.home.clock().now());
  return question;
}

void fossil_energy(const CommandCall& call, CommandReply reply) {
  auto question = read_fossil(call);
  if (!question) return reply.send(std::unexpected(question.error()));
  if (question->span.end < question->span.start) return reply.send("{}");
  const std::size_t weight = weight_of(question->ids);
  const auto fossil = std::make_shared<FossilEnergy>(call.home, std::move(*question), call.parts.imported);
  reply_with_pieces(call, std::move(reply), weight,
                    [fossil](recorder::HistoryReader& reader, std::string& out, std::size_t) {
                      return fossil->produce(reader, out);
                    });
}

}  // namespace

constexpr Command kFossilEnergyCommandRows[] = {
    {"energy/fossil_energy_consumption", Access::history, fossil_energy, Durable::no},
};
constexpr Commands kFossilEnergyCommands = kFossilEnergyCommandRows;

}  // namespace hearth::api
