// SPDX-License-Identifier: Apache-2.0
#include "recorder/log/log_packer.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/log/log.h"
#include "recorder/log/history_file.h"

namespace hearth::recorder {
namespace {

using base::Result;
using storage::Statement;

constexpr std::string_view kAddSegment =
    "INSERT OR REPLACE INTO segments(entity, last, last_change, first, changes, measurement, data, "
    "first_number, last_number) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)";

storage::Blob blob_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

struct NumberRange {
  std::optional<std::int64_t> first, last;  // null if no change has one
};

NumberRange numbers_of(std::span<const Change> changes) {
  NumberRange numbers;
  for (const Change& change : changes) {
    if (change.number == 0) continue;
    numbers.first = std::min(numbers.first.value_or(change.number), change.number);
    numbers.last = std::max(numbers.last.value_or(change.number), change.number);
  }
  return numbers;
}

// Stores changes of one entity in a segment for each day; `last_change` is the number of the last one.
Result<void> store(Statement& add, std::int64_t entity, std::span<const Change> changes, std::int64_t last_change,
                   Effort effort) {
  while (!changes.empty()) {
    const std::int64_t day = day_of(changes.front().updated);
    std::size_t count = 1;
    while (count < changes.size() && count < kMaxSegmentChanges && day_of(changes[count].updated) == day) ++count;
    const auto part = changes.first(count);
    changes = changes.subspan(count);
    // Earlier segments of one call end before the last change.
    const std::int64_t number = last_change - static_cast<std::int64_t>(changes.size());
    const bool measured = std::ranges::any_of(part, [](const Change& c) { return is_measurement(c.attributes); });
    const std::string data = encode_segment(part, effort);
    const NumberRange numbers = numbers_of(part);
    auto done = add.bind_views(entity, part.back().updated, number, part.front().updated, count, measured,
                               blob_of(data), numbers.first, numbers.last)
                    .run();
    if (!done) return done;
  }
  return {};
}

// The changes to pack, by entity, with the strings that they need.
class Sweep {
 public:
  Sweep(storage::Database& database, const Keeps& keeps, std::int64_t followed)
      : database_(database), keeps_(keeps), followed_(followed) {}

  struct Entity {
    std::int64_t id;
    std::int64_t last_change;
    bool kept;
    std::int64_t set;  // of the last change
    std::string_view attributes;
    std::vector<Change> changes;
  };

  // Reads a bounded part of the log, from its start up to and including the number `until`, but not its newest change.
  Result<void> read(std::int64_t until);
  std::vector<Entity>& entities() { return entities_; }
  std::size_t size() const { return size_; }
  std::int64_t last() const { return last_; }

 private:
  static constexpr std::size_t kMaxPart = 65'536, kMaxPartBytes = 8 * 1024 * 1024;

  Result<void> add(const Statement& row);
  Result<Entity*> entity(std::int64_t id);
  Result<std::string_view> text(std::optional<Statement>& select, std::string_view sql, std::int64_t id,
                                std::unordered_map<std::int64_t, std::string_view>& known);
  std::string_view keep(std::string_view text) {
    bytes_ += text.size();
    return texts_.keep(text);
  }

