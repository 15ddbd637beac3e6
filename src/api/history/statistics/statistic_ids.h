// SPDX-License-Identifier: Apache-2.0
// Lists the entities that have statistics, and the kind of each, piece by piece.
//
// The reader's thread only.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/view.h"
#include "recorder/history/history_reader.h"

namespace hearth::api {

// The unit that somebody gave the statistics of an entity is an item of the collection that belongs to the entity.
constexpr std::string_view kStatisticsUnit = "statistics_unit";

struct StatisticId {
  std::string_view entity_id;
  core::StatePtr state;                   // null if the entity is gone
  bool recorded = true;                   // by what the configuration says now
  bool measured = true;                   // by what its attributes say now
  bool total = false;                     // has sums, otherwise means
  bool angle = false;                     // whose means are over the circle
  std::optional<std::string> unit;        // of the attributes; those of the last change if the entity is gone
  std::optional<std::string> given_unit;  // in its place
};

class StatisticIds {
 public:
  using Take = std::function<void(const StatisticId& id)>;

  // The ids among `entity_ids`, or all if it is null, that the caller may read. `take` is called by rising entity id.
  StatisticIds(const core::View& home, std::optional<std::vector<std::string>> entity_ids, Take take);

  // Some milliseconds of the work; returns whether there is more.
  base::Result<bool> read_on(recorder::HistoryReader& reader);

 private:
  base::Result<void> begin(recorder::HistoryReader& reader);
  base::Result<void> look_at(recorder::HistoryReader& reader, const std::string& entity_id);
  // Of one that measures nothing now: whether it has statistics of former days.
  base::Result<bool> look_back(recorder::HistoryReader& reader, StatisticId& id);

  const core::View home_;
  const core::ReadableRegistry registry_;
  const std::optional<std::vector<std::string>> asked_;
  const Take take_;
  const base::Timestamp now_;
  bool begun_ = false;
  recorder::HistoryReader::Names names_;  // null if some are asked for
  std::vector<std::string> others_;       // not in names_
  std::size_t next_ = 0;                  // of names_, then of others_
};

}  // namespace hearth::api
