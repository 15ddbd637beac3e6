// SPDX-License-Identifier: Apache-2.0
// The recorded changes of an entity that gets another id.
#include <utility>

#include "recorder/history_writer.h"

namespace hearth::recorder {

using base::Result;
using storage::Statement;

Result<bool> HistoryWriter::has_history(std::int64_t entity) {
  auto select = database_.prepare(
      "SELECT EXISTS(SELECT 1 FROM segments WHERE entity = ?1) OR "
      "EXISTS(SELECT 1 FROM changes WHERE entity = ?1 AND value IS NOT NULL)");
  if (!select) return std::unexpected(std::move(select.error()));
  if (auto row = select->bind(entity).step(); !row) return std::unexpected(std::move(row.error()));
  return select->integer(0) != 0;
}

// The history goes with the entity, unless there is one under the new id already: then that one is continued, as when
// a device takes the place of another. Otherwise the numbers of both ids are exchanged.
Result<void> HistoryWriter::rename(const core::RegistryChange& change) {
  const auto former = entity(change.former_entity_id), now = entity(change.id);
  if (!former) return std::unexpected(former.error());
  if (!now) return std::unexpected(now.error());
  const std::int64_t former_number = (*former)->id, number = (*now)->id;
  // Changes that wait in memory are written under the id that it had.
  if (auto done = append_newest(); !done) return done;
  const auto taken = has_history(number);
  if (!taken) return std::unexpected(taken.error());
  if (*taken) return {};
  auto put = database_.prepare("UPDATE entities SET entity_id = ? WHERE id = ?");
  if (!put) return std::unexpected(std::move(put.error()));
  // Both ids are unique: an id that is none stands between.
  const std::pair<std::string_view, std::int64_t> steps[] = {
      {"", former_number}, {change.former_entity_id, number}, {change.id, former_number}};
  for (const auto& [id, of] : steps) {
    if (auto done = put->bind(id, of).run(); !done) return done;
  }
  entities_.erase(entities_.find(change.former_entity_id));
  entities_.erase(entities_.find(change.id));
  return {};
}

}  // namespace hearth::recorder
