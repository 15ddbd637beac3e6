// SPDX-License-Identifier: Apache-2.0
#include "recorder/log/log_reader.h"

#include <algorithm>

namespace hearth::recorder {

using base::Result;
using storage::Statement;

Result<LogReader> LogReader::create(storage::Database& database) {
  auto change = database.prepare(
      "SELECT updated, changed, value, attributes, context_id, parent_id, user FROM changes WHERE id = ?");
  if (!change) return std::unexpected(std::move(change.error()));
  auto set = database.prepare("SELECT attributes FROM attribute_sets WHERE id = ?");
  if (!set) return std::unexpected(std::move(set.error()));
  auto user = database.prepare("SELECT user_id FROM users WHERE id = ?");
  if (!user) return std::unexpected(std::move(user.error()));
  return LogReader(std::move(*change), std::move(*set), std::move(*user));
}

Result<void> LogReader::read(std::int64_t id, ChangeList& list) {
  auto row = change_.bind(id).step();
  if (!row) return std::unexpected(std::move(row.error()));
  if (!*row) return {};
  Change change;
  change.updated = change_.timestamp(0);
  change.changed = change_.optional_timestamp(1).value_or(change.updated);
  change.removed = change_.is_null(2);
  change.value = change_.text(2);
  if (!change_.is_null(3)) {
    if (auto read = read_set(change_.integer(3)); !read) return read;
    change.attributes = set_text_;
  }
  change.context_id = change_.text(4);
  change.parent_id = change_.text(5);
  if (!change_.is_null(6)) {
    const auto name = user(change_.integer(6));
    if (!name) return std::unexpected(name.error());
    change.user_id = *name;
  }
  list.add(change);
  change_.restart();  // an unfinished statement would keep its transaction open
  return {};
}

Result<void> LogReader::read_set(std::int64_t id) {
  if (id == set_id_) return {};
  auto row = set_.bind(id).step();
  if (!row) return std::unexpected(std::move(row.error()));
  set_text_ = *row ? set_.text(0) : "{}";
  set_id_ = id;
  set_.restart();
  return {};
}

Result<std::string_view> LogReader::user(std::int64_t id) {
  std::string& name = users_[id];
  if (name.empty()) {
    auto row = user_.bind(id).step();
    if (!row) return std::unexpected(std::move(row.error()));
    if (*row) name = user_.text(0);
    user_.restart();
  }
  return std::string_view(name);
}

Result<LogIndex> LogIndex::create(storage::Database& database) {
  auto bounds = database.prepare("SELECT coalesce(min(id), 0) FROM changes");
  if (!bounds) return std::unexpected(std::move(bounds.error()));
  auto newer = database.prepare("SELECT id, entity, updated FROM changes WHERE id > ? ORDER BY id");
  if (!newer) return std::unexpected(std::move(newer.error()));
  return LogIndex(std::move(*bounds), std::move(*newer));
}

Result<void> LogIndex::refresh() {
  auto row = bounds_.step();
  if (!row) return std::unexpected(std::move(row.error()));
  const std::int64_t first = bounds_.integer(0);
  bounds_.restart();  // an unfinished statement would keep its transaction open
  if (first != first_) {
    by_entity_.clear();
    first_ = first;
    last_ = 0;
    earliest_ = base::Timestamp::max();
  }
  return newer_.bind(last_).for_each([&](const Statement& entry) {
    last_ = entry.integer(0);
    by_entity_[entry.integer(1)].push_back(last_);
    earliest_ = std::min(earliest_, entry.timestamp(2));
  });
}

const std::vector<std::int64_t>& LogIndex::of(std::int64_t entity) const {
  static const std::vector<std::int64_t> kNone;
  const auto found = by_entity_.find(entity);
  return found == by_entity_.end() ? kNone : found->second;
}

}  // namespace hearth::recorder
