// SPDX-License-Identifier: Apache-2.0
// Sorts a temporary file of states and writes them into history.db. A file that is too large for the memory is dealt
// again, by time, as often as it takes. One thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/result.h"
#include "import_ha/history/dealt_rows.h"
#include "import_ha/history/state_rows.h"
#include "recorder/history/past_writer.h"

namespace hearth::import_ha {

// Of the states of one file.
struct PackedStates {
  std::uint64_t carried = 0;
  std::uint64_t own = 0;                          // left: not older than the entity's own first change
  std::uint64_t entities = 0, bare_entities = 0;  // with a state that is carried, and without one
  std::optional<base::Timestamp> oldest, newest;  // of those carried

  json::object to_json() const;
  static PackedStates parse(const json::object& json);
  void add(const PackedStates& other);
};

class StatePacker {
 public:
  // Files are dealt again in `scratch`. `look` is called every few thousand rows and may fail, which ends the work.
  using Look = std::function<base::Result<void>(std::uint64_t rows)>;
  StatePacker(recorder::PastWriter& writer, std::filesystem::path scratch, Look look)
      : writer_(writer), scratch_(std::move(scratch)), look_(std::move(look)) {}

  // Writes all of the file in the caller's transaction.
  base::Result<PackedStates> pack(const DealtRows& files, std::size_t file);

  // Bounds of what is in memory at once, for tests.
  void set_bounds(std::uint64_t rows, std::uint64_t bytes) { most_rows_ = rows, most_bytes_ = bytes; }

 private:
  base::Result<void> pack_file(const DealtRows& files, std::size_t file, int depth);
  base::Result<void> deal_again(const DealtRows& files, std::size_t file, int depth);
  base::Result<void> pack_piece();
  base::Result<void> pack_entity(std::span<const StatePiece::Row> rows);
  base::Result<void> pack_days(std::int64_t entity, std::span<const StatePiece::Row> rows);

  recorder::PastWriter& writer_;
  const std::filesystem::path scratch_;
  const Look look_;
  std::uint64_t most_rows_ = 300'000, most_bytes_ = 24 * 1024 * 1024;
  StatePiece piece_;
  PackedStates packed_;
  std::set<std::string, std::less<>> entities_, bare_entities_;
};

}  // namespace hearth::import_ha
