// SPDX-License-Identifier: Apache-2.0
// The tables states and state_attributes.
#include <algorithm>
#include <utility>

#include "recorder/queries/past_table.h"
#include "recorder/queries/states_of_entity.h"

namespace hearth::recorder {
namespace {

using base::Result;
using Use = PastColumn::Use;

enum class StateColumn {
  state_id,
  metadata_id,
  entity_id,
  domain,
  state,
  attributes,
  attributes_id,
  last_changed_ts,
  last_updated_ts,
  last_reported_ts,
  last_changed,
  last_updated,
  created,
  old_state_id,
};

constexpr PastColumn kStateColumns[] = {
    {"state_id INTEGER", Use::order},
    {"metadata_id INTEGER", Use::entity_number},
    {"entity_id TEXT", Use::entity_name},
    {"domain TEXT"},
    {"state TEXT"},
    {"attributes TEXT"},
    {"attributes_id INTEGER"},
    {"last_changed_ts REAL", Use::begin},
    {"last_updated_ts REAL", Use::time},
    {"last_reported_ts REAL", Use::time},
    {"last_changed TEXT", Use::begin_text},
    {"last_updated TEXT", Use::time_text},
    {"created TEXT", Use::time_text},
    {"old_state_id INTEGER"},
};

constexpr bool wants(const Wanted& wanted, StateColumn column) {
  return (wanted.columns >> static_cast<unsigned>(column) & 1) != 0;
}

class StateRows final : public PastRows {
 public:
  StateRows(HistoryTables& tables, Wanted wanted) : tables_(tables), wanted_(std::move(wanted)) {}

  Result<bool> step() override {
    ++at_;
    while (at_ >= list_.size()) {
      if (!tables_.go_on()) return base::fail(base::ErrorCode::unavailable, "cancelled");
      if (!states_ && !begin_entity()) return false;
      auto list = states_->next(tables_.reader());
      if (!list) return std::unexpected(std::move(list.error()));
      if (!*list) {
        states_.reset();
        continue;
      }
      if (auto taken = take(std::move(**list)); !taken) return std::unexpected(std::move(taken.error()));
    }
    if (wants(wanted_, StateColumn::attributes_id) && !change().removed) {
      const auto number = tables_.number_of_attributes(change().attributes);
      if (!number)
        return base::fail(base::ErrorCode::full, "there are more than 16 MiB of attributes; ask for a shorter time");
      attributes_ = *number;
    }
    return true;
  }

  void column(sqlite3_context* to, int number) const override {
    switch (static_cast<StateColumn>(number)) {
      case StateColumn::state_id:
        return sqlite3_result_int64(to, number_of(change()));
      case StateColumn::metadata_id:
        return sqlite3_result_int64(to, entity_);
      case StateColumn::entity_id:
        return give(to, *id_);
      case StateColumn::domain:
        return give(to, std::string_view(*id_).substr(0, id_->find('.')));
      case StateColumn::state:
        return change().removed ? sqlite3_result_null(to) : give(to, change().value);
      case StateColumn::attributes:
        return change().removed ? sqlite3_result_null(to) : give(to, change().attributes);
      case StateColumn::attributes_id:
        return change().removed ? sqlite3_result_null(to) : sqlite3_result_int64(to, attributes_);
      case StateColumn::last_changed_ts:
        return give_seconds(to, change().changed);
      case StateColumn::last_updated_ts:
      case StateColumn::last_reported_ts:
        return give_seconds(to, change().updated);
      case StateColumn::last_changed:
        return give_time(to, change().changed);
      case StateColumn::last_updated:
      case StateColumn::created:
        return give_time(to, change().updated);
      case StateColumn::old_state_id:
        break;
    }
    const Change* const older = older_one();
    return older ? sqlite3_result_int64(to, number_of(*older)) : sqlite3_result_null(to);
  }

 private:
  // Grows with time; the entity's number tells those of one moment apart.
  std::int64_t number_of(const Change& change) const {
    constexpr base::Timestamp kBegin{std::chrono::sys_days(std::chrono::year(2000) / 1 / 1)};
    return (change.updated - kBegin).count() * 4'096 + entity_ % 4'096;
  }
  const Change& change() const { return list_.changes()[at_]; }
  const Change* older_one() const {
    const auto all = list_.changes();
    if (wanted_.newest_first && at_ + 1 < all.size()) return &all[at_ + 1];
    if (!wanted_.newest_first && at_ > 0) return &all[at_ - 1];
    return before_.empty() ? nullptr : &before_.changes().back();
  }

  bool begin_entity() {
    if (next_ == wanted_.entities.size()) return false;
    entity_ = wanted_.entities[next_++];
    id_ = tables_.find_entity(entity_);
    before_ = ChangeList();
    states_.emplace(*id_, std::max(wanted_.from, oldest()), wanted_.until, wanted_.newest_first, tables_.now());
    return true;
  }
  base::Timestamp oldest() {
    if (!oldest_) oldest_ = tables_.reader().oldest().value_or(base::Timestamp(base::Duration(0)));
    return *oldest_;
  }
  Result<void> take(ChangeList list) {
    if (wants(wanted_, StateColumn::old_state_id) && !list.empty()) {
      const Change& first = wanted_.newest_first ? list.changes().back() : list.changes().front();
      auto before = state_before(tables_.reader(), *id_, first.updated);
      if (!before) return std::unexpected(std::move(before.error()));
      before_ = std::move(*before);
    }
    list_ = std::move(list);
    at_ = 0;
    return {};
  }

  HistoryTables& tables_;
  const Wanted wanted_;
  std::size_t next_ = 0;  // of the entities that are wanted
  std::int64_t entity_ = 0;
  const std::string* id_ = nullptr;
  std::optional<StatesOfEntity> states_;
  std::optional<base::Timestamp> oldest_;
  ChangeList list_, before_;  // what is older than the list
  std::size_t at_ = 0;
  std::int64_t attributes_ = 0;
};

constexpr PastColumn kAttributeColumns[] = {
    {"attributes_id INTEGER", Use::attributes}, {"shared_attrs TEXT"}, {"hash INTEGER"}};

class AttributeRows final : public PastRows {
 public:
  AttributeRows(const HistoryTables& tables, const Wanted& wanted)
      : number_(*wanted.attributes), text_(tables.find_attributes(number_)) {}

  Result<bool> step() override { return std::exchange(first_, false) && text_ != nullptr; }
  void column(sqlite3_context* to, int number) const override {
    if (number == 1) return give(to, *text_);
    if (number == 0) return sqlite3_result_int64(to, number_);
    sqlite3_result_null(to);
  }

 private:
  const std::int64_t number_;
  const std::string* const text_;
  bool first_ = true;
};

}  // namespace

const PastTable kStatesTable{.name = "states",
                             .columns = kStateColumns,
                             .by_time = true,
                             .rows = [](HistoryTables& tables, Wanted wanted) -> std::unique_ptr<PastRows> {
                               return std::make_unique<StateRows>(tables, std::move(wanted));
                             }};

const PastTable kStateAttributesTable{.name = "state_attributes",
                                      .columns = kAttributeColumns,
                                      .needs_attributes = true,
                                      .rows = [](HistoryTables& tables, Wanted wanted) -> std::unique_ptr<PastRows> {
                                        return std::make_unique<AttributeRows>(tables, wanted);
                                      }};

}  // namespace hearth::recorder
