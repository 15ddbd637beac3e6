// SPDX-License-Identifier: Apache-2.0
#include "app/connections/connection_store.h"

#include <array>
#include <map>

#include "base/log/log.h"
#include "base/text/timestamp.h"

namespace hearth::app {
namespace {

using base::Result;

// `made` and `changed` are RFC 3339; data and options are JSON objects.
constexpr std::array<std::string_view, 1> kConnectionSteps{R"(
  CREATE TABLE connections(
    entry_id TEXT PRIMARY KEY,
    domain TEXT NOT NULL,
    unique_id TEXT NOT NULL,
    title TEXT NOT NULL,
    source TEXT NOT NULL,
    data TEXT NOT NULL,
    options TEXT NOT NULL,
    disabled INTEGER NOT NULL,
    made TEXT NOT NULL,
    changed TEXT NOT NULL,
    UNIQUE(domain, unique_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE connection_secrets(
    entry_id TEXT NOT NULL,
    name TEXT NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY(entry_id, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE ignored_connections(
    domain TEXT NOT NULL,
    unique_id TEXT NOT NULL,
    title TEXT NOT NULL,
    PRIMARY KEY(domain, unique_id)
  ) STRICT, WITHOUT ROWID;
)"};

std::string text_of(storage::Blob bytes) {
  return {bytes.begin(), bytes.end()};
}

storage::Blob blob_of(std::string_view bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

Result<json::object> object_in(std::string_view text) {
  auto parsed = base::parse_json(text);
  if (!parsed) return std::unexpected(std::move(parsed.error()));
  if (!parsed->is_object()) return base::fail(base::ErrorCode::invalid, "not an object");
  return std::move(parsed->get_object());
}

Result<core::Connection> connection_in(const storage::Statement& row) {
  core::Connection connection{.entry_id = std::string(row.text(0)),
                              .domain = std::string(row.text(1)),
                              .title = std::string(row.text(3)),
                              .unique_id = std::string(row.text(2)),
                              .disabled = row.integer(7) != 0};
  const auto source = core::parse_connection_source(row.text(4));
  if (!source) return base::fail(base::ErrorCode::invalid, "its source is unknown");
  connection.source = *source;
  for (const auto& [column, to] : {std::pair(5, &connection.data), std::pair(6, &connection.options)}) {
    auto object = object_in(row.text(column));
    if (!object) return std::unexpected(std::move(object.error()));
    *to = std::move(*object);
  }
  for (const auto& [column, to] : {std::pair(8, &connection.created_at), std::pair(9, &connection.modified_at)}) {
    const auto time = base::parse_timestamp(row.text(column));
    if (!time) return std::unexpected(time.error());
    *to = *time;
  }
  return connection;
}

}  // namespace

storage::Schema ConnectionStore::schema() {
  return {"connections", kConnectionSteps};
}

Result<void> ConnectionStore::open(const std::filesystem::path& file) {
  // An acknowledged connection must survive a power failure.
  auto database = storage::Database::open(file, storage::Durability::full);
  if (!database) return std::unexpected(std::move(database.error()));
  database_.emplace(std::move(*database));
  return storage::migrate(*database_, "connections", kConnectionSteps);
}

Result<std::vector<StoredConnection>> ConnectionStore::read() {
  std::map<std::string, core::Secrets, std::less<>> secrets;
  auto select = database_->prepare("SELECT entry_id, name, value FROM connection_secrets");
  if (!select) return std::unexpected(std::move(select.error()));
  auto done = select->for_each([&](const storage::Statement& row) {
    secrets[std::string(row.text(0))].emplace(row.text(1), core::Secret(text_of(row.blob(2))));
  });
  if (!done) return std::unexpected(std::move(done.error()));
  auto rows = database_->prepare(
      "SELECT entry_id, domain, unique_id, title, source, data, options, disabled, made, changed FROM connections "
      "ORDER BY made, entry_id");
  if (!rows) return std::unexpected(std::move(rows.error()));
  std::vector<StoredConnection> all;
  done = rows->for_each([&](const storage::Statement& row) {
    auto connection = connection_in(row);
    if (!connection) {
      base::log_warning("integrations", "the stored connection {} of {} is left out: {}", row.text(3), row.text(1),
                        connection.error().message);
      return;
    }
    StoredConnection stored{std::move(*connection)};
    if (const auto found = secrets.find(stored.connection.entry_id); found != secrets.end())
      stored.secrets = found->second;
    all.push_back(std::move(stored));
  });
  if (!done) return std::unexpected(std::move(done.error()));
  return all;
}

Result<ConnectionStore::Ignored> ConnectionStore::read_ignored() {
  auto select = database_->prepare("SELECT domain, unique_id, title FROM ignored_connections");
  if (!select) return std::unexpected(std::move(select.error()));
  Ignored ignored;
  auto done = select->for_each([&](const storage::Statement& row) {
    ignored.emplace(std::pair<std::string, std::string>(row.text(0), row.text(1)), row.text(2));
  });
  if (!done) return std::unexpected(std::move(done.error()));
  return ignored;
}

Result<void> ConnectionStore::save(const core::Connection& connection, const core::Secrets* secrets) {
  auto transaction = storage::Transaction::begin(*database_, storage::Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  // A row of the file that has left the file makes room for a page's.
  auto done = database_->run("DELETE FROM connections WHERE domain = ? AND unique_id = ? AND entry_id <> ?",
                             connection.domain, connection.unique_id, connection.entry_id);
  if (!done) return std::unexpected(std::move(done.error()));
  done = database_->run(
      "INSERT INTO connections(entry_id, domain, unique_id, title, source, data, options, disabled, made, changed) "
      "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(entry_id) DO UPDATE SET title = excluded.title, "
      "data = excluded.data, options = excluded.options, disabled = excluded.disabled, changed = excluded.changed",
      connection.entry_id, connection.domain, connection.unique_id, connection.title, to_string(connection.source),
      base::to_json(connection.data), base::to_json(connection.options), std::int64_t{connection.disabled},
      base::to_string(connection.created_at), base::to_string(connection.modified_at));
  if (!done) return std::unexpected(std::move(done.error()));
  if (secrets) {
    done = database_->run("DELETE FROM connection_secrets WHERE entry_id = ?", connection.entry_id);
    if (!done) return std::unexpected(std::move(done.error()));
    auto insert = database_->prepare("INSERT INTO connection_secrets(entry_id, name, value) VALUES(?, ?, ?)");
    if (!insert) return std::unexpected(std::move(insert.error()));
    for (const auto& [name, secret] : *secrets) {
      auto written = insert->bind(connection.entry_id, name, blob_of(secret.reveal())).run();
      if (!written) return written;
    }
  }
  return transaction->commit();
}

Result<void> ConnectionStore::remove(const std::string& entry_id) {
  auto transaction = storage::Transaction::begin(*database_, storage::Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  for (const char* const sql :
       {"DELETE FROM connection_secrets WHERE entry_id = ?", "DELETE FROM connections WHERE entry_id = ?"}) {
    if (auto done = database_->run(sql, entry_id); !done) return std::unexpected(std::move(done.error()));
  }
  return transaction->commit();
}

Result<void> ConnectionStore::ignore(const std::string& domain, const std::string& unique_id,
                                     const std::string& title) {
  auto done = database_->run(
      "INSERT INTO ignored_connections(domain, unique_id, title) VALUES(?, ?, ?) "
      "ON CONFLICT(domain, unique_id) DO UPDATE SET title = excluded.title",
      domain, unique_id, title);
  if (!done) return std::unexpected(std::move(done.error()));
  return {};
}

Result<void> ConnectionStore::heed(const std::string& domain, const std::string& unique_id) {
  auto done = database_->run("DELETE FROM ignored_connections WHERE domain = ? AND unique_id = ?", domain, unique_id);
  if (!done) return std::unexpected(std::move(done.error()));
  return {};
}

}  // namespace hearth::app
