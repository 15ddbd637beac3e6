// SPDX-License-Identifier: Apache-2.0
#include "recorder/journal/registry_store.h"

#include <fmt/format.h>

#include <array>
#include <string>

#include "base/log/log.h"
#include "core/registry/registry_json.h"

namespace hearth::recorder {
namespace {

using base::Result;
using core::RegistryData;

// `entry` is the JSON of core/registry/registry_json.h: a further field needs no other table.
constexpr std::array<std::string_view, 2> kRegistrySteps{R"(
  CREATE TABLE registry(
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY(kind, id)
  ) STRICT, WITHOUT ROWID;
)",
                                                         R"(
  CREATE TABLE removed_entries(
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY(kind, id)
  ) STRICT, WITHOUT ROWID;
)"};

// Any other kind is the collection of an item.
constexpr std::string_view kFloor = "floor", kArea = "area", kDevice = "device", kEntity = "entity";

Result<void> put_item(const json::object& object, RegistryData& data) {
  auto item = core::item_from_json(object);
  if (!item) return std::unexpected(item.error());
  data.set(std::move(*item));
  return {};
}

// Adds the entry of one row. Fails with invalid if the row makes none.
Result<void> read_entry(std::string_view kind, std::string_view text, RegistryData& data) {
  const auto parsed = base::parse_json(text);
  if (!parsed) return std::unexpected(parsed.error());
  const json::object* const object = parsed->if_object();
  if (!object) return base::fail(base::ErrorCode::invalid, "not an object");
  const auto put_in = [](auto entry, auto& entries) -> Result<void> {
    if (!entry) return std::unexpected(entry.error());
    std::string id = entry->id;
    entries.set(std::move(id), std::move(*entry));
    return {};
  };
  if (kind == kFloor) return put_in(core::floor_from_json(*object), data.floors);
  if (kind == kArea) return put_in(core::area_from_json(*object), data.areas);
  if (kind == kDevice) {
    auto device = core::device_from_json(*object);
    if (!device) return std::unexpected(device.error());
    data.set(std::move(*device));
    return {};
  }
  if (kind != kEntity) return put_item(*object, data);
  auto entity = core::entity_from_json(*object);
  if (!entity) return std::unexpected(entity.error());
  const bool taken = data.entities.contains(entity->entity_id) || data.find_entity_by_id(entity->id) ||
                     data.find_entity(entity->integration, entity->domain(), entity->unique_id);
  if (taken) return base::fail(base::ErrorCode::invalid, "it is there twice");
  data.set(std::move(*entity));
  return {};
}

// Adds the entry of one row of removed_entries. Fails likewise.
Result<void> read_removed(std::string_view kind, std::string_view text, core::RemovedEntries& removed) {
  const auto parsed = base::parse_json(text);
  if (!parsed) return std::unexpected(parsed.error());
  const json::object* const object = parsed->if_object();
  const auto add = [&](auto entry) -> Result<void> {
    if (!entry) return std::unexpected(entry.error());
    removed.add(std::move(*entry));
    return {};
  };
  if (object && kind == kDevice) return add(core::device_from_json(*object));
  if (object && kind == kEntity) return add(core::entity_from_json(*object));
  return base::fail(base::ErrorCode::invalid, "neither a device nor an entity");
}

constexpr std::string_view kRegistryTable = "registry", kRemovedTable = "removed_entries";

// A row to write; text is null if the row is to be deleted.
struct Row {
  std::string kind;
  std::string id;
  std::optional<std::string> text;
};

// Calls function(former, entry) for each entry that was replaced, added (former null) or removed (entry null).
template <class Entry, class Function>
void for_each_difference(const base::PersistentMap<std::string, Entry>& before,
                         const base::PersistentMap<std::string, Entry>& now, Function&& function) {
  auto old = before.begin();
  const auto old_end = before.end(), end = now.end();
  auto current = now.begin();
  while (old != old_end || current != end) {
    const bool only_old = current == end || (old != old_end && old->first < current->first);
    const bool only_new = old == old_end || (current != end && current->first < old->first);
    const Entry* const former = only_new ? nullptr : &old->second;
    const Entry* const entry = only_old ? nullptr : &current->second;
    if (former != entry) function(former, entry);
    if (former) ++old;
    if (entry) ++current;
  }
}

json::object stored(const core::Device& device) {
  return core::to_stored_json(device);
}
json::object stored(const auto& entry) {
  return core::to_json(entry);
}

template <class Entry>
void add_differences(std::string_view kind, const base::PersistentMap<std::string, Entry>& before,
                     const base::PersistentMap<std::string, Entry>& now, std::vector<Row>& rows) {
  for_each_difference(before, now, [&](const Entry* former, const Entry* entry) {
    if (!entry)
      rows.push_back({std::string(kind), former->id, {}});
    else
      rows.push_back({std::string(kind), entry->id, base::to_json(stored(*entry))});
  });
}

std::vector<Row> differences(const core::RemovedEntries& before, const core::RemovedEntries& now) {
  std::vector<Row> rows;
  add_differences(kDevice, before.devices(), now.devices(), rows);
  for_each_difference(before.entities(), now.entities(), [&](const auto* former, const auto* entity) {
    if (former && !(entity && entity->id == former->id)) rows.push_back({std::string(kEntity), former->id, {}});
    if (entity) rows.push_back({std::string(kEntity), entity->id, base::to_json(core::to_stored_json(*entity))});
  });
  return rows;
}

std::vector<Row> differences(const RegistryData& before, const RegistryData& now) {
  std::vector<Row> rows;
  add_differences(kFloor, before.floors, now.floors, rows);
  add_differences(kArea, before.areas, now.areas, rows);
  add_differences(kDevice, before.devices, now.devices, rows);
  // By the permanent id: a renamed entity is one change.
  using Entity = core::RegisteredEntity;
  for_each_difference(before.entities, now.entities, [&](const Entity* former, const Entity* entity) {
    if (former && !now.find_entity_by_id(former->id)) rows.push_back({std::string(kEntity), former->id, {}});
    if (!entity) return;
    std::string text = base::to_json(core::to_stored_json(*entity));
    const Entity* const known = before.find_entity_by_id(entity->id);
    // An entity that its integration merely added again is unchanged here.
    if (!known || base::to_json(core::to_stored_json(*known)) != text)
      rows.push_back({std::string(kEntity), entity->id, std::move(text)});
  });
  for_each_difference(before.items, now.items, [&](const core::Item* former, const core::Item* item) {
    if (!item)
      rows.push_back({former->collection, former->id, {}});
    else
      rows.push_back({item->collection, item->id, base::to_json(core::to_json(*item))});
  });
  return rows;
}

Result<void> write(std::string_view table, const std::vector<Row>& rows, storage::Database& database) {
  if (rows.empty()) return {};
  auto put = database.prepare(fmt::format("INSERT OR REPLACE INTO {} VALUES(?, ?, ?)", table));
  if (!put) return std::unexpected(std::move(put.error()));
  auto remove = database.prepare(fmt::format("DELETE FROM {} WHERE kind = ? AND id = ?", table));
  if (!remove) return std::unexpected(std::move(remove.error()));
  for (const Row& row : rows) {
    auto done = row.text ? put->bind(row.kind, row.id, *row.text).run() : remove->bind(row.kind, row.id).run();
    if (!done) return done;
  }
  return {};
}

Result<void> write_rows(const std::vector<Row>& rows, const std::vector<Row>& removed, storage::Database& database) {
  if (auto done = write(kRegistryTable, rows, database); !done) return done;
  return write(kRemovedTable, removed, database);
}

}  // namespace

