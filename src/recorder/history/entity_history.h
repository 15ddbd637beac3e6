// SPDX-License-Identifier: Apache-2.0
// One entity's history over a time span, piece by piece: its state at the start, and the changes since.
//
// One thread, the reader's.
#pragma once

#include <string>

#include "recorder/history/history_reader.h"

namespace hearth::recorder {

struct Span {
  base::Timestamp start;  // changes after it …
  base::Timestamp end;    // … up to and including it
};

class EntityHistory {
 public:
  // The parts to read: fewer are faster.
  struct Wanted {
    bool initial = true;
    bool measurements = true;
  };
  EntityHistory(std::string entity_id, Span span) : EntityHistory(std::move(entity_id), span, Wanted{true, true}) {}
  EntityHistory(std::string entity_id, Span span, Wanted wanted)
      : entity_id_(std::move(entity_id)), span_(span), wanted_(wanted), looked_back_(!wanted.initial) {}

  const std::string& entity_id() const { return entity_id_; }

  struct Piece {
    ChangeList list;
    std::optional<Change> initial;    // at most once, if the entity had a state at the start; its strings live as long
                                      // as the history
    std::span<const Change> changes;  // within the span; a view of the list
    bool more = true;
  };
  // REQUIRES: the last piece said that there are more.
  base::Result<Piece> next(ChangeReader& reader);

 private:
  const std::string entity_id_;
  const Span span_;
  const Wanted wanted_;
  ChangeReader::Position position_;
  bool begun_ = false;  // a change within the span, or after it, has been seen
  ChangeList before_;   // the last change up to the start, so far
  bool looked_back_;
};

}  // namespace hearth::recorder
