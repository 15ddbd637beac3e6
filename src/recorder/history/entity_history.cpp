// SPDX-License-Identifier: Apache-2.0
#include "recorder/history/entity_history.h"

#include <algorithm>

namespace hearth::recorder {

base::Result<EntityHistory::Piece> EntityHistory::next(ChangeReader& reader) {
  auto read = reader.next(entity_id_, position_, span_.start, span_.end,
                          wanted_.measurements ? ChangeReader::Kinds::all : ChangeReader::Kinds::without_measurements);
  if (!read) return std::unexpected(std::move(read.error()));
  Piece piece;
  piece.more = read->has_value();
  if (piece.more) piece.list = std::move(**read);

  const auto all = piece.list.changes();
  const auto first = std::ranges::upper_bound(all, span_.start, {}, &Change::updated);
  const auto last = std::ranges::upper_bound(all, span_.end, {}, &Change::updated);
  if (first < last) piece.changes = {first, last};
  if (begun_) return piece;

  if (first != all.begin()) {
    before_ = ChangeList();
    before_.add(*std::prev(first));
    looked_back_ = true;
  }
  if (piece.changes.empty() && piece.more) return piece;
  begun_ = true;
  if (!looked_back_) {
    auto before = reader.last_before(entity_id_, span_.start);
    if (!before) return std::unexpected(std::move(before.error()));
    before_ = std::move(*before);
  }
  if (wanted_.initial && !before_.empty() && !before_.changes().front().removed)
    piece.initial = before_.changes().front();
  return piece;
}

}  // namespace hearth::recorder
