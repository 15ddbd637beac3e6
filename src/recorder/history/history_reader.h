// SPDX-License-Identifier: Apache-2.0
// Reads the past for questions: the changes of each entity as one list, events, statistics of days that have ended.
// Implemented for the home's own file (history_file_reader.h), and for archives that outlive it.
//
// One thread, except cancel.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/bus/event.h"
#include "recorder/history/statistics.h"
#include "recorder/log/change.h"

namespace hearth::recorder {

class ChangeReader {
 public:
  virtual ~ChangeReader() = default;

  // A reader's position in an entity's history: after a change of that time. What the numbers are is the reader's own.
  struct Position {
    base::Timestamp last{base::Duration::min()};
    std::int64_t last_change = 0;
    std::int64_t seen = 0;
    std::size_t at_last = 0;  // changes read so far of the time `last`
  };
  enum class Kinds { all, without_measurements };
  // The changes after the position, oldest first, in a bounded piece. Starts with a piece that contains `from` or
  // precedes it, or follows it if last_before has what precedes it; ends when everything left is after `until`. Null if
  // there is no more. Pieces of a day on which the clock was set back may overlap until that day has ended.
  virtual base::Result<std::optional<ChangeList>> next(std::string_view entity_id, Position& position,
                                                       base::Timestamp from, base::Timestamp until,
                                                       Kinds kinds = Kinds::all) = 0;
  // The entity's last change before `from`, as far as `next` does not begin with it; an empty list if there is none.
  virtual base::Result<ChangeList> last_before(std::string_view entity_id, base::Timestamp from) = 0;
};

class HistoryReader : public ChangeReader {
 public:
  // The ids of all entities in history, sorted, including removed ones. Callers share one list as long as it is
  // unchanged.
  using Names = std::shared_ptr<const std::vector<std::string>>;
  virtual base::Result<Names> names() = 0;
  // The ids of entities with uncommitted changes.
  virtual std::vector<std::string> waiting_names() = 0;
  // True if the entity's changes are recorded, by what the configuration says now.
  virtual bool records(std::string_view entity_id) const = 0;
  // No entry is older; now if there is none. Cached for some seconds.
  virtual base::Result<base::Timestamp> oldest() = 0;

  // The recorded events from `from` up to and including `until`, oldest first, as long as `take` returns true. Returns
  // whether it always did.
  struct KeptEvent {
    std::string type, data;
    base::Timestamp fired;
    core::Context context;
  };
  using TakeEvent = std::function<bool(const KeptEvent& event)>;
  virtual base::Result<bool> events(base::Timestamp from, base::Timestamp until, const TakeEvent& take) = 0;

  // As statistics_store.h has them, with days since 1970 in UTC.
  virtual base::Result<std::vector<Statistics>> day_statistics(std::string_view entity_id, std::int64_t first,
                                                               std::int64_t last) = 0;
  virtual base::Result<std::optional<std::int64_t>> first_day(std::string_view entity_id) = 0;
  virtual base::Result<std::optional<bool>> last_day_is_total(std::string_view entity_id) = 0;
  virtual base::Result<Total> total_before(std::string_view entity_id, std::int64_t day) = 0;

  // Fails with unavailable if it cannot be read at all.
  virtual base::Result<void> open() = 0;
  // Releases what it holds of the present, until the next question.
  virtual void rest() = 0;
  // Any thread. What a question waits for is given up: it fails soon.
  virtual void cancel() {}
};

}  // namespace hearth::recorder
