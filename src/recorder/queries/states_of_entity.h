// SPDX-License-Identifier: Apache-2.0
// All changes of an entity within a time span, as lists in the order of time or against it. One thread, the reader's.
#pragma once

#include <optional>
#include <string>

#include "recorder/history/history_reader.h"

namespace hearth::recorder {

class StatesOfEntity {
 public:
  // The bounds belong to the span. The newest come first by windows that grow, so that the last state costs little.
  StatesOfEntity(std::string entity_id, base::Timestamp from, base::Timestamp until, bool newest_first,
                 base::Timestamp now);

  // May be empty. Null at the end.
  base::Result<std::optional<ChangeList>> next(ChangeReader& reader);

 private:
  base::Result<std::optional<ChangeList>> next_window(ChangeReader& reader);

  const std::string entity_id_;
  const base::Timestamp from_;
  base::Timestamp until_;
  const bool newest_first_;
  ChangeReader::Position position_;
  base::Duration window_ = std::chrono::hours(1);
  base::Timestamp begin_;  // of the next window
  bool ended_ = false;
};

// The last change before that time; an empty list if there is none.
base::Result<ChangeList> state_before(ChangeReader& reader, const std::string& entity_id, base::Timestamp time);

}  // namespace hearth::recorder
