// SPDX-License-Identifier: Apache-2.0
#include "recorder/log_packer.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/log.h"
#include "recorder/history_file.h"
#include "recorder/log_reader.h"
#include "recorder/segment.h"

namespace hearth::recorder {
namespace {

using base::Result;
using storage::Statement;

constexpr std::string_view kAddSegment = "INSERT OR REPLACE INTO segments VALUES(?, ?, ?, ?, ?, ?, ?)";

storage::Blob blob_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// Stores changes of one entity, a segment for each day; `last_change` is the number of the last.
Result<void> store(Statement& add, std::int64_t entity, std::span<const Change> changes, std::int64_t last_change) {
  while (!changes.empty()) {
    const std::int64_t day = day_of(changes.front().updated);
    std::size_t count = 1;
    while (count < changes.size() && count < kMaxSegmentChanges && day_of(changes[count].updated) == day) ++count;
    const auto part = changes.first(count);
    changes = changes.subspan(count);
    // Of several segments of one go the earlier ones end before the last change.
    const std::int64_t number = last_change - static_cast<std::int64_t>(changes.size());
    const bool measured = std::ranges::any_of(part, [](const Change& c) { return is_measurement(c.attributes); });
    auto done = add.bind(entity, part.back().updated, number, part.front().updated, count, measured,
                         blob_of(encode_segment(part)))
                    .run();
    if (!done) return done;
  }
  return {};
}

struct Place {
  std::int64_t entity;
  std::int64_t id;
  auto operator<=>(const Place&) const = default;
};

// What goes, by entity and then by number.
Result<std::vector<Place>> places(storage::Database& database, std::int64_t until) {
  auto select = database.prepare("SELECT entity, id FROM changes WHERE id <= ? AND id < (SELECT max(id) FROM changes)");
  if (!select) return std::unexpected(std::move(select.error()));
  std::vector<Place> found;
  auto read =
      select->bind(until).for_each([&](const Statement& row) { found.push_back({row.integer(0), row.integer(1)}); });
  if (!read) return std::unexpected(std::move(read.error()));
  std::ranges::sort(found);
  return found;
}

struct Part {
  std::int64_t last, last_change, changes;
};

// The first segments between the times that lie side by side within a day and are small enough to be joined.
Result<std::vector<Part>> mergeable(storage::Database& database, std::int64_t entity, std::int64_t from,
                                    std::int64_t until) {
  constexpr std::int64_t kSmall = kMaxSegmentChanges / 2, kMost = 4 * kMaxSegmentChanges;
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
    const bool joins = part.changes < kSmall && sum + part.changes <= kMost &&
                       (parts.empty() || parts.back().last / kMicrosPerDay == part.last / kMicrosPerDay);
    if (!joins && parts.size() > 1) return parts;
    if (!joins) parts.clear(), sum = 0;
    if (part.changes < kSmall) parts.push_back(part), sum += part.changes;
  }
}

Result<std::string> entity_name(storage::Database& database, std::int64_t entity) {
  auto select = database.prepare("SELECT entity_id FROM entities WHERE id = ?");
  if (!select) return std::unexpected(std::move(select.error()));
  auto row = select->bind(entity).step();
  if (!row) return std::unexpected(std::move(row.error()));
  return *row ? std::string(select->text(0)) : std::string();
}

}  // namespace

bool is_measurement(std::string_view attributes_json) {
  return attributes_json.find(R"("unit_of_measurement":)") != std::string_view::npos ||
         attributes_json.find(R"("state_class":)") != std::string_view::npos;
}

Result<std::size_t> pack_log(storage::Database& database, std::int64_t until, const Keeps& keeps) {
  auto transaction = storage::Transaction::begin(database, storage::Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  const auto all = places(database, until);
  if (!all) return std::unexpected(all.error());
  if (all->empty()) return 0;
  {
    auto reader = LogReader::create(database);
    if (!reader) return std::unexpected(std::move(reader.error()));
    auto add = database.prepare(kAddSegment);
    if (!add) return std::unexpected(std::move(add.error()));
    for (auto first = all->begin(); first != all->end();) {
      const auto last =
          std::find_if(first, all->end(), [&](const Place& place) { return place.entity != first->entity; });
      const auto name = entity_name(database, first->entity);
      if (!name) return std::unexpected(name.error());
      if (keeps(*name)) {
        ChangeList list;
        for (auto place = first; place != last; ++place) {
          if (auto read = reader->read(place->id, list); !read) return std::unexpected(read.error());
        }
        if (auto stored = store(*add, first->entity, list.changes(), std::prev(last)->id); !stored)
          return std::unexpected(stored.error());
      }
      first = last;
    }
  }
  if (auto done = database.run("DELETE FROM changes WHERE id <= ? AND id < (SELECT max(id) FROM changes)", until);
      !done)
    return std::unexpected(std::move(done.error()));
  auto swept = database.execute(
      "DELETE FROM attribute_sets WHERE id NOT IN (SELECT attributes FROM changes WHERE attributes IS NOT NULL)");
  if (!swept) return std::unexpected(std::move(swept.error()));
  if (auto done = transaction->commit(); !done) return std::unexpected(std::move(done.error()));
  return all->size();
}

Result<bool> merge_days(storage::Database& database, std::int64_t entity, std::int64_t since, std::int64_t today) {
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
      for (const Change& change : list->changes()) whole.add(change);
    } else {
      base::log_warning("recorder", "a damaged segment of history is dropped: {} changes", part.changes);
    }
    if (auto done = remove->bind(entity, part.last, part.last_change).run(); !done)
      return std::unexpected(std::move(done.error()));
  }
  auto add = database.prepare(kAddSegment);
  if (!add) return std::unexpected(std::move(add.error()));
  if (auto stored = store(*add, entity, whole.changes(), parts->back().last_change); !stored)
    return std::unexpected(std::move(stored.error()));
  return true;
}

}  // namespace hearth::recorder
