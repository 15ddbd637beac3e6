// SPDX-License-Identifier: Apache-2.0
#include "storage/migrate.h"

#include <fmt/format.h>

#include <cstdint>

namespace hearth::storage {
namespace {

base::Result<std::int64_t> version_of(Database& database, std::string_view module) {
  auto table = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_version'");
  if (!table) return std::unexpected(std::move(table.error()));
  auto exists = table->step();
  if (!exists) return std::unexpected(std::move(exists.error()));
  if (!*exists) return 0;

  auto select = database.prepare("SELECT version FROM schema_version WHERE module = ?");
  if (!select) return std::unexpected(std::move(select.error()));
  auto row = select->bind(module).step();
  if (!row) return std::unexpected(std::move(row.error()));
  return *row ? select->integer(0) : 0;
}

// Recreates, empty, the tables, indexes and triggers that the steps create and that a damaged file has lost.
base::Result<void> complete(Database& database, std::span<const std::string_view> steps) {
  auto whole = Database::in_memory();
  if (!whole) return std::unexpected(std::move(whole.error()));
  for (const std::string_view step : steps) {
    if (auto done = whole->execute(step); !done) return done;
  }
  auto wanted = whole->prepare("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid");
  if (!wanted) return std::unexpected(std::move(wanted.error()));
  base::Result<void> made;
  auto read = wanted->for_each([&](const Statement& row) {
    auto found = database.prepare("SELECT 1 FROM sqlite_master WHERE type = ? AND name = ?");
    if (!made || !found) return;
    const auto exists = found->bind(row.text(0), row.text(1)).step();
    if (exists && !*exists) made = database.execute(row.text(2));
  });
  if (!read) return std::unexpected(std::move(read.error()));
  return made;
}

base::Result<void> complete_repaired(Database& database, std::string_view module,
                                     std::span<const std::string_view> steps) {
  auto transaction = Transaction::begin(database, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  const auto version = version_of(database, module);
  if (!version) return std::unexpected(version.error());
  if (*version >= 0) return {};  // another process was first
  const auto seen = static_cast<std::size_t>(-*version);
  // A newer program completes its own tables.
  if (seen > steps.size()) return {};
  if (auto made = complete(database, steps.first(seen)); !made) return made;
  const auto recorded = database.run("UPDATE schema_version SET version = ? WHERE module = ?", -*version, module);
  if (!recorded) return std::unexpected(recorded.error());
  return transaction->commit();
}

// Within a write transaction. Another process may have been first.
base::Result<void> run_new_steps(Database& database, std::string_view module, std::span<const std::string_view> steps) {
  const auto version = version_of(database, module);
  if (!version) return std::unexpected(version.error());
  auto done = database.execute(
      "CREATE TABLE IF NOT EXISTS schema_version(module TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT");
  for (std::size_t i = static_cast<std::size_t>(*version); done && i < steps.size(); ++i)
    done = database.execute(steps[i]);
  if (!done) return done;
  const auto recorded = database.run("INSERT OR REPLACE INTO schema_version(module, version) VALUES(?, max(?, ?))",
                                     module, steps.size(), *version);
  if (!recorded) return std::unexpected(recorded.error());
  return {};
}

base::Result<void> run_steps(Database& database, std::string_view module, std::span<const std::string_view> steps) {
  auto transaction = Transaction::begin(database, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  if (auto done = run_new_steps(database, module, steps); !done) return done;
  return transaction->commit();
}

}  // namespace

base::Result<void> migrate(Database& database, std::string_view module, std::span<const std::string_view> steps) {
  const auto known = static_cast<std::int64_t>(steps.size());
  auto version = version_of(database, module);
  if (version && *version < 0) {
    if (auto done = complete_repaired(database, module, steps); !done) return done;
    version = version_of(database, module);
  }
  if (version && *version < 0) version = -*version;
  if (version && *version < known) {
    if (auto done = run_steps(database, module, steps); !done) return done;
    version = version_of(database, module);
  }
  if (!version) return std::unexpected(std::move(version.error()));
  if (*version > known) {
    return base::fail(
        base::ErrorCode::unavailable,
        fmt::format("{} was written by a newer version of Hearth (tables of {}: version {}, known here: {}).",
                    database.file(), module, *version, known));
  }
  return {};
}

base::Result<void> migrate_together(Database& database, std::span<const Schema> schemas) {
  // A repaired file is completed first.
  const auto known = schema_versions(database);
  if (!known) return std::unexpected(known.error());
  for (const Schema& schema : schemas) {
    const auto version = version_of(database, schema.module);
    if (!version) return std::unexpected(version.error());
    if (*version >= 0) continue;
    if (auto done = complete_repaired(database, schema.module, schema.steps); !done) return done;
  }
  auto transaction = Transaction::begin(database, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  for (const Schema& schema : schemas) {
    if (!known->contains(schema.module)) continue;
    if (auto done = run_new_steps(database, schema.module, schema.steps); !done) return done;
  }
  return transaction->commit();
}

base::Result<SchemaVersions> schema_versions(Database& database) {
  auto table = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_version'");
  if (!table) return std::unexpected(std::move(table.error()));
  auto exists = table->step();
  if (!exists) return std::unexpected(std::move(exists.error()));
  SchemaVersions versions;
  if (!*exists) return versions;
  auto select = database.prepare("SELECT module, abs(version) FROM schema_version");
  if (!select) return std::unexpected(std::move(select.error()));
  auto read = select->for_each([&](const Statement& row) { versions.emplace(row.text(0), row.integer(1)); });
  if (!read) return std::unexpected(std::move(read.error()));
  return versions;
}

SchemaAge compare_schemas(const SchemaVersions& versions, std::span<const Schema> schemas) {
  SchemaAge age = SchemaAge::same;
  for (const Schema& schema : schemas) {
    const auto found = versions.find(schema.module);
    if (found == versions.end()) continue;
    const auto known = static_cast<std::int64_t>(schema.steps.size());
    if (found->second > known) return SchemaAge::newer;
    if (found->second < known) age = SchemaAge::older;
  }
  return age;
}

}  // namespace hearth::storage
