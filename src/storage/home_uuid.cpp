// SPDX-License-Identifier: Apache-2.0
#include "storage/home_uuid.h"

#include <array>

namespace hearth::storage {
namespace {

// The operating system seeds SQLite's randomblob.
constexpr std::array<std::string_view, 1> kSteps{R"(
  CREATE TABLE home(uuid TEXT NOT NULL) STRICT;
  INSERT INTO home(uuid) VALUES(lower(hex(randomblob(16))));
)"};

}  // namespace

Schema home_uuid_schema() {
  return {"home", kSteps};
}

base::Result<std::string> home_uuid(Database& database) {
  if (auto ready = migrate(database, "home", kSteps); !ready) return std::unexpected(std::move(ready.error()));
  // A repaired file may have lost the uuid.
  auto made = database.execute(
      "INSERT INTO home(uuid) SELECT lower(hex(randomblob(16))) WHERE NOT EXISTS (SELECT 1 FROM home)");
  if (!made) return std::unexpected(std::move(made.error()));
  auto select = database.prepare("SELECT uuid FROM home");
  if (!select) return std::unexpected(std::move(select.error()));
  const auto row = select->step();
  if (!row) return std::unexpected(row.error());
  return std::string(select->text(0));
}

}  // namespace hearth::storage
