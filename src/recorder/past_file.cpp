// SPDX-License-Identifier: Apache-2.0
#include "recorder/past_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "recorder/history_file.h"
#include "recorder/segment.h"
#include "storage/database.h"

namespace hearth::recorder {
namespace {

using base::Result;
using storage::Statement;

std::unexpected<base::Error> too_much(std::string_view what, std::size_t most) {
  return base::fail(base::ErrorCode::full,
                    fmt::format("There are more than {} {} in that time: choose a shorter one.", most, what));
}

class PastReader {
 public:
  PastReader(storage::Database& database, Span span) : database_(database), span_(span) {}

  Result<PastSpan> read() {
    if (auto done = read_log(); !done) return std::unexpected(std::move(done.error()));
    std::vector<std::pair<std::int64_t, std::string>> entities;
    auto select = database_.prepare("SELECT id, entity_id FROM entities ORDER BY entity_id");
    if (!select) return std::unexpected(std::move(select.error()));
    auto named = select->for_each([&](const Statement& row) { entities.emplace_back(row.integer(0), row.text(1)); });
    if (!named) return std::unexpected(std::move(named.error()));
    for (auto& [number, entity_id] : entities) {
      if (auto done = read_entity(number, std::move(entity_id)); !done) return std::unexpected(std::move(done.error()));
    }
    std::ranges::sort(past_.changes, {},
                      [](const PastSpan::Row& row) { return std::pair(row.change.updated, row.order); });
    if (auto done = read_events(); !done) return std::unexpected(std::move(done.error()));
    return std::move(past_);
  }

 private:
  // What is not packed yet: what a segment has too counts once.
  Result<void> read_log() {
    std::unordered_map<std::int64_t, std::int64_t> packed;
    auto last = database_.prepare("SELECT entity, max(last_change) FROM segments GROUP BY entity");
    if (!last) return std::unexpected(std::move(last.error()));
    auto found = last->for_each([&](const Statement& row) { packed[row.integer(0)] = row.integer(1); });
    if (!found) return found;
    auto select = database_.prepare(
        "SELECT entity, updated, changed, value, attribute_sets.attributes, context_id, parent_id, user_id, changes.id "
        "FROM changes LEFT JOIN attribute_sets ON attribute_sets.id = changes.attributes LEFT JOIN users ON users.id = "
        "user "
        "WHERE updated <= ? ORDER BY changes.id");
    if (!select) return std::unexpected(std::move(select.error()));
    select->bind(span_.end);
    return select->for_each([&](const Statement& row) {
      const auto known = packed.find(row.integer(0));
      if (known != packed.end() && row.integer(8) <= known->second) return;
      Change change;
      change.updated = row.timestamp(1);
      change.changed = row.optional_timestamp(2).value_or(change.updated);
      change.removed = row.is_null(3);
      change.value = row.text(3);
      change.attributes = row.is_null(4) ? "{}" : row.text(4);
      change.context_id = row.text(5);
      change.parent_id = row.text(6);
      change.user_id = row.text(7);
      log_[row.integer(0)].add(change);
    });
  }

  Result<void> read_entity(std::int64_t number, std::string entity_id) {
    auto segments = database_.prepare(
        "SELECT data FROM segments WHERE entity = ? AND last >= coalesce((SELECT max(last) FROM segments WHERE entity "
        "= "
        "? AND last <= ?), 0) AND first <= ? ORDER BY last, last_change");
    if (!segments) return std::unexpected(std::move(segments.error()));
    segments->bind(number, number, span_.start, span_.end);
    std::vector<ChangeList> lists;
    auto read = segments->for_each([&](const Statement& row) {
      // As for other readers, a damaged segment is left out.
      if (auto list = decode_segment(row.blob(0))) lists.push_back(std::move(*list));
    });
    if (!read) return read;
    if (const auto waiting = log_.find(number); waiting != log_.end()) {
      waiting->second.sort_by_time();
      lists.push_back(std::move(waiting->second));
    }
    const std::size_t place = past_.entities.size(), before = past_.changes.size();
    const Change* first = nullptr;
    for (const ChangeList& list : lists) {
      for (const Change& change : list.changes()) {
        if (change.updated > span_.end) continue;
        if (change.updated > span_.start)
          past_.changes.push_back({place, change, past_.changes.size()});
        else if (!first || first->updated <= change.updated)
          first = &change;
      }
    }
    if (past_.changes.size() > PastSpan::kMostChanges) return too_much("changes", PastSpan::kMostChanges);
    if (first && !first->removed) past_.first.push_back({place, *first, 0});
    if ((!first || first->removed) && past_.changes.size() == before) return {};
    past_.entities.push_back(std::move(entity_id));
    std::ranges::move(lists, std::back_inserter(past_.lists));
    return {};
  }

  Result<void> read_events() {
    auto select = database_.prepare(
        "SELECT type, data, fired, context_id, parent_id, user_id FROM events LEFT JOIN users ON users.id = user WHERE "
        "fired > ? AND fired <= ? AND type IN ('automation_triggered', 'script_started', 'call_service') ORDER BY "
        "fired, events.id LIMIT ?");
    if (!select) return std::unexpected(std::move(select.error()));
    select->bind(span_.start, span_.end, static_cast<std::int64_t>(PastSpan::kMostEvents + 1));
    auto read = select->for_each([&](const Statement& row) {
      past_.events.push_back({std::string(row.text(0)),
                              std::string(row.text(1)),
                              row.timestamp(2),
                              {std::string(row.text(3)), row.optional_string(4), row.optional_string(5)}});
    });
    if (read && past_.events.size() > PastSpan::kMostEvents) return too_much("events", PastSpan::kMostEvents);
    return read;
  }

  storage::Database& database_;
  const Span span_;
  std::unordered_map<std::int64_t, ChangeList> log_;
  PastSpan past_;
};

}  // namespace

Result<PastSpan> read_past(const std::filesystem::path& file, Span span) {
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("{} does not exist: there is no history.", file.string()));
  auto database = storage::Database::open_to_read(file);
  if (!database) return std::unexpected(std::move(database.error()));
  auto transaction = storage::Transaction::begin(*database, storage::Transaction::Kind::read);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  return PastReader(*database, span).read();
}

}  // namespace hearth::recorder