  storage::Database& database_;
  const Keeps& keeps_;
  const std::int64_t followed_;
  std::vector<Entity> entities_;
  std::unordered_map<std::int64_t, std::size_t> places_;  // in entities_
  std::optional<Statement> select_set_, select_user_, select_name_;
  std::unordered_map<std::int64_t, std::string_view> sets_, users_, names_;
  ChangeList texts_;
  std::size_t size_ = 0, bytes_ = 0;
  std::int64_t last_ = 0;
};

Result<void> Sweep::read(std::int64_t until) {
  auto select = database_.prepare(
      "SELECT id, entity, updated, changed, value, attributes, context_id, parent_id, user FROM changes "
      "WHERE id <= ? AND id < (SELECT max(id) FROM changes) ORDER BY id");
  if (!select) return std::unexpected(std::move(select.error()));
  select->bind(until);
  while (size_ < kMaxPart && bytes_ < kMaxPartBytes) {
    auto row = select->step();
    if (!row) return std::unexpected(std::move(row.error()));
    if (!*row) break;
    if (auto added = add(*select); !added) return added;
  }
  std::ranges::sort(entities_, {}, &Entity::id);
  return {};
}

Result<void> Sweep::add(const Statement& row) {
  ++size_;
  last_ = row.integer(0);
  const auto known = entity(row.integer(1));
  if (!known) return std::unexpected(known.error());
  if (!(*known)->kept) return {};
  (*known)->last_change = last_;
  Change change;
  if (last_ > followed_) change.number = last_;
  change.updated = row.timestamp(2);
  change.changed = row.optional_timestamp(3).value_or(change.updated);
  change.removed = row.is_null(4);
  change.value = keep(row.text(4));
  if (!row.is_null(5)) {
    if (const std::int64_t set = row.integer(5); set != (*known)->set) {
      const auto json = text(select_set_, "SELECT attributes FROM attribute_sets WHERE id = ?", set, sets_);
      if (!json) return std::unexpected(json.error());
      (*known)->set = set;
      (*known)->attributes = json->empty() ? "{}" : *json;
    }
    change.attributes = (*known)->attributes;
  }
  change.context_id = keep(row.text(6));
  change.parent_id = keep(row.text(7));
  if (!row.is_null(8)) {
    const auto user = text(select_user_, "SELECT user_id FROM users WHERE id = ?", row.integer(8), users_);
    if (!user) return std::unexpected(user.error());
    change.user_id = *user;
  }
  (*known)->changes.push_back(change);
  bytes_ += sizeof change;
  return {};
}

Result<Sweep::Entity*> Sweep::entity(std::int64_t id) {
  const auto [place, fresh] = places_.try_emplace(id, entities_.size());
  if (fresh) {
    const auto name = text(select_name_, "SELECT entity_id FROM entities WHERE id = ?", id, names_);
    if (!name) return std::unexpected(name.error());
    entities_.push_back({id, 0, keeps_(*name), 0, {}, {}});
  }
  return &entities_[place->second];
}

Result<std::string_view> Sweep::text(std::optional<Statement>& select, std::string_view sql, std::int64_t id,
                                     std::unordered_map<std::int64_t, std::string_view>& known) {
  const auto [place, fresh] = known.try_emplace(id);
  if (!fresh) return place->second;
  if (!select) {
    auto prepared = database_.prepare(sql);
    if (!prepared) return std::unexpected(std::move(prepared.error()));
    select.emplace(std::move(*prepared));
  }
  auto row = select->bind(id).step();
  if (!row) return std::unexpected(std::move(row.error()));
  if (*row) place->second = keep(select->text(0));
  select->restart();
  return place->second;
}

struct Part {
  std::int64_t last, last_change, changes;
};

// True for one of pack_past.
bool is_past(const Part& part) {
  return part.last_change <= 0;
}

// The first segments between the times that are adjacent within a day and small enough to merge.
Result<std::vector<Part>> mergeable(storage::Database& database, std::int64_t entity, std::int64_t from,
                                    std::int64_t until) {
  constexpr std::int64_t kSmall = kMaxSegmentChanges / 2, kMaxPart = 4 * kMaxSegmentChanges;
  auto select = database.prepare(
      "SELECT last, last_change, changes FROM segments WHERE entity = ? AND last >= ? AND last < ? ORDER BY last, "
      "last_change");
  if (!select) return std::unexpected(std::move(select.error()));
  select->bind(entity, from, until);
  std::vector<Part> parts;
  std::int64_t sum = 0;
  for (;;) {
    auto row = select->step();
    if (!row) return std::unexpected(std::move(row.error()));
    if (!*row) return parts;
    const Part part{select->integer(0), select->integer(1), select->integer(2)};
    const bool joins = part.changes < kSmall && sum + part.changes <= kMaxPart &&
                       (parts.empty() || (parts.back().last / kMicrosPerDay == part.last / kMicrosPerDay &&
                                          is_past(parts.back()) == is_past(part)));
    if (!joins && parts.size() > 1) return parts;
    if (!joins) parts.clear(), sum = 0;
    if (part.changes < kSmall) parts.push_back(part), sum += part.changes;
  }
}

}  // namespace

bool is_measurement(std::string_view attributes_json) {
  return attributes_json.find(R"("unit_of_measurement":)") != std::string_view::npos ||
         attributes_json.find(R"("state_class":)") != std::string_view::npos;
}

Result<std::size_t> pack_log(storage::Database& database, std::int64_t until, const Keeps& keeps, Effort effort,
                             std::int64_t followed) {
  auto transaction = storage::Transaction::begin(database, storage::Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  std::size_t size = 0;
  {
    Sweep sweep(database, keeps, followed);
    if (auto read = sweep.read(until); !read) return std::unexpected(std::move(read.error()));
    size = sweep.size();
    if (size == 0) return 0;
    auto add = database.prepare(kAddSegment);
    if (!add) return std::unexpected(std::move(add.error()));
    for (Sweep::Entity& entity : sweep.entities()) {
      sort_by_time(entity.changes);
      if (auto stored = store(*add, entity.id, entity.changes, entity.last_change, effort); !stored)
        return std::unexpected(std::move(stored.error()));
    }
    if (auto done = database.run("DELETE FROM changes WHERE id <= ?", sweep.last()); !done)
      return std::unexpected(std::move(done.error()));
  }
  auto swept = database.execute(
      "DELETE FROM attribute_sets WHERE id NOT IN (SELECT attributes FROM changes WHERE attributes IS NOT NULL)");
  if (!swept) return std::unexpected(std::move(swept.error()));
  if (auto done = transaction->commit(); !done) return std::unexpected(std::move(done.error()));
  return size;
}

Result<void> pack_past(storage::Database& database, std::int64_t entity, std::span<const Change> changes) {
  auto add = database.prepare(kAddSegment);
  if (!add) return std::unexpected(std::move(add.error()));
  return store(*add, entity, changes, 0, Effort::thorough);
}

Result<bool> merge_days(storage::Database& database, std::int64_t entity, std::int64_t since, std::int64_t today,
                        std::int64_t followed) {
  const auto parts = mergeable(database, entity, since * kMicrosPerDay, today * kMicrosPerDay);
  if (!parts) return std::unexpected(parts.error());
  if (parts->size() < 2) return false;
  ChangeList whole;
  auto read = database.prepare("SELECT data FROM segments WHERE entity = ? AND last = ? AND last_change = ?");
  if (!read) return std::unexpected(std::move(read.error()));
  auto remove = database.prepare("DELETE FROM segments WHERE entity = ? AND last = ? AND last_change = ?");
  if (!remove) return std::unexpected(std::move(remove.error()));
  for (const Part& part : *parts) {
    auto row = read->bind(entity, part.last, part.last_change).step();
    if (!row) return std::unexpected(std::move(row.error()));
    const auto list = decode_segment(read->blob(0));
    read->restart();
    if (list) {
      for (Change change : list->changes()) {
        if (change.number <= followed) change.number = 0;
        whole.add(change);
      }
    } else {
      base::log_warning("recorder", "a damaged segment of history is dropped: {} changes", part.changes);
    }
    if (auto done = remove->bind(entity, part.last, part.last_change).run(); !done)
      return std::unexpected(std::move(done.error()));
  }
  whole.sort_by_time();
  auto add = database.prepare(kAddSegment);
  if (!add) return std::unexpected(std::move(add.error()));
  if (auto stored = store(*add, entity, whole.changes(), parts->back().last_change, Effort::thorough); !stored)
    return std::unexpected(std::move(stored.error()));
  return true;
}

}  // namespace hearth::recorder
