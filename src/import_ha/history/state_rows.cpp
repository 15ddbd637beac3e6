// SPDX-License-Identifier: Apache-2.0
#include "import_ha/history/state_rows.h"

#include "recorder/log/columns.h"

namespace hearth::import_ha {
namespace {

using base::Result;
using recorder::unzigzag;
using recorder::zigzag;

enum : std::uint8_t { kRemoved = 1, kUnchanged = 2, kContext = 4, kParent = 8, kUser = 16 };
constexpr std::size_t kIdSize = std::tuple_size_v<Id16>;

void put_number(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

std::size_t ids_size(std::uint8_t flags) {
  return kIdSize * (((flags & kContext) != 0) + ((flags & kParent) != 0) + ((flags & kUser) != 0));
}

}  // namespace

std::uint32_t entity_hash(std::string_view entity_id) {
  std::uint32_t hash = 2'166'136'261;
  for (const char c : entity_id) hash = (hash ^ static_cast<unsigned char>(c)) * 16'777'619;
  return hash ^ hash >> 15U;
}

StateRowWriter::StateRowWriter(DealtRows& files) : files_(files), blocks_(files.sizes().size()) {
  files_.on_new_block = [this](std::size_t file) { blocks_[file] = Block(); };
}

void StateRowWriter::put_text(std::string& out, Block& block, std::string_view text) {
  if (const auto known = block.texts.find(text); known != block.texts.end()) return put_number(out, known->second);
  const std::uint64_t index = block.texts.size();
  block.texts.emplace(text, index);
  put_number(out, index);
  put_number(out, text.size());
  out += text;
}

Result<void> StateRowWriter::add(std::size_t file, const OldState& state) {
  std::string& out = files_.row(file);
  Block& block = blocks_[file];
  const std::uint8_t* const ids[] = {state.context, state.parent, state.user};
  std::uint8_t flags = state.removed ? kRemoved : 0;
  if (state.changed != state.updated) flags |= kUnchanged;
  for (int i = 0; i < 3; ++i) flags |= static_cast<std::uint8_t>(ids[i] ? kContext << i : 0);
  out += static_cast<char>(flags);
  put_text(out, block, state.entity);
  const std::int64_t updated = state.updated.time_since_epoch().count();
  put_number(out, zigzag(state.id - std::exchange(block.id, state.id)));
  put_number(out, zigzag(updated - std::exchange(block.updated, updated)));
  if (flags & kUnchanged) put_number(out, static_cast<std::uint64_t>((state.updated - state.changed).count()));
  if (!state.removed) {
    put_text(out, block, state.attributes);
    put_number(out, state.value.size());
    out += state.value;
  }
  for (const std::uint8_t* const id : ids) {
    if (id) out.append(reinterpret_cast<const char*>(id), kIdSize);
  }
  return files_.end_row(file);
}

std::uint32_t StatePiece::index(std::string_view text) {
  const auto [place, fresh] = indexes_.try_emplace(text, static_cast<std::uint32_t>(texts_.size()));
  if (fresh) texts_.push_back(text);
  return place->second;
}

Result<void> StatePiece::add(std::string block) {
  blocks_.push_back(std::move(block));
  recorder::ColumnReader in(blocks_.back());
  std::vector<std::uint32_t> known;  // the block's texts
  std::int64_t id = 0, updated = 0;
  const auto read_text = [&](std::uint32_t& into) {
    std::uint64_t place;
    if (!in.number(place, known.size())) return false;
    if (place == known.size()) {
      std::string_view text;
      if (!in.text(text)) return false;
      known.push_back(index(text));
    }
    into = known[place];
    return true;
  };
  const auto read_row = [&] {
    Row row{};
    row.flags = static_cast<std::uint8_t>(in.rest().front());
    in = recorder::ColumnReader(in.rest().substr(1));
    std::uint64_t step, later, unchanged = 0;
    if (!read_text(row.entity) || !in.number(step) || !in.number(later) ||
        ((row.flags & kUnchanged) && !in.number(unchanged)))
      return false;
    row.id = id += unzigzag(step);
    updated += unzigzag(later);
    row.updated = base::Timestamp(base::Duration(updated));
    row.unchanged = base::Duration(static_cast<std::int64_t>(unchanged));
    std::string_view value;
    if (!(row.flags & kRemoved) && (!read_text(row.attributes) || !in.text(value))) return false;
    row.value = value.data();
    row.value_size = static_cast<std::uint16_t>(value.size());
    const std::size_t ids = ids_size(row.flags);
    if (in.rest().size() < ids) return false;
    row.ids = reinterpret_cast<const std::uint8_t*>(in.rest().data());
    in = recorder::ColumnReader(in.rest().substr(ids));
    rows_.push_back(row);
    return true;
  };
  while (!in.done()) {
    if (!read_row()) return base::fail(base::ErrorCode::unavailable, "A temporary file is damaged; begin anew.");
  }
  return {};
}

void StatePiece::clear() {
  rows_.clear();
  indexes_.clear();
  texts_.clear();
  blocks_.clear();
}

OldState StatePiece::state(const Row& row) const {
  OldState state;
  state.id = row.id;
  state.entity = texts_[row.entity];
  state.updated = row.updated;
  state.changed = row.updated - row.unchanged;
  state.removed = row.flags & kRemoved;
  if (!state.removed) {
    state.attributes = texts_[row.attributes];
    state.value = {row.value, row.value_size};
  }
  const std::uint8_t* id = row.ids;
  for (const auto& [flag, into] :
       {std::pair{kContext, &state.context}, {kParent, &state.parent}, {kUser, &state.user}}) {
    if (!(row.flags & flag)) continue;
    *into = id;
    id += kIdSize;
  }
  return state;
}

}  // namespace hearth::import_ha
