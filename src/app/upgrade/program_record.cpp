// SPDX-License-Identifier: Apache-2.0
#include "app/upgrade/program_record.h"

#include <array>

namespace hearth::app {
namespace {

constexpr std::array<std::string_view, 1> kProgramSteps{R"(
  CREATE TABLE program(id INTEGER PRIMARY KEY, version TEXT NOT NULL, since INTEGER NOT NULL) STRICT;
)"};

}  // namespace

storage::Schema program_schema() {
  return {"program", kProgramSteps};
}

base::Result<std::string> recorded_version(storage::Database& database) {
  auto table = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'program'");
  if (!table) return std::unexpected(std::move(table.error()));
  auto exists = table->step();
  if (!exists) return std::unexpected(std::move(exists.error()));
  if (!*exists) return std::string(kFirstVersion);
  auto select = database.prepare("SELECT version FROM program ORDER BY id DESC LIMIT 1");
  if (!select) return std::unexpected(std::move(select.error()));
  auto row = select->step();
  if (!row) return std::unexpected(std::move(row.error()));
  return *row ? std::string(select->text(0)) : std::string(kFirstVersion);
}

base::Result<void> record_version(storage::Database& database, std::string_view version, base::Timestamp now) {
  if (auto ready = storage::migrate(database, "program", kProgramSteps); !ready) return ready;
  auto done = database.run(
      "INSERT INTO program(version, since) SELECT ?, ? WHERE "
      "coalesce((SELECT version FROM program ORDER BY id DESC LIMIT 1), '') <> ?",
      version, now.time_since_epoch().count(), version);
  if (!done) return std::unexpected(std::move(done.error()));
  return {};
}

}  // namespace hearth::app
