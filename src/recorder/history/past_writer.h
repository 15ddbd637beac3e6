// SPDX-License-Identifier: Apache-2.0
// Writes the past of another hub into history.db: changes as packed days, events, statistics. Nobody else writes to the
// file meanwhile.
//
// One thread. In the caller's transactions, except open.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.h"
#include "base/text/text_map.h"
#include "recorder/history/history_reader.h"
#include "recorder/history/statistics.h"
#include "storage/database.h"

namespace hearth::recorder {

class PastWriter {
 public:
  // When the file was opened.
  struct Bounds {
    std::optional<base::Timestamp> own_first;              // the hub's own first change or statistics
    std::optional<base::Timestamp> past_first, past_last;  // changes that came by this class
  };

  // Makes the file if absent.
  static base::Result<PastWriter> open(const std::filesystem::path& file);

  storage::Database& database() { return database_; }

  // The number of the entity, made if absent.
  base::Result<std::int64_t> entity(std::string_view entity_id);
  Bounds bounds(std::int64_t entity) const;
  // As pack_past, in log_packer.h.
  base::Result<void> add(std::int64_t entity, std::span<const Change> changes);

  // Numbers below 0, in the order of the events; one that is there already stays. An event is not written if the hub
  // had recorded an earlier one itself: false.
  base::Result<bool> add_event(std::int64_t number, const HistoryReader::KeptEvent& event);

  // Adds imported steps, in order, of one entity. Replaces those that were imported before where they are of the same
  // hour, but not those of an hour that is there whole; a step that is not older than the hub's own first change or
  // statistics is left. Returns how many are carried.
  base::Result<std::size_t> add_statistics(std::int64_t entity, std::span<const Statistics> steps);

  // The unit of the entity's newest values; null if they have none. Fails as reading does; damaged days have none.
  base::Result<std::optional<std::string>> unit(std::int64_t entity);

  // The hub computes the statistics of all days anew that have changes, but no imported statistics.
  base::Result<void> compute_statistics_again();

 private:
  explicit PastWriter(storage::Database database) : database_(std::move(database)) {}
  base::Result<void> read_bounds();
  base::Result<std::optional<std::int64_t>> user(const std::optional<base::Id>& user_id);
  base::Result<std::int64_t> number_of(std::string_view find, std::string_view add, std::string_view text);

  storage::Database database_;
  std::unordered_map<std::int64_t, Bounds> bounds_;
  std::optional<base::Timestamp> own_first_event_;
  base::TextMap<std::int64_t> entities_, users_;
};

}  // namespace hearth::recorder
