// SPDX-License-Identifier: Apache-2.0
#include "recorder/history/past_writer.h"

#include <algorithm>
#include <ranges>
#include <vector>

#include "base/json/json_fields.h"
#include "recorder/history/statistics_store.h"
#include "recorder/log/history_file.h"
#include "recorder/log/log_packer.h"
#include "recorder/log/segment.h"

namespace hearth::recorder {
namespace {

using base::Result;
using storage::Statement;

void lower(std::optional<base::Timestamp>& bound, base::Timestamp time) {
  bound = std::min(bound.value_or(time), time);
}

// True if the steps, which are of one hour, say all of it.
bool is_whole_hour(std::span<const Statistics> steps) {
  constexpr std::size_t kStepsOfAnHour = 12;
  return steps.size() == kStepsOfAnHour || (!steps.empty() && steps.front().covered > kStatisticsStep);
}

// The steps of the hour that `steps` begins with.
std::span<const Statistics> first_hour(std::span<const Statistics> steps) {
  if (steps.empty()) return steps;
  std::size_t count = 1;
  const auto hour = period_start(steps.front().start, Period::hour);
  while (count < steps.size() && period_start(steps[count].start, Period::hour) == hour) ++count;
  return steps.first(count);
}

// Hour by hour: of two hours the stored one if it is whole or has steps of the hub's own, otherwise the new one.
std::vector<Statistics> join_hours(std::span<const Statistics> stored, std::span<const Statistics> fresh) {
  std::vector<Statistics> joined;
  while (!stored.empty() || !fresh.empty()) {
    const auto was = first_hour(stored), now = first_hour(fresh);
    const auto hour_of = [](std::span<const Statistics> steps) {
      return steps.empty() ? base::Timestamp::max() : period_start(steps.front().start, Period::hour);
    };
    const base::Timestamp hour = std::min(hour_of(was), hour_of(now));
    const bool has_stored = hour_of(was) == hour, has_fresh = hour_of(now) == hour;
    const bool own = has_stored && std::ranges::any_of(was, [](const Statistics& step) { return !step.imported; });
    const auto chosen = has_stored && (!has_fresh || own || is_whole_hour(was)) ? was : now;
    joined.insert(joined.end(), chosen.begin(), chosen.end());
    if (has_stored) stored = stored.subspan(was.size());
    if (has_fresh) fresh = fresh.subspan(now.size());
  }
  return joined;
}

}  // namespace

Result<PastWriter> PastWriter::open(const std::filesystem::path& file) {
  auto database = open_history(file);
  if (!database) return std::unexpected(std::move(database.error()));
  PastWriter writer(std::move(*database));
  if (auto read = writer.read_bounds(); !read) return std::unexpected(std::move(read.error()));
  return writer;
}

Result<void> PastWriter::read_bounds() {
  auto segments = database_.prepare(
      "SELECT entity, last_change <= 0, min(first), max(last) FROM segments GROUP BY entity, last_change <= 0");
  if (!segments) return std::unexpected(std::move(segments.error()));
  auto read = segments->for_each([&](const Statement& row) {
    Bounds& bounds = bounds_[row.integer(0)];
    if (row.integer(1) == 0) return lower(bounds.own_first, row.timestamp(2));
    bounds.past_first = row.timestamp(2);
    bounds.past_last = row.timestamp(3);
  });
  if (!read) return read;
  auto log = database_.prepare("SELECT entity, min(updated) FROM changes GROUP BY entity");
  if (!log) return std::unexpected(std::move(log.error()));
  read = log->for_each([&](const Statement& row) { lower(bounds_[row.integer(0)].own_first, row.timestamp(1)); });
  if (!read) return read;
  // Changes are purged earlier than statistics.
  std::vector<std::int64_t> entities;
  auto numbers = database_.prepare("SELECT id FROM entities");
  if (!numbers) return std::unexpected(std::move(numbers.error()));
  read = numbers->for_each([&](const Statement& row) { entities.push_back(row.integer(0)); });
  if (!read) return read;
  for (const std::int64_t entity : entities) {
    const auto imported = imported_until(database_, entity);
    if (!imported) return std::unexpected(imported.error());
    if (imported->time_since_epoch().count() > 0) continue;
    const auto first = first_stored_day(database_, entity);
    if (!first) return std::unexpected(first.error());
    if (!*first) continue;
    const auto steps = stored_statistics(database_, entity, **first, **first);
    if (!steps) return std::unexpected(steps.error());
    // Statistics that the hub has computed from an imported change are no bound.
    Bounds& bounds = bounds_[entity];
    if (!steps->empty() && (!bounds.past_first || steps->front().start < *bounds.past_first - kStatisticsStep))
      lower(bounds.own_first, steps->front().start);
  }
  auto events = database_.prepare("SELECT min(fired) FROM events WHERE id > 0");
  if (!events) return std::unexpected(std::move(events.error()));
  return events->for_each([&](const Statement& row) { own_first_event_ = row.optional_timestamp(0); });
}

Result<std::int64_t> PastWriter::number_of(std::string_view find, std::string_view add, std::string_view text) {
  for (const std::string_view sql : {find, add}) {
    auto statement = database_.prepare(sql);
    if (!statement) return std::unexpected(std::move(statement.error()));
    auto row = statement->bind(text).step();
    if (!row) return std::unexpected(std::move(row.error()));
    if (*row) return statement->integer(0);
  }
  return base::fail(base::ErrorCode::internal, "A text got no number.");
}

Result<std::int64_t> PastWriter::entity(std::string_view entity_id) {
  if (const auto known = entities_.find(entity_id); known != entities_.end()) return known->second;
  const auto number = number_of("SELECT id FROM entities WHERE entity_id = ?",
                                "INSERT INTO entities(entity_id) VALUES(?) RETURNING id", entity_id);
  if (number) entities_.emplace(entity_id, *number);
  return number;
}

Result<std::optional<std::int64_t>> PastWriter::user(const std::optional<base::Id>& user_id) {
  if (!user_id) return std::optional<std::int64_t>();
  const std::string_view text = *user_id;
  if (const auto known = users_.find(text); known != users_.end()) return std::optional(known->second);
  const auto number =
      number_of("SELECT id FROM users WHERE user_id = ?", "INSERT INTO users(user_id) VALUES(?) RETURNING id", text);
  if (!number) return std::unexpected(number.error());
  users_.emplace(text, *number);
  return std::optional(*number);
}

PastWriter::Bounds PastWriter::bounds(std::int64_t entity) const {
  const auto known = bounds_.find(entity);
  return known == bounds_.end() ? Bounds() : known->second;
}

Result<void> PastWriter::add(std::int64_t entity, std::span<const Change> changes) {
  return pack_past(database_, entity, changes);
}

Result<bool> PastWriter::add_event(std::int64_t number, const HistoryReader::KeptEvent& event) {
  if (own_first_event_ && event.fired >= *own_first_event_) return false;
  const auto by = user(event.context.user_id);
  if (!by) return std::unexpected(by.error());
  const auto done = database_.run("INSERT OR IGNORE INTO events VALUES(?, ?, ?, ?, ?, ?, ?)", number, event.fired,
                                  event.type, event.data, event.context.id, event.context.parent_id, *by);
  if (!done) return std::unexpected(done.error());
  return true;
}

Result<std::size_t> PastWriter::add_statistics(std::int64_t entity, std::span<const Statistics> steps) {
  const auto own_first = bounds(entity).own_first;
  std::size_t carried = 0;
  while (carried < steps.size() && (!own_first || imported_end(steps[carried]) <= *own_first)) ++carried;
  steps = steps.first(carried);
  if (steps.empty()) return 0;
  const auto stored = first_stored_day(database_, entity);
  if (!stored) return std::unexpected(stored.error());
  auto until = imported_until(database_, entity);
  if (!until) return std::unexpected(until.error());
  *until = std::max(*until, imported_end(steps.back()));
  while (!steps.empty()) {
    const std::int64_t day = day_of(steps.front().start);
    std::size_t count = 1;
    while (count < steps.size() && day_of(steps[count].start) == day) ++count;
    std::vector<Statistics> before;
    if (*stored && **stored <= day) {
      auto read = stored_statistics(database_, entity, day, day);
      if (!read) return std::unexpected(std::move(read.error()));
      before = std::move(*read);
    }
    const auto joined = join_hours(before, steps.first(count));
    if (auto done = store_statistics(database_, entity, joined); !done) return std::unexpected(done.error());
    steps = steps.subspan(count);
  }
  if (auto set = set_imported_until(database_, entity, *until); !set) return std::unexpected(set.error());
  return carried;
}

Result<std::optional<std::string>> PastWriter::unit(std::int64_t entity) {
  auto select = database_.prepare(
      "SELECT data FROM segments WHERE entity = ? AND measurement = 1 ORDER BY last DESC, last_change DESC LIMIT 1");
  if (!select) return std::unexpected(std::move(select.error()));
  auto row = select->bind(entity).step();
  if (!row) return std::unexpected(std::move(row.error()));
  const auto list = *row ? decode_segment(select->blob(0)) : ChangeList();
  if (!list) return std::optional<std::string>();
  for (const Change& change : list->changes() | std::views::reverse) {
    const auto attributes = base::parse_json(change.attributes);
    if (!attributes || !attributes->is_object()) continue;
    if (auto unit = base::text_at(attributes->get_object(), "unit_of_measurement"); !unit.empty())
      return std::optional(std::move(unit));
  }
  return std::optional<std::string>();
}

Result<void> PastWriter::compute_statistics_again() {
  return store_number(database_, kMergedBefore, 0);
}

}  // namespace hearth::recorder
