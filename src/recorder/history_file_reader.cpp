// SPDX-License-Identifier: Apache-2.0
#include "recorder/history_file_reader.h"

#include <algorithm>

#include "base/log/log.h"
#include "base/text/timestamp.h"
#include "recorder/history/statistics_store.h"
#include "recorder/log/history_file.h"
#include "recorder/log/segment.h"

namespace hearth::recorder {
namespace {

using base::Result;
using storage::Statement;
using storage::Transaction;

// From the index alone. A segment lies within one day, so none starts before the day that the first one ends on.
constexpr auto kOldestDay = "SELECT min(last) / 86400000000 * 86400000000 FROM segments";

// A position after everything.
constexpr std::int64_t kEnd = INT64_MAX;

// Without the changes before `time`, and without the first `at_time` of that time.
ChangeList changes_after(const ChangeList& list, base::Timestamp time, std::size_t at_time) {
  ChangeList rest;
  for (const Change& change : list.changes()) {
    if (change.updated < time || (change.updated == time && at_time > 0 && at_time--)) continue;
    rest.add(change);
  }
  return rest;
}

void warn_damaged(std::string_view where) {
  base::log_warning("recorder", "a segment of history is damaged and left out: {}", where);
}

}  // namespace

Result<void> HistoryFileReader::open() {
  if (generation_ != recorder_.generation()) {
    generation_ = recorder_.generation();
    prepared_.reset();
    database_.reset();
    names_ = nullptr;
    oldest_seen_.reset();
  }
  if (database_) return {};
  auto database = open_history(recorder_.file());
  if (!database) return std::unexpected(std::move(database.error()));
  if (auto small = database->execute("PRAGMA cache_size = -1024"); !small) return small;
  auto prepared = prepare(*database);
  if (!prepared) return std::unexpected(std::move(prepared.error()));
  prepared_.emplace(std::move(*prepared));
  database_.emplace(std::move(*database));
  return {};
}

Result<HistoryFileReader::Prepared> HistoryFileReader::prepare(storage::Database& database) {
  auto number = database.prepare("SELECT id FROM entities WHERE entity_id = ?");
  if (!number) return std::unexpected(std::move(number.error()));
  // A segment lies within one day: none that starts by `until` ends after that day.
  auto segment = database.prepare(
      "SELECT last, last_change, measurement, data, first FROM segments WHERE entity = ? "
      "AND (last, last_change) > (?, ?) AND last < ? AND first <= ? ORDER BY last, last_change LIMIT 1");
  if (!segment) return std::unexpected(std::move(segment.error()));
  auto has_segment = database.prepare("SELECT 1 FROM segments WHERE entity = ? AND last = ? AND last_change = ?");
  if (!has_segment) return std::unexpected(std::move(has_segment.error()));
  auto log = LogReader::create(database);
  if (!log) return std::unexpected(std::move(log.error()));
  auto index = LogIndex::create(database);
  if (!index) return std::unexpected(std::move(index.error()));
  return Prepared{std::move(*number), std::move(*segment), std::move(*has_segment), std::move(*log), std::move(*index)};
}

Result<HistoryFileReader::Names> HistoryFileReader::names() {
  if (auto opened = open(); !opened) return std::unexpected(std::move(opened.error()));
  auto mark = database_->prepare("SELECT count(*), coalesce(max(id), 0) FROM entities");
  if (!mark) return std::unexpected(std::move(mark.error()));
  if (auto row = mark->step(); !row) return std::unexpected(std::move(row.error()));
  const std::pair now(mark->integer(0), mark->integer(1));
  if (names_ && names_mark_ == now) return names_;
  auto select = database_->prepare("SELECT entity_id FROM entities ORDER BY entity_id");
  if (!select) return std::unexpected(std::move(select.error()));
  auto names = std::make_shared<std::vector<std::string>>();
  auto read = select->for_each([&](const Statement& row) { names->emplace_back(row.text(0)); });
  if (!read) return std::unexpected(std::move(read.error()));
  names_ = std::move(names);
  names_mark_ = now;
  return names_;
}

std::vector<std::string> HistoryFileReader::waiting_names() {
  waiting_.refresh(recorder_);
  return waiting_.names();
}

Result<base::Timestamp> HistoryFileReader::oldest() {
  constexpr std::chrono::seconds kKnownFor{10};
  if (auto opened = open(); !opened) return std::unexpected(std::move(opened.error()));
  const auto now = std::chrono::steady_clock::now();
  if (oldest_seen_ && now < *oldest_seen_ + kKnownFor) return oldest_;
  waiting_.refresh(recorder_);
  auto oldest = waiting_.oldest();
  for (const auto* const question : {"SELECT min(updated) FROM changes", "SELECT min(fired) FROM events", kOldestDay}) {
    auto select = database_->prepare(question);
    if (!select) return std::unexpected(std::move(select.error()));
    if (auto row = select->step(); !row) return std::unexpected(std::move(row.error()));
    if (!select->is_null(0)) oldest = std::min(oldest.value_or(base::Timestamp::max()), select->timestamp(0));
  }
  if (!oldest) return base::Timestamp::max();
  oldest_ = *oldest;
  oldest_seen_ = now;
  return oldest_;
}

Result<std::int64_t> HistoryFileReader::number_of(std::string_view entity_id) {
  Statement& select = prepared_->number;
  auto row = select.bind(entity_id).step();
  if (!row) return std::unexpected(std::move(row.error()));
  const std::int64_t number = *row ? select.integer(0) : 0;
  select.restart();  // an unfinished statement would keep its transaction open
  return number;
}

Result<std::optional<ChangeList>> HistoryFileReader::next(std::string_view entity_id, Position& position,
                                                          base::Timestamp from, base::Timestamp until, Kinds kinds) {
  if (auto opened = open(); !opened) return std::unexpected(std::move(opened.error()));
  if (position.last_change == kEnd || !records(entity_id)) return std::optional<ChangeList>();
  // Before the queue is read: what is committed meanwhile is then found twice, and recognised by its number, but never
  // missed.
  waiting_.refresh(recorder_);
  auto transaction = Transaction::begin(*database_, Transaction::Kind::read);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  const auto entity = number_of(entity_id);
  if (!entity) return std::unexpected(entity.error());
  if (*entity != 0) {
    auto segment = next_segment(*entity, position, from, until, kinds);
    if (!segment || *segment) return segment;
  }
  return read_log(*entity, position, until, waiting_.of(entity_id));
}

Result<std::optional<ChangeList>> HistoryFileReader::next_segment(std::int64_t entity, Position& position,
                                                                  base::Timestamp from, base::Timestamp until,
                                                                  Kinds kinds) {
  const bool first = position.last.time_since_epoch() == base::Duration::min();
  Statement& select = prepared_->segment;
  const auto after = first ? from - base::Duration(1) : position.last;
  const base::Timestamp next_day((day_of(until) + 1) * base::Duration(kMicrosPerDay));
  auto row = select.bind(entity, after, first ? kEnd : position.last_change, next_day, until).step();
  if (!row) return std::unexpected(std::move(row.error()));
  std::optional<ChangeList> list;
  if (*row) {
    bool merged = false;
    if (!first && select.timestamp(4) <= position.last) {
      const auto kept = has_segment(entity, position);
      if (!kept) return std::unexpected(kept.error());
      merged = !*kept;
    }
    const auto [read_until, read_at_last] = std::pair(position.last, position.at_last);
    position.last = select.timestamp(0);
    position.last_change = select.integer(1);
    position.seen = std::max(position.seen, position.last_change);
    if (position.last != read_until) position.at_last = 0;
    list = ChangeList();
    if (kinds == Kinds::all || select.integer(2) == 0) {
      if (auto decoded = decode_segment(select.blob(3))) {
        list = merged ? changes_after(*decoded, read_until, read_at_last) : std::move(*decoded);
        position.at_last +=
            static_cast<std::size_t>(std::ranges::count(list->changes(), position.last, &Change::updated));
      } else {
        warn_damaged(base::to_string(position.last));
      }
    }
  }
  select.restart();
  return list;
}

Result<bool> HistoryFileReader::has_segment(std::int64_t entity, const Position& position) {
  Statement& select = prepared_->has_segment;
  auto row = select.bind(entity, position.last, position.last_change).step();
  if (!row) return std::unexpected(std::move(row.error()));
  const bool found = *row;
  select.restart();
  return found;
}

Result<std::optional<ChangeList>> HistoryFileReader::read_log(std::int64_t entity, Position& position,
                                                              base::Timestamp until,
                                                              const std::vector<LogEntry>& waiting) {
  ChangeList list;
  std::int64_t seen = position.seen;
  position.last_change = kEnd;
  if (entity != 0) {
    if (auto refreshed = prepared_->index.refresh(); !refreshed) return std::unexpected(std::move(refreshed.error()));
    prepared_->log.forget();
    for (const std::int64_t id : prepared_->index.of(entity)) {
      if (prepared_->index.earliest() > until) break;
      if (id <= seen) continue;
      if (auto read = prepared_->log.read(id, list); !read) return std::unexpected(std::move(read.error()));
      seen = id;
    }
  }
  for (const LogEntry& entry : waiting) {
    if (entry.id > seen) list.add(EntryChange(entry).change());
  }
  list.sort_by_time();
  return std::optional(std::move(list));
}

Result<bool> HistoryFileReader::events(base::Timestamp from, base::Timestamp until, const TakeEvent& take) {
  if (auto opened = open(); !opened) return std::unexpected(std::move(opened.error()));
  waiting_.refresh(recorder_);
  auto select = database_->prepare(
      "SELECT events.id, type, data, fired, context_id, parent_id, user_id FROM events LEFT JOIN users ON users.id = "
      "user WHERE fired >= ? AND fired <= ? ORDER BY fired, events.id");
  if (!select) return std::unexpected(std::move(select.error()));
  select->bind(from, until);
  std::int64_t last = 0;
  for (;;) {
    auto row = select->step();
    if (!row) return std::unexpected(std::move(row.error()));
    if (!*row) break;
    last = std::max(last, select->integer(0));
    const KeptEvent event{std::string(select->text(1)),
                          std::string(select->text(2)),
                          select->timestamp(3),
                          {std::string(select->text(4)), select->optional_string(5), select->optional_string(6)}};
    if (!take(event)) return false;
  }
  for (const LogEntry& entry : waiting_.events()) {
    if (entry.id <= last) continue;
    const core::Event& event = *entry.event;
    if (event.time_fired < from || event.time_fired > until) continue;
    std::string data;
    core::write_data_json(data, event);
    if (!take({event.type, std::move(data), event.time_fired, event.context})) return false;
  }
  return true;
}

Result<ChangeList> HistoryFileReader::last_before(std::string_view entity_id, base::Timestamp from) {
  if (auto opened = open(); !opened) return std::unexpected(std::move(opened.error()));
  ChangeList last;
  if (!records(entity_id)) return last;
  const auto entity = number_of(entity_id);
  if (!entity) return std::unexpected(entity.error());
  auto select = database_->prepare(
      "SELECT data FROM segments WHERE entity = ? AND last < ? ORDER BY last DESC, last_change DESC LIMIT 1");
  if (!select) return std::unexpected(std::move(select.error()));
  auto row = select->bind(*entity, from).step();
  if (!row) return std::unexpected(std::move(row.error()));
  if (!*row) return last;
  const auto list = decode_segment(select->blob(0));
  if (list)
    last.add(list->changes().back());
  else
    warn_damaged(entity_id);
  return last;
}

Result<std::int64_t> HistoryFileReader::open_entity(std::string_view entity_id) {
  if (auto opened = open(); !opened) return std::unexpected(std::move(opened.error()));
  return number_of(entity_id);
}

Result<std::vector<Statistics>> HistoryFileReader::day_statistics(std::string_view entity_id, std::int64_t first,
                                                                  std::int64_t last) {
  const auto entity = open_entity(entity_id);
  if (!entity) return std::unexpected(entity.error());
  return stored_statistics(*database_, *entity, first, last);
}

Result<std::optional<std::int64_t>> HistoryFileReader::first_day(std::string_view entity_id) {
  const auto entity = open_entity(entity_id);
  if (!entity) return std::unexpected(entity.error());
  return first_stored_day(*database_, *entity);
}

Result<std::optional<bool>> HistoryFileReader::last_day_is_total(std::string_view entity_id) {
  const auto entity = open_entity(entity_id);
  if (!entity) return std::unexpected(entity.error());
  return stored_as_total(*database_, *entity);
}

Result<Total> HistoryFileReader::total_before(std::string_view entity_id, std::int64_t day) {
  const auto entity = open_entity(entity_id);
  if (!entity) return std::unexpected(entity.error());
  return stored_total(*database_, *entity, day);
}

}  // namespace hearth::recorder
