// SPDX-License-Identifier: Apache-2.0
#include "auth/accounts/account_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "auth/accounts/account_schema.h"
#include "auth/accounts/stored_policy.h"
#include "storage/migrate.h"

namespace hearth::auth {
namespace {

using base::Result;
using storage::Database;
using storage::Statement;
using storage::Transaction;

Result<std::int64_t> revision(Database& database) {
  auto select = database.prepare("SELECT ifnull(max(revision), 0) FROM account_changes");
  if (!select) return std::unexpected(std::move(select.error()));
  if (auto row = select->step(); !row) return std::unexpected(std::move(row.error()));
  return select->integer(0);
}

using Users = std::map<std::string, std::shared_ptr<const User>, std::less<>>;

TokenHash read_hash(const Statement& row, int column) {
  TokenHash hash;
  std::ranges::copy_n(row.blob(column).begin(), static_cast<std::ptrdiff_t>(hash.size()), hash.begin());
  return hash;
}

Result<Users> read_active_users(Database& database) {
  auto select = database.prepare(
      "SELECT id, name, role, created_at, display_name, id IS (SELECT first.id FROM users AS first "
      "WHERE first.role = 'administrator' ORDER BY first.created_at, first.id LIMIT 1), rights, "
      "EXISTS(SELECT 1 FROM totp_secrets WHERE user_id = users.id), iif(role = 'administrator', NULL, ends_at) "
      "FROM users WHERE active = 1");
  if (!select) return std::unexpected(std::move(select.error()));
  Users users;
  auto read = select->for_each([&](const Statement& row) {
    std::string id(row.text(0));
    auto user = std::make_shared<const User>(User{row.text(0), std::string(row.text(1)),
                                                  parse_role(row.text(2)).value_or(Role::reader), true,
                                                  row.timestamp(3), std::string(row.text(4)), row.integer(5) != 0, 0,
                                                  read_policy(row, 6), row.integer(7) != 0, row.optional_timestamp(8)});
    users.emplace(std::move(id), std::move(user));
  });
  if (!read) return std::unexpected(std::move(read.error()));
  return users;
}

// Which rows of a table to read: all, or those of one id.
struct Which {
  std::string_view column;
  const std::string* id = nullptr;
};

Result<void> for_each(Database& database, std::string sql, const Which& which,
                      const std::function<void(const Statement&)>& use) {
  if (which.id) sql += fmt::format(" WHERE {} = ?", which.column);
  auto select = database.prepare(sql);
  if (!select) return std::unexpected(std::move(select.error()));
  return which.id ? select->bind(*which.id).for_each(use) : select->for_each(use);
}

// From a row of user, id, expiry and hash. Nothing outlives the account.
std::optional<KnownToken> read_token(const Statement& row, const Users& users, TokenType type) {
  const auto user = users.find(row.text(0));
  if (user == users.end()) return {};
  auto expires_at = row.optional_timestamp(2);
  const auto& ends_at = user->second->ends_at;
  if (ends_at && (!expires_at || *ends_at < *expires_at)) expires_at = ends_at;
  return KnownToken{read_hash(row, 3), {user->second, std::string(row.text(1)), expires_at, type}};
}

// True unless the token is for viewing the home as its user, and the viewer is no active administrator any more.
bool may_view(const Statement& row, int column, const Users& users) {
  if (row.is_null(column)) return true;
  const auto viewer = users.find(row.text(column));
  return viewer != users.end() && viewer->second->role == Role::administrator;
}

Result<void> read_tokens(Database& database, const Users& users, const std::string* id, KnownAccounts& accounts) {
  // Each hash of a token finds it. Those of one that came from another hub are in a table of their own, too.
  for (const std::string_view sql :
       {"SELECT user_id, id, expires_at, hash, scope, rights, viewer_id FROM tokens",
        "SELECT user_id, id, expires_at, token_hashes.hash, scope, rights, viewer_id FROM tokens "
        "JOIN token_hashes ON token_id = id"}) {
    auto read = for_each(database, std::string(sql), {"id", id}, [&](const Statement& row) {
      auto token = read_token(row, users, TokenType::long_lived_access_token);
      if (!token || !may_view(row, 6, users)) return;
      token->identity.rights = read_token_rights(row, 4);
      accounts.tokens.push_back(std::move(*token));
    });
    if (!read) return read;
  }
  return {};
}

Result<void> read_sessions(Database& database, const Users& users, const std::string* id, KnownAccounts& accounts) {
  auto sessions =
      for_each(database, "SELECT user_id, id, expires_at, hash FROM sessions", {"id", id}, [&](const Statement& row) {
        accounts.refresh_tokens.push_back({read_hash(row, 3), std::string(row.text(1))});
        auto session = read_token(row, users, TokenType::normal);
        if (session) accounts.sessions.push_back(std::move(session->identity));
      });
  if (!sessions) return sessions;
  auto former = for_each(
      database, "SELECT session_id, hash FROM former_refresh_tokens", {"session_id", id},
      [&](const Statement& row) { accounts.refresh_tokens.push_back({read_hash(row, 1), std::string(row.text(0))}); });
  if (!former) return former;
  return for_each(database,
                  "SELECT user_id, id, access_tokens.expires_at, access_tokens.hash FROM access_tokens "
                  "JOIN sessions ON sessions.id = session_id",
                  {"session_id", id}, [&](const Statement& row) {
                    auto token = read_token(row, users, TokenType::normal);
                    if (!token) return;
                    token->identity.access_token = token->hash;
                    accounts.tokens.push_back(std::move(*token));
                  });
}

}  // namespace

Result<AccountLoader> AccountLoader::open(const std::filesystem::path& file) {
  auto database = Database::open(file);
  if (!database) return std::unexpected(std::move(database.error()));
  if (auto ready = storage::migrate(*database, "auth", kAccountSteps); !ready)
    return std::unexpected(std::move(ready.error()));
  return AccountLoader(std::move(*database));
}

Result<KnownAccounts> AccountLoader::read_everything() {
  KnownAccounts accounts;
  auto count = database_.prepare("SELECT EXISTS(SELECT 1 FROM users), EXISTS(SELECT 1 FROM passkeys WHERE closed = 0)");
  if (!count) return std::unexpected(std::move(count.error()));
  if (auto row = count->step(); !row) return std::unexpected(std::move(row.error()));
  accounts.any_users = count->integer(0) != 0;
  accounts.any_passkeys = count->integer(1) != 0;
  auto users = read_active_users(database_);
  if (!users) return std::unexpected(std::move(users.error()));
  if (auto read = read_tokens(database_, *users, nullptr, accounts); !read) return std::unexpected(read.error());
  if (auto read = read_sessions(database_, *users, nullptr, accounts); !read) return std::unexpected(read.error());
  users_ = std::move(*users);
  return accounts;
}

Result<KnownAccounts> AccountLoader::read_changes(std::int64_t after) {
  std::set<std::string> tokens, sessions;
  bool everything = false;
  std::int64_t first = 0;
  {
    auto select =
        database_.prepare("SELECT revision, kind, id FROM account_changes WHERE revision > ? ORDER BY revision");
    if (!select) return std::unexpected(std::move(select.error()));
    auto read = select->bind(after).for_each([&](const Statement& row) {
      if (first == 0) first = row.integer(0);
      if (row.text(1) == "user") everything = true;
      (row.text(1) == "token" ? tokens : sessions).emplace(row.text(2));
    });
    if (!read) return std::unexpected(std::move(read.error()));
  }
  // A change of one user may make another the owner; changes before the first row are no longer known.
  if (everything || first != after + 1) return read_everything();
  KnownAccounts accounts{.everything = false, .any_users = true};
  for (const std::string& id : tokens) {
    if (auto read = read_tokens(database_, users_, &id, accounts); !read) return std::unexpected(read.error());
  }
  for (const std::string& id : sessions) {
    if (auto read = read_sessions(database_, users_, &id, accounts); !read) return std::unexpected(read.error());
  }
  accounts.ids.assign(tokens.begin(), tokens.end());
  accounts.ids.insert(accounts.ids.end(), sessions.begin(), sessions.end());
  return accounts;
}

Result<std::optional<KnownAccounts>> AccountLoader::load_if_changed() {
  // Read before the tables: a later commit is found the next time.
  const auto version = database_.data_version();
  if (!version) return std::unexpected(version.error());
  if (seen_version_ == *version) return std::nullopt;

  auto moment = Transaction::begin(database_, Transaction::Kind::read);
  if (!moment) return std::unexpected(std::move(moment.error()));
  const auto current = revision(database_);
  if (!current) return std::unexpected(current.error());
  std::optional<KnownAccounts> loaded;
  if (seen_revision_ != *current) {
    auto accounts = seen_revision_ ? read_changes(*seen_revision_) : read_everything();
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
    // The id is either a token's or a session's; the other statement changes no row.
    for (auto* statement : {&*upsert, &*update}) {
      if (auto done = statement->bind(use.used_at, use.used_from, use.token_id).run(); !done) return done;
    }
  }
  return transaction->commit();
}

}  // namespace hearth::auth
