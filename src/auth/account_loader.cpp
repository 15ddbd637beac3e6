// SPDX-License-Identifier: Apache-2.0
#include "auth/account_loader.h"

#include <algorithm>
#include <map>

#include "auth/account_schema.h"
#include "storage/migrate.h"

namespace hearth::auth {
namespace {

using base::Result;
using storage::Database;
using storage::Statement;
using storage::Transaction;

Result<std::int64_t> revision(Database& database) {
  auto select = database.prepare("SELECT revision FROM account_revision");
  if (!select) return std::unexpected(std::move(select.error()));
  if (auto row = select->step(); !row) return std::unexpected(std::move(row.error()));
  return select->integer(0);
}

using Users = std::map<std::string, std::shared_ptr<const User>, std::less<>>;

Result<Users> read_active_users(Database& database) {
  auto select = database.prepare(
      "SELECT id, name, role, created_at, display_name, id IS (SELECT first.id FROM users AS first "
      "WHERE first.role = 'administrator' ORDER BY first.created_at, first.id LIMIT 1) FROM users WHERE active = 1");
  if (!select) return std::unexpected(std::move(select.error()));
  Users users;
  auto read = select->for_each([&](const Statement& row) {
    std::string id(row.text(0));
    auto user = std::make_shared<const User>(User{row.text(0), std::string(row.text(1)),
                                                  parse_role(row.text(2)).value_or(Role::reader), true,
                                                  row.timestamp(3), std::string(row.text(4)), row.integer(5) != 0});
    users.emplace(std::move(id), std::move(user));
  });
  if (!read) return std::unexpected(std::move(read.error()));
  return users;
}

Result<void> read_tokens(Database& database, const Users& users, KnownAccounts& accounts) {
  auto select = database.prepare(
      "SELECT user_id, id, expires_at, hash, 0 FROM tokens UNION ALL "
      "SELECT user_id, id, access_tokens.expires_at, access_tokens.hash, 1 FROM access_tokens "
      "JOIN sessions ON sessions.id = session_id");
  if (!select) return std::unexpected(std::move(select.error()));
  return select->for_each([&](const Statement& row) {
    const auto user = users.find(row.text(0));
    if (user == users.end()) return;
    const TokenType type = row.integer(4) != 0 ? TokenType::normal : TokenType::long_lived_access_token;
    KnownToken token{{}, {user->second, std::string(row.text(1)), row.optional_timestamp(2), type}};
    std::ranges::copy_n(row.blob(3).begin(), static_cast<std::ptrdiff_t>(token.hash.size()), token.hash.begin());
    if (type == TokenType::normal) token.identity.access_token = token.hash;
    accounts.tokens.push_back(std::move(token));
  });
}

Result<void> read_sessions(Database& database, const Users& users, KnownAccounts& accounts) {
  auto select = database.prepare("SELECT user_id, id, expires_at FROM sessions");
  if (!select) return std::unexpected(std::move(select.error()));
  return select->for_each([&](const Statement& row) {
    const auto user = users.find(row.text(0));
    if (user == users.end()) return;
    accounts.sessions.push_back({user->second, std::string(row.text(1)), row.timestamp(2), TokenType::normal});
  });
}

Result<KnownAccounts> read_accounts(Database& database) {
  KnownAccounts accounts;
  auto count = database.prepare("SELECT EXISTS(SELECT 1 FROM users)");
  if (!count) return std::unexpected(std::move(count.error()));
  if (auto row = count->step(); !row) return std::unexpected(std::move(row.error()));
  accounts.any_users = count->integer(0) != 0;
  const auto users = read_active_users(database);
  if (!users) return std::unexpected(users.error());
  if (auto read = read_tokens(database, *users, accounts); !read) return std::unexpected(std::move(read.error()));
  if (auto read = read_sessions(database, *users, accounts); !read) return std::unexpected(std::move(read.error()));
  return accounts;
}

}  // namespace

Result<AccountLoader> AccountLoader::open(const std::filesystem::path& file) {
  auto database = Database::open(file);
  if (!database) return std::unexpected(std::move(database.error()));
  if (auto ready = storage::migrate(*database, "auth", kAccountSteps); !ready)
    return std::unexpected(std::move(ready.error()));
  return AccountLoader(std::move(*database));
}

Result<std::optional<KnownAccounts>> AccountLoader::load_if_changed() {
  // Asked before reading: what is committed meanwhile is found the next time.
  const auto version = database_.data_version();
  if (!version) return std::unexpected(version.error());
  if (seen_version_ == *version) return std::nullopt;

  auto moment = Transaction::begin(database_, Transaction::Kind::read);
  if (!moment) return std::unexpected(std::move(moment.error()));
  const auto current = revision(database_);
  if (!current) return std::unexpected(current.error());
  std::optional<KnownAccounts> loaded;
  if (seen_revision_ != *current) {
    auto accounts = read_accounts(database_);
    if (!accounts) return std::unexpected(std::move(accounts.error()));
    loaded = std::move(*accounts);
  }
  seen_version_ = *version;
  seen_revision_ = *current;
  return loaded;
}

Result<void> AccountLoader::note_uses(std::span<const TokenUse> uses) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  auto upsert = database_.prepare(
      "INSERT INTO token_uses(token_id, used_at, used_from) SELECT id, ?, ? FROM tokens WHERE id = ? "
      "ON CONFLICT(token_id) DO UPDATE SET used_at = excluded.used_at, used_from = excluded.used_from");
  if (!upsert) return std::unexpected(std::move(upsert.error()));
  auto update = database_.prepare("UPDATE sessions SET used_at = ?, used_from = ? WHERE id = ?");
  if (!update) return std::unexpected(std::move(update.error()));
  for (const TokenUse& use : uses) {
    // The id is a token's or a session's; the other statement finds none.
    for (auto* statement : {&*upsert, &*update}) {
      if (auto done = statement->bind(use.used_at, use.used_from, use.token_id).run(); !done) return done;
    }
  }
  return transaction->commit();
}

}  // namespace hearth::auth
