// SPDX-License-Identifier: Apache-2.0
#include "import_ha/history/state_packer.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "base/json/json_fields.h"
#include "recorder/log/history_file.h"

namespace hearth::import_ha {
namespace {

using base::Result;
using Row = StatePiece::Row;

constexpr std::size_t kPartsAgain = 16;
constexpr int kMaxDepth = 12;  // sixteen times shorter each time: from 50 years to less than a microsecond
constexpr std::size_t kLookRows = 4'096;

bool is_before(const Row& a, const Row& b) {
  return std::tie(a.entity, a.updated, a.id) < std::tie(b.entity, b.updated, b.id);
}

recorder::Change change_of(const OldState& state, recorder::ChangeList& texts) {
  recorder::Change change;
  change.updated = state.updated;
  change.changed = state.changed;
  change.removed = state.removed;
  change.value = state.value;
  change.attributes = state.attributes;
  const auto id_at = [](const std::uint8_t* bytes) {
    Id16 id;
    std::copy_n(bytes, id.size(), id.begin());
    return id;
  };
  const auto keep = [&](const auto& text) { return texts.keep({text.data(), text.size()}); };
  if (state.context) change.context_id = keep(ulid_text(id_at(state.context)));
  if (state.parent) change.parent_id = keep(ulid_text(id_at(state.parent)));
  if (state.user) change.user_id = keep(hex_text(id_at(state.user)));
  return change;
}

json::value time_json(const std::optional<base::Timestamp>& time) {
  return time ? json::value(time->time_since_epoch().count()) : json::value();
}

std::optional<base::Timestamp> parse_time(const json::value& value) {
  if (!value.is_int64()) return {};
  return base::Timestamp(base::Duration(value.get_int64()));
}

}  // namespace

json::object PackedStates::to_json() const {
  return {{"carried", carried},          {"own", own},
          {"entities", entities},        {"bare_entities", bare_entities},
          {"oldest", time_json(oldest)}, {"newest", time_json(newest)}};
}

PackedStates PackedStates::parse(const json::object& json) {
  const auto number = [&](std::string_view key) { return static_cast<std::uint64_t>(base::number_at(json, key)); };
  return {number("carried"),
          number("own"),
          number("entities"),
          number("bare_entities"),
          parse_time(base::value_at(json, "oldest")),
          parse_time(base::value_at(json, "newest"))};
}

void PackedStates::add(const PackedStates& other) {
  carried += other.carried;
  own += other.own;
  entities += other.entities;
  bare_entities += other.bare_entities;
  if (other.oldest) oldest = std::min(oldest.value_or(*other.oldest), *other.oldest);
  if (other.newest) newest = std::max(newest.value_or(*other.newest), *other.newest);
}

Result<PackedStates> StatePacker::pack(const DealtRows& files, std::size_t file) {
  packed_ = {};
  entities_.clear();
  bare_entities_.clear();
  if (auto done = pack_file(files, file, 0); !done) return std::unexpected(std::move(done.error()));
  packed_.entities = entities_.size();
  for (const std::string& entity : bare_entities_) packed_.bare_entities += !entities_.contains(entity);
  return packed_;
}

Result<void> StatePacker::pack_file(const DealtRows& files, std::size_t file, int depth) {
  const DealtRows::Size& size = files.sizes()[file];
  if ((size.rows > most_rows_ || size.raw > most_bytes_) && depth < kMaxDepth) return deal_again(files, file, depth);
  piece_.clear();
  auto read = files.read(file, [&](std::string block) { return piece_.add(std::move(block)); });
  if (!read) return read;
  auto done = pack_piece();
  piece_.clear();
  return done;
}

// Into parts of the time that the file spans, each of the same length; a part that is empty costs nothing.
Result<void> StatePacker::deal_again(const DealtRows& files, std::size_t file, int depth) {
  base::Timestamp first = base::Timestamp::max(), last = base::Timestamp::min();
  StatePiece block;
  auto read = files.read(file, [&](std::string bytes) {
    block.clear();
    auto added = block.add(std::move(bytes));
    for (const Row& row : block.rows()) {
      first = std::min(first, row.updated);
      last = std::max(last, row.updated);
    }
    return added;
  });
  if (!read) return read;
  const base::Duration part = (last - first) / static_cast<std::int64_t>(kPartsAgain) + base::Duration(1);
  auto parts =
      DealtRows::open(scratch_, fmt::format("states.again{}", depth), std::vector<DealtRows::Size>(kPartsAgain));
  if (!parts) return std::unexpected(std::move(parts.error()));
  {
    StateRowWriter writer(*parts);
    read = files.read(file, [&](std::string bytes) -> Result<void> {
      block.clear();
      if (auto added = block.add(std::move(bytes)); !added) return added;
      if (auto looked = look_(0); !looked) return looked;
      for (const Row& row : block.rows()) {
        const auto place = static_cast<std::size_t>((row.updated - first) / part);
        if (auto added = writer.add(place, block.state(row)); !added) return added;
      }
      return {};
    });
    if (read) read = parts->flush();
  }
  block.clear();
  for (std::size_t place = 0; read && place < kPartsAgain; ++place) {
    // Of one moment: cannot be dealt any further.
    const int next = part == base::Duration(1) ? kMaxDepth : depth + 1;
    if (parts->sizes()[place].rows > 0) read = pack_file(*parts, place, next);
    parts->remove(place);
  }
  parts->remove_all();
  return read;
}

Result<void> StatePacker::pack_piece() {
  std::vector<Row>& rows = piece_.rows();
  std::ranges::sort(rows, is_before);
  for (auto first = rows.begin(); first != rows.end();) {
    const auto end = std::find_if(first, rows.end(), [&](const Row& row) { return row.entity != first->entity; });
    if (auto done = pack_entity({first, end}); !done) return done;
    first = end;
  }
  return {};
}

Result<void> StatePacker::pack_entity(std::span<const Row> rows) {
  const std::string_view entity_id = piece_.state(rows.front()).entity;
  const auto number = writer_.entity(entity_id);
  if (!number) return std::unexpected(number.error());
  const std::int64_t entity = *number;
  const recorder::PastWriter::Bounds bounds = writer_.bounds(entity);
  const auto before = [&](const std::optional<base::Timestamp>& time) {
    return std::ranges::lower_bound(rows, time.value_or(base::Timestamp::max()), {}, &Row::updated) - rows.begin();
  };
  const auto carried = static_cast<std::size_t>(before(bounds.own_first));
  packed_.own += rows.size() - carried;
  rows = rows.first(carried);
  if (rows.empty()) {
    bare_entities_.emplace(entity_id);
    return {};
  }
  packed_.carried += rows.size();
  packed_.oldest = std::min(packed_.oldest.value_or(rows.front().updated), rows.front().updated);
  packed_.newest = std::max(packed_.newest.value_or(rows.back().updated), rows.back().updated);
  entities_.emplace(entity_id);
  if (!bounds.past_first) return pack_days(entity, rows);
  // A change between the first and the last of an earlier import came with it.
  const auto first = std::min<std::size_t>(static_cast<std::size_t>(before(bounds.past_first)), rows.size());
  const auto after = std::ranges::upper_bound(rows, *bounds.past_last, {}, &Row::updated);
  if (auto done = pack_days(entity, rows.first(first)); !done) return done;
  return pack_days(entity, {after, rows.end()});
}

Result<void> StatePacker::pack_days(std::int64_t entity, std::span<const Row> rows) {
  std::vector<recorder::Change> day;
  while (!rows.empty()) {
    const std::int64_t number = recorder::day_of(rows.front().updated);
    recorder::ChangeList texts;
    day.clear();
    for (const Row& row : rows) {
      if (recorder::day_of(row.updated) != number) break;
      if (day.size() % kLookRows == kLookRows - 1) {
        if (auto looked = look_(0); !looked) return looked;
      }
      day.push_back(change_of(piece_.state(row), texts));
    }
    if (auto done = writer_.add(entity, day); !done) return done;
    if (auto looked = look_(day.size()); !looked) return looked;
    rows = rows.subspan(day.size());
  }
  return {};
}

}  // namespace hearth::import_ha
