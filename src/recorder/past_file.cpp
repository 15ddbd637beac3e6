// SPDX-License-Identifier: Apache-2.0
#include "recorder/past_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "recorder/log/history_file.h"
#include "recorder/log/segment.h"
#include "storage/database.h"

namespace hearth::recorder {
namespace {

using base::Result;
using storage::Statement;
using Lists = std::vector<std::shared_ptr<const ChangeList>>;

constexpr base::Duration kShortestSlice = std::chrono::minutes(1), kLongestSlice = std::chrono::days(4);

std::unexpected<base::Error> too_much(std::string_view what, std::size_t most) {
  return base::fail(base::ErrorCode::full,
                    fmt::format("There are more than {} {} in that time: choose a shorter one.", most, what));
}

}  // namespace

class PastFile::Reader {
 public:
  Reader(storage::Database database, Span span) : database_(std::move(database)), span_(span), reached_(span.start) {}

  Result<void> open();
  Result<Slice> next();

  const Span& span() const { return span_; }
  const std::vector<std::string>& entities() const { return entities_; }
  const std::vector<Row>& first() const { return first_; }
  const std::vector<base::Timestamp>& known_since() const { return known_since_; }
  base::Timestamp kept_since() const { return kept_since_; }
  base::Timestamp reached() const { return reached_; }

 private:
  // A segment that is not read yet, by its key.
  struct Waiting {
    base::Timestamp first;
    std::int64_t last = 0, last_change = 0;
  };
  struct Entity {
    std::int64_t number = 0;
    std::vector<Waiting> waiting = {};  // the latest first
    Lists lists = {};                   // that have a change later than `reached_`
  };

  Result<void> read_log();
  Result<void> open_entity(std::int64_t number, std::string entity_id);
  Result<void> find_kept_since();
  Result<void> find_segments(Entity& entity);
  // The segments that begin up to `until`.
  Result<void> read_segments(Entity& entity, base::Timestamp until);
  void take(std::size_t place, base::Timestamp until, Slice& slice);
  Result<void> take_events(Slice& slice);

