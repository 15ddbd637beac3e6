// SPDX-License-Identifier: Apache-2.0
// Reads the states of the old database in the order of their numbers, and decides which of them cannot come. One
// thread; memory for a bounded number of sets of attributes, and for all entity ids.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/result.h"
#include "base/text/text_map.h"
#include "import_ha/history/lost_rows.h"
#include "import_ha/history/old_tables.h"
#include "import_ha/history/state_rows.h"
#include "storage/database.h"

namespace hearth::import_ha {

// The rows that do not come, and why.
struct StateFates {
  using Names = std::map<std::string, std::uint64_t, std::less<>>;
  std::uint64_t future = 0;             // more than an hour ahead
  std::uint64_t early = 0;              // before 2000, or without a time
  std::uint64_t unasked = 0;            // before the time that was asked for
  std::uint64_t broken = 0;             // no entity, or a value that is no text or too long
  Names no_entities;                    // whose id is no entity id: rows
  std::uint64_t broken_attributes = 0;  // rows carried without their attributes
  LostRows lost;                        // by entity and day

  std::uint64_t left() const;
  json::object to_json() const;
  static StateFates parse(const json::object& json);
};

class OldStates {
 public:
  static constexpr base::Duration kAhead = std::chrono::hours(1);

  // Fails with unavailable if there is no table of states that it knows.
  static base::Result<OldStates> open(storage::Database& old, base::Timestamp now);

  // The numbers of the rows.
  const OldRange& range() const { return range_; }
  // Of the newest state that is not of the future; null if there is none.
  base::Result<std::optional<base::Timestamp>> newest();
  // Earlier ones are left.
  void take_since(std::optional<base::Timestamp> since) { since_ = since; }

  // Calls for each row after the number `at` that comes, up to the number `until` and for at most about `most` rows.
  // Returns the number that it has come to; `until` at the end.
  using Take = std::function<base::Result<void>(const OldState& state)>;
  base::Result<std::int64_t> read(std::int64_t at, std::int64_t until, std::size_t most, const Take& take);

  StateFates& fates() { return fates_; }

 private:
  struct Entity {
    std::string id;
    std::uint32_t hash = 0;
    bool valid = false;
  };

  explicit OldStates(storage::Database& old) : old_(&old) {}
  base::Result<void> read_entities();
  base::Result<void> name_lost(std::int64_t after, std::int64_t before);
  base::Result<void> take_row(const storage::Statement& row, const Take& take);
  const Entity* entity_of(const storage::Statement& row);
  base::Result<std::string_view> attributes_of(const storage::Statement& row);

  storage::Database* old_;
  OldColumns columns_;
  OldRange range_;
  base::Timestamp now_;
  std::optional<base::Timestamp> since_;
  std::unordered_map<std::int64_t, Entity> entities_;
  base::TextMap<Entity> named_;  // of rows that say the id themselves
  std::optional<storage::Statement> find_attributes_;
  std::unordered_map<std::int64_t, std::string> attributes_;
  std::size_t attribute_bytes_ = 0;
  StateFates fates_;
};

}  // namespace hearth::import_ha
