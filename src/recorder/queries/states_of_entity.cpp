// SPDX-License-Identifier: Apache-2.0
#include "recorder/queries/states_of_entity.h"

#include <algorithm>
#include <utility>

#include "recorder/history/entity_history.h"

namespace hearth::recorder {
namespace {

using base::Result;

constexpr std::size_t kManyChanges = 2'000;  // in a window: the next one is not longer

}  // namespace

StatesOfEntity::StatesOfEntity(std::string entity_id, base::Timestamp from, base::Timestamp until, bool newest_first,
                               base::Timestamp now)
    : entity_id_(std::move(entity_id)),
      from_(from),
      until_(until),
      newest_first_(newest_first),
      begin_(std::max(from, std::min(now, until) - window_)) {}

Result<std::optional<ChangeList>> StatesOfEntity::next(ChangeReader& reader) {
  if (ended_ || until_ < from_) return std::optional<ChangeList>();
  if (newest_first_) return next_window(reader);
  auto piece = reader.next(entity_id_, position_, from_, until_);
  if (!piece || !*piece) return piece;
  ChangeList list;
  for (const Change& change : (*piece)->changes()) {
    if (change.updated >= from_ && change.updated <= until_) list.add(change);
  }
  return std::optional(std::move(list));
}

Result<std::optional<ChangeList>> StatesOfEntity::next_window(ChangeReader& reader) {
  ChangeList list;
  for (ChangeReader::Position position;;) {
    auto piece = reader.next(entity_id_, position, begin_, until_);
    if (!piece) return piece;
    if (!*piece) break;
    for (const Change& change : (*piece)->changes()) {
      if (change.updated >= begin_ && change.updated <= until_) list.add(change);
    }
  }
  list.sort_by_time();
  list.reverse();
  ended_ = begin_ <= from_;
  until_ = begin_ - base::Duration(1);
  if (list.size() < kManyChanges) window_ *= 4;
  begin_ = until_ - from_ <= window_ ? from_ : until_ - window_;
  return std::optional(std::move(list));
}

Result<ChangeList> state_before(ChangeReader& reader, const std::string& entity_id, base::Timestamp time) {
  const base::Timestamp end = time - base::Duration(1);
  EntityHistory history(entity_id, {end, end});
  ChangeList found;
  for (bool more = true; more;) {
    auto piece = history.next(reader);
    if (!piece) return std::unexpected(std::move(piece.error()));
    more = piece->more;
    if (piece->initial) found.add(*piece->initial);
  }
  return found;
}

}  // namespace hearth::recorder
