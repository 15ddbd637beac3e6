// SPDX-License-Identifier: Apache-2.0
// Finds the recorded call and run of one context after the other, and its cause, from the newest to the oldest. Each
// event is read once to note its context, and again only if it is needed. The notes cover the last span that was asked
// for.
//
// One thread.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "recorder/history/history_reader.h"

namespace hearth::api {

class ContextEvents {
 public:
  using Kept = recorder::HistoryReader::KeptEvent;
  // As HistoryReader::events.
  using Read = std::function<base::Result<bool>(base::Timestamp from, base::Timestamp until,
                                                const recorder::HistoryReader::TakeEvent& take)>;
  struct Found {
    std::optional<Kept> call, run;  // the last ones
    std::optional<base::Id> parent_id, user_id;
  };

  explicit ContextEvents(Read read) : read_(std::move(read)) {}

  // Of those from `from` up to and including `until`, which must not be after that of the call before.
  base::Result<Found> find(std::string_view context_id, base::Timestamp from, base::Timestamp until);

 private:
  struct Note {
    base::Id context;
    base::Timestamp fired;
    bool is_call = false, is_run = false, has_parent = false, has_user = false;
  };

  // Notes the events of the span, and forgets those after it.
  base::Result<void> cover(base::Timestamp from, base::Timestamp until);
  // When the last events of the context were that say something which no later one does, oldest first.
  std::vector<base::Timestamp> telling_times(std::string_view context_id, base::Timestamp from) const;

  const Read read_;
  std::vector<Note> notes_;               // of events from begin_ on
  std::optional<base::Timestamp> begin_;  // null: nothing has been read
};

}  // namespace hearth::api