Result<void> write_registry(storage::Database& database, const RegistryData& before, const RegistryData& now) {
  return write_rows(differences(before, now), differences(before.removed, now.removed), database);
}

storage::Schema RegistryStore::schema() {
  return {"registry", kRegistrySteps};
}

Result<RegistryData> read_registry(storage::Database& database) {
  auto select = database.prepare("SELECT kind, id, entry FROM registry");
  if (!select) return std::unexpected(std::move(select.error()));
  RegistryData data;
  auto read = select->for_each([&](const storage::Statement& row) {
    if (const auto done = read_entry(row.text(0), row.text(2), data); !done) {
      base::log_warning("recorder", "the stored {} {} is left out: {}", row.text(0), row.text(1), done.error().message);
    }
  });
  if (!read) return std::unexpected(std::move(read.error()));
  auto gone = database.prepare("SELECT kind, id, entry FROM removed_entries");
  if (!gone) return std::unexpected(std::move(gone.error()));
  read = gone->for_each([&](const storage::Statement& row) {
    if (const auto done = read_removed(row.text(0), row.text(2), data.removed); !done) {
      base::log_warning("recorder", "the removed {} {} is left out: {}", row.text(0), row.text(1),
                        done.error().message);
    }
  });
  if (!read) return std::unexpected(std::move(read.error()));
  return data;
}

