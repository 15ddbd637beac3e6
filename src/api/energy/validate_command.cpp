// SPDX-License-Identifier: Apache-2.0
// energy/validate: what is wrong with the meters that people chose, with what their statistics of the last weeks show.
#include <algorithm>
#include <deque>

#include "api/energy/energy_checks.h"
#include "api/energy/preferences.h"
#include "api/energy/statistic_rows.h"
#include "api/gateway/message_reader.h"
#include "api/gateway/piece_reply.h"
#include "api/history/query.h"
#include "api/history/statistics/statistic_ids.h"
#include "api/parts.h"
#include "api/rows.h"
#include "core/values/entity_id.h"
#include "energy/reading.h"

namespace hearth::api {
namespace {

constexpr base::Duration kLookedAt = std::chrono::days(28);
constexpr double kLeastBack = 0.001;  // of what was counted: less is inaccuracy

class EnergyCheck {
 public:
  EnergyCheck(const core::View& home, json::object preferences, recorder::ImportedStatistics* imported)
      : home_(home),
        preferences_(std::move(preferences)),
        imported_(imported),
        span_{home.clock().now() - kLookedAt, home.clock().now()},
        slots_({span_.start, span_.end}),
        ids_(home, entities(), [this](const StatisticId& id) { take(id); }) {}

  base::Result<bool> produce(recorder::HistoryReader& reader, std::string& out) {
    const auto until = std::chrono::steady_clock::now() + kQueryTurn;
    do {
      const auto more = step(reader);
      if (!more) return more;
      if (*more) continue;
      out = base::to_json(energy_findings(home_, preferences_, known_));
      return false;
    } while (std::chrono::steady_clock::now() < until);
    return true;
  }

 private:
  std::vector<std::string> entities() const {
    std::vector<std::string> all;
    for (const std::string& id : statistics_of(energy::meters_of(preferences_))) {
      if (core::EntityId::parse(id)) all.push_back(id);
    }
    return all;
  }

  void take(const StatisticId& id) {
    known_[std::string(id.entity_id)] = {id.recorded, id.total, false, id.given_unit ? id.given_unit : id.unit};
    if (id.total) waiting_.emplace_back(id.entity_id);
  }

  base::Result<bool> step(recorder::HistoryReader& reader) {
    if (!ids_read_) {
      const auto more = ids_.read_on(reader);
      if (!more || *more) return more;
      ids_read_ = true;
      for (const std::string& id : entities()) {
        if (!reader.records(id)) known_[id].recorded = false;
      }
      if (auto done = take_imported(); !done) return std::unexpected(done.error());
      return true;
    }
    if (!rows_) {
      if (waiting_.empty()) return false;
      meter_.emplace(slots_, 1);
      rows_.emplace(
          nullptr, waiting_.front(), span_, [this](double sum) { meter_->begin(sum); },
          [this](const recorder::Statistics& row) { meter_->add(row); });
    }
    const auto more = rows_->read_on(reader);
    if (!more || *more) return more;
    const energy::Oddity& back = meter_->backwards();
    known_[waiting_.front()].backwards =
        back.count > 0 && back.amount > kLeastBack * std::abs(meter_->gained().front() + back.amount);
    waiting_.pop_front();
    rows_.reset();
    return true;
  }

  base::Result<void> take_imported() {
    if (!imported_) return {};
    const auto all = imported_->list();
    if (!all) return std::unexpected(all.error());
    for (const recorder::ImportedStatistic& statistic : *all) {
      const bool readable = recorder::is_external_statistic(statistic.statistic_id)
                                ? home_.rights().reads_all()
                                : home_.reads(statistic.statistic_id);
      if (readable) known_.try_emplace(statistic.statistic_id, true, statistic.has_sum, false, statistic.unit);
    }
    return {};
  }

  const core::View home_;
  const json::object preferences_;
  recorder::ImportedStatistics* const imported_;
  const recorder::Span span_;
  const energy::Slots slots_;
  CheckedStatistics known_;
  StatisticIds ids_;
  bool ids_read_ = false;
  std::deque<std::string> waiting_;
  std::optional<energy::MeterReading> meter_;
  std::optional<StatisticRows> rows_;
};

void validate_energy(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  const auto registry = call.home.registry();
  const core::Item* const item = find_energy_preferences(call.home, registry);
  const json::object preferences = item ? item->fields : json::object();
  const auto check = std::make_shared<EnergyCheck>(call.home, preferences, call.parts.imported);
  reply_with_pieces(
      call, std::move(reply), base::to_json(preferences).size() * 4,
      [check](recorder::HistoryReader& reader, std::string& out, std::size_t) { return check->produce(reader, out); });
}

}  // namespace

constexpr Command kEnergyValidateCommandRows[] = {
    {"energy/validate", Access::history, validate_energy, Durable::no},
};
constexpr Commands kEnergyValidateCommands = kEnergyValidateCommandRows;

}  // namespace hearth::api