  storage::Database database_;
  std::optional<storage::Transaction> transaction_;
  std::optional<Statement> segment_, events_;
  const Span span_;
  base::Timestamp reached_;
  base::Duration length_ = std::chrono::hours(1);  // of the next slice
  std::size_t changes_ = 0, kept_events_ = 0;      // taken so far
  std::unordered_map<std::int64_t, ChangeList> log_;
  std::vector<std::string> entities_;
  std::vector<Entity> read_;                  // as entities_
  std::vector<base::Timestamp> known_since_;  // as entities_
  base::Timestamp kept_since_;
  std::vector<Row> first_;
  Lists first_lists_;  // what these are views of
};

Result<void> PastFile::Reader::open() {
  auto transaction = storage::Transaction::begin(database_, storage::Transaction::Kind::read);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  transaction_.emplace(std::move(*transaction));
  auto segment = database_.prepare("SELECT data FROM segments WHERE entity = ? AND last = ? AND last_change = ?");
  if (!segment) return std::unexpected(std::move(segment.error()));
  segment_.emplace(std::move(*segment));
  auto events = database_.prepare(
      "SELECT type, data, fired, context_id, parent_id, user_id FROM events LEFT JOIN users ON users.id = user WHERE "
      "fired > ? AND fired <= ? AND type IN ('automation_triggered', 'script_started', 'call_service') ORDER BY "
      "fired, events.id LIMIT ?");
  if (!events) return std::unexpected(std::move(events.error()));
  events_.emplace(std::move(*events));
  if (auto done = read_log(); !done) return done;
  std::vector<std::pair<std::int64_t, std::string>> entities;
  auto select = database_.prepare("SELECT id, entity_id FROM entities ORDER BY entity_id");
  if (!select) return std::unexpected(std::move(select.error()));
  auto named = select->for_each([&](const Statement& row) { entities.emplace_back(row.integer(0), row.text(1)); });
  if (!named) return named;
  for (auto& [number, entity_id] : entities) {
    if (auto done = open_entity(number, std::move(entity_id)); !done) return done;
  }
  log_.clear();
  return find_kept_since();
}

Result<void> PastFile::Reader::find_kept_since() {
  kept_since_ = span_.end;
  for (const base::Timestamp known : known_since_) kept_since_ = std::min(kept_since_, known);
  auto oldest = database_.prepare("SELECT min(fired) FROM events");
  if (!oldest) return std::unexpected(std::move(oldest.error()));
  if (auto row = oldest->step(); !row) return std::unexpected(std::move(row.error()));
  if (!oldest->is_null(0)) kept_since_ = std::min(kept_since_, std::max(oldest->timestamp(0), span_.start));
  return {};
}

// Rows that are not packed yet: those that a segment has too count once.
Result<void> PastFile::Reader::read_log() {
  std::unordered_map<std::int64_t, std::int64_t> packed;
  auto last = database_.prepare("SELECT entity, max(last_change) FROM segments GROUP BY entity");
  if (!last) return std::unexpected(std::move(last.error()));
  auto found = last->for_each([&](const Statement& row) { packed[row.integer(0)] = row.integer(1); });
  if (!found) return found;
  auto select = database_.prepare(
      "SELECT entity, updated, changed, value, attribute_sets.attributes, context_id, parent_id, user_id, changes.id "
      "FROM changes LEFT JOIN attribute_sets ON attribute_sets.id = changes.attributes LEFT JOIN users ON users.id = "
      "user WHERE updated <= ? ORDER BY changes.id LIMIT ?");
  if (!select) return std::unexpected(std::move(select.error()));
  select->bind(span_.end, static_cast<std::int64_t>(kMostChanges + 1));
  std::size_t rows = 0;
  auto read = select->for_each([&](const Statement& row) {
    ++rows;
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
  if (read && rows > kMostChanges) return too_much("changes", kMostChanges);
  return read;
}

Result<void> PastFile::Reader::find_segments(Entity& entity) {
  auto segments = database_.prepare(
      "SELECT first, last, last_change FROM segments WHERE entity = ? AND last >= coalesce((SELECT max(last) FROM "
      "segments WHERE entity = ? AND last <= ?), 0) AND first <= ?");
  if (!segments) return std::unexpected(std::move(segments.error()));
  segments->bind(entity.number, entity.number, span_.start, span_.end);
  auto found = segments->for_each(
      [&](const Statement& row) { entity.waiting.push_back({row.timestamp(0), row.integer(1), row.integer(2)}); });
  std::ranges::sort(entity.waiting, std::ranges::greater(), [](const Waiting& waiting) {
    return std::tuple(waiting.first, waiting.last, waiting.last_change);
  });
  return found;
}

Result<void> PastFile::Reader::read_segments(Entity& entity, base::Timestamp until) {
  while (!entity.waiting.empty() && entity.waiting.back().first <= until) {
    const Waiting segment = entity.waiting.back();
    entity.waiting.pop_back();
    segment_->bind(entity.number, segment.last, segment.last_change);
    auto read = segment_->for_each([&](const Statement& row) {
      // As for other readers, a damaged segment is left out.
      if (auto list = decode_segment(row.blob(0)))
        entity.lists.push_back(std::make_shared<const ChangeList>(std::move(*list)));
    });
    if (!read) return read;
  }
  return {};
}

Result<void> PastFile::Reader::open_entity(std::int64_t number, std::string entity_id) {
  Entity entity{.number = number};
  if (auto found = find_segments(entity); !found) return found;
  if (auto read = read_segments(entity, span_.start); !read) return read;
  if (const auto unpacked = log_.find(number); unpacked != log_.end()) {
    unpacked->second.sort_by_time();
    entity.lists.push_back(std::make_shared<const ChangeList>(std::move(unpacked->second)));
  }
  const std::size_t place = entities_.size();
  const Change* first = nullptr;
  std::shared_ptr<const ChangeList> of;
  bool changes = !entity.waiting.empty();
  base::Timestamp known = changes ? entity.waiting.back().first : span_.end;
  for (const auto& list : entity.lists) {
    for (const Change& change : list->changes()) {
      known = std::min(known, change.updated);
      if (change.updated > span_.start)
        changes = true;
      else if (!first || first->updated <= change.updated)
        first = &change, of = list;
    }
  }
  if (first && !first->removed) {
    first_.push_back({place, *first, 0});
    first_lists_.push_back(std::move(of));
  } else if (!changes) {
    return {};
  }
  entities_.push_back(std::move(entity_id));
  known_since_.push_back(std::max(known, span_.start));
  read_.push_back(std::move(entity));
  return {};
}

void PastFile::Reader::take(std::size_t place, base::Timestamp until, Slice& slice) {
  const auto is_over = [&](const std::shared_ptr<const ChangeList>& list) {
    bool rest = false;
    const std::size_t before = slice.changes.size();
    for (const Change& change : list->changes()) {
      if (change.updated > until)
        rest = rest || change.updated <= span_.end;
      else if (change.updated > reached_)
        slice.changes.push_back({place, change, slice.changes.size()});
    }
    if (slice.changes.size() > before) slice.lists.push_back(list);
    return !rest;
  };
  std::erase_if(read_[place].lists, is_over);
}

Result<void> PastFile::Reader::take_events(Slice& slice) {
  events_->bind(reached_, slice.until, static_cast<std::int64_t>(kMostEvents + 1 - kept_events_));
  auto read = events_->for_each([&](const Statement& row) {
    slice.events.push_back({std::string(row.text(0)),
                            std::string(row.text(1)),
                            row.timestamp(2),
                            {std::string(row.text(3)), row.optional_string(4), row.optional_string(5)}});
  });
  kept_events_ += slice.events.size();
  if (read && kept_events_ > kMostEvents) return too_much("events", kMostEvents);
  return read;
}

Result<PastFile::Slice> PastFile::Reader::next() {
  Slice slice{.until = std::min(span_.end, reached_ + length_), .changes = {}, .events = {}};
  for (std::size_t place = 0; place < read_.size(); ++place) {
    if (auto read = read_segments(read_[place], slice.until); !read) return std::unexpected(std::move(read.error()));
    take(place, slice.until, slice);
  }
  changes_ += slice.changes.size();
  if (changes_ > kMostChanges) return too_much("changes", kMostChanges);
  std::ranges::sort(slice.changes, {}, [](const Row& row) { return std::pair(row.change.updated, row.order); });
  if (auto events = take_events(slice); !events) return std::unexpected(std::move(events.error()));
  reached_ = slice.until;
  if (slice.changes.size() < kSliceChanges / 2) length_ = std::min(length_ * 2, kLongestSlice);
  if (slice.changes.size() > kSliceChanges) length_ = std::max(length_ / 2, kShortestSlice);
  return slice;
}

PastFile::PastFile(std::unique_ptr<Reader> reader) : reader_(std::move(reader)) {}
PastFile::~PastFile() = default;

Span PastFile::span() const {
  return reader_->span();
}
const std::vector<std::string>& PastFile::entities() const {
  return reader_->entities();
}
const std::vector<PastFile::Row>& PastFile::first() const {
  return reader_->first();
}
const std::vector<base::Timestamp>& PastFile::known_since() const {
  return reader_->known_since();
}
base::Timestamp PastFile::kept_since() const {
  return reader_->kept_since();
}
bool PastFile::at_end() const {
  return reader_->reached() >= reader_->span().end;
}
Result<PastFile::Slice> PastFile::next() {
  return reader_->next();
}

Result<std::unique_ptr<PastFile>> PastFile::open(const std::filesystem::path& file, Span span) {
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("{} does not exist: there is no history.", file.string()));
  auto database = storage::Database::open_to_read(file);
  if (!database) return std::unexpected(std::move(database.error()));
  auto reader = std::make_unique<Reader>(std::move(*database), span);
  if (auto opened = reader->open(); !opened) return std::unexpected(std::move(opened.error()));
  return std::unique_ptr<PastFile>(new PastFile(std::move(reader)));
}

}  // namespace hearth::recorder
