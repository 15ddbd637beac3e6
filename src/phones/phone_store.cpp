// SPDX-License-Identifier: Apache-2.0
#include "phones/phone_store.h"

#include <array>

namespace hearth::phones {
namespace {

using base::Result;

constexpr std::array<std::string_view, 1> kPhoneSteps{R"(
  CREATE TABLE phone_secrets(
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY(kind, id)
  ) STRICT, WITHOUT ROWID;
)"};

}  // namespace

storage::Schema PhoneStore::schema() {
  return {"phones", kPhoneSteps};
}

Result<void> PhoneStore::open(const std::filesystem::path& file) {
  // A phone that has its answer must be known after a power failure.
  auto database = storage::Database::open(file, storage::Durability::full);
  if (!database) return std::unexpected(std::move(database.error()));
  database_.emplace(std::move(*database));
  return storage::migrate(*database_, "phones", kPhoneSteps);
}

Result<std::vector<StoredRow>> PhoneStore::read() {
  auto select = database_->prepare("SELECT kind, id, value FROM phone_secrets");
  if (!select) return std::unexpected(std::move(select.error()));
  std::vector<StoredRow> rows;
  auto done = select->for_each([&](const storage::Statement& row) {
    rows.push_back({std::string(row.text(0)), std::string(row.text(1)), std::string(row.text(2))});
  });
  if (!done) return std::unexpected(std::move(done.error()));
  return rows;
}

Result<void> PhoneStore::save(const StoredRow& row) {
  auto done = database_->run(
      "INSERT INTO phone_secrets(kind, id, value) VALUES(?, ?, ?) "
      "ON CONFLICT(kind, id) DO UPDATE SET value = excluded.value",
      row.kind, row.id, row.value);
  if (!done) return std::unexpected(std::move(done.error()));
  return {};
}

Result<void> PhoneStore::remove(std::string_view kind, std::string_view id) {
  auto done = database_->run("DELETE FROM phone_secrets WHERE kind = ? AND id = ?", kind, id);
  if (!done) return std::unexpected(std::move(done.error()));
  return {};
}

}  // namespace hearth::phones