RegistryStore::RegistryStore(storage::Database database, core::Registry& registry, core::EventBus& bus,
                             std::chrono::milliseconds commit_interval)
    : database_(std::move(database)),
      registry_(registry),
      bus_(bus),
      saved_(std::make_shared<const RegistryData>()),
      thread_("registry", "the areas, devices and entities", commit_interval, [this] { return commit(); }) {}

RegistryStore::~RegistryStore() {
  stop();
}

Result<std::unique_ptr<RegistryStore>> RegistryStore::open(const std::filesystem::path& file, core::Registry& registry,
                                                           core::EventBus& bus,
                                                           std::chrono::milliseconds commit_interval) {
  auto database = storage::Database::open(file, storage::Durability::full);
  if (!database) return std::unexpected(std::move(database.error()));
  if (auto ready = storage::migrate(*database, "registry", kRegistrySteps); !ready)
    return std::unexpected(std::move(ready.error()));
  return std::unique_ptr<RegistryStore>(new RegistryStore(std::move(*database), registry, bus, commit_interval));
}

Result<void> RegistryStore::restore() {
  auto data = read_registry(database_);
  if (!data) return std::unexpected(std::move(data.error()));
  saved_ = std::make_shared<const RegistryData>(*data);
  registry_.restore(std::move(*data));
  return {};
}

void RegistryStore::listen() {
  for (const auto type : {core::event_type::kFloorRegistryUpdated, core::event_type::kAreaRegistryUpdated,
                          core::event_type::kDeviceRegistryUpdated, core::event_type::kEntityRegistryUpdated,
                          core::event_type::kLabelRegistryUpdated, core::event_type::kCategoryRegistryUpdated,
                          core::event_type::kCollectionUpdated}) {
    subscriptions_.push_back(bus_.listen(type, [this](const core::Event&) { thread_.wake(); }, core::Pace::relaxed));
  }
}

void RegistryStore::stop() {
  subscriptions_.clear();
  thread_.stop();
}

Result<void> RegistryStore::commit() {
  const auto now = registry_.snapshot();
  if (now == saved_) return {};
  const std::vector<Row> rows = differences(*saved_, *now), removed = differences(saved_->removed, now->removed);
  if (!rows.empty() || !removed.empty()) {
    auto transaction = storage::Transaction::begin(database_, storage::Transaction::Kind::write);
    if (!transaction) return std::unexpected(std::move(transaction.error()));
    if (auto done = write_rows(rows, removed, database_); !done) return done;
    if (auto done = transaction->commit(); !done) return done;
    database_.release_memory();
  }
  saved_ = now;
  saved_version_.store(now->version, std::memory_order_release);
  return {};
}

}  // namespace hearth::recorder
