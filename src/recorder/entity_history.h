// SPDX-License-Identifier: Apache-2.0
// One entity's history over a span of time, piece by piece: the state that it had at the start, and the changes since.
//
// One thread, the reader's.
#pragma once

#include <string>

#include "recorder/history_reader.h"

namespace hearth::recorder {

struct Span {
  base::Timestamp start;  // changes behind it …
  base::Timestamp end;    // … up to and with it
};

class EntityHistory {
 public:
  EntityHistory(std::string entity_id, Span span) : entity_id_(std::move(entity_id)), span_(span) {}

  const std::string& entity_id() const { return entity_id_; }

  struct Piece {
    ChangeList list;
    std::optional<Change> initial;    // in the first piece, where the entity had a state at the start
    std::span<const Change> changes;  // within the span; into the list
    bool more = true;
  };
  // REQUIRES: the last piece said that there is more.
  base::Result<Piece> next(HistoryReader& reader);

 private:
  const std::string entity_id_;
  const Span span_;
  HistoryReader::Position position_;
  bool begun_ = false;  // some change within the span, or behind it, has been seen
  ChangeList before_;   // the last change up to the start, so far
  bool looked_back_ = false;
};

}  // namespace hearth::recorder
