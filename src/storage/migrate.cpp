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

base::Result<void> run_steps(Database& database, std::string_view module, std::span<const std::string_view> steps) {
  auto transaction = Transaction::begin(database, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  // Another process may have been first.
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
  return transaction->commit();
}

}  // namespace

base::Result<void> migrate(Database& database, std::string_view module, std::span<const std::string_view> steps) {
  const auto known = static_cast<std::int64_t>(steps.size());
  auto version = version_of(database, module);
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

}  // namespace hearth::storage
