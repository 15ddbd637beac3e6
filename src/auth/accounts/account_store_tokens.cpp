// SPDX-License-Identifier: Apache-2.0
// The part of the store for tokens and sessions.
#include <fmt/format.h>

#include <algorithm>

#include "auth/accounts/account_store.h"
#include "auth/accounts/stored_policy.h"
#include "auth/name.h"

namespace hearth::auth {
namespace {

using base::ErrorCode;
using base::Result;
using storage::Statement;
using storage::Transaction;

std::unexpected<base::Error> inactive() {
  return base::fail(ErrorCode::forbidden, "This user is not active.");
}

Result<void> check_token_rights(const User& owner, const core::TokenRights& rights) {
  if (rights.scopes.all() || !rights.scopes.has(core::Scope::admin)) return {};
  if (owner.role != Role::administrator) {
    return base::fail(ErrorCode::invalid,
                      fmt::format("Only an administrator's token can have the scope admin; {} is none.", owner.name));
  }
  if (!rights.policy) return {};
  return base::fail(ErrorCode::invalid,
                    "A token for a part of the home cannot have the scope admin, which reaches all of it.");
}

// Anything may come as a User-Agent: only the printable characters of ASCII are kept.
std::string printable(std::string_view text) {
  std::string kept(text.substr(0, AccountStore::kMaxUserAgent));
  for (char& c : kept) {
    if (c < ' ' || c > '~') c = '?';
  }
  return kept;
}

}  // namespace

Result<std::string> AccountStore::create_token(std::string_view user, std::string_view name,
                                               std::optional<std::chrono::days> lifetime,
                                               std::optional<std::string_view> icon, const core::TokenRights& rights) {
  if (auto good = check_name("A token's name", name); !good) return std::unexpected(std::move(good.error()));
  if (lifetime && (*lifetime < std::chrono::days(1) || *lifetime > kMaxTokenLife)) {
    return base::fail(ErrorCode::invalid,
                      fmt::format("A token lives for 1 to {} days, or for ever.", kMaxTokenLife.count()));
  }
  if (icon) {
    if (auto good = check_name("A token's icon", *icon); !good) return std::unexpected(std::move(good.error()));
  }
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  const auto owner = find_user(user);
  if (!owner) return std::unexpected(owner.error());
  if (auto fits = check_token_fits(*owner); !fits) return std::unexpected(std::move(fits.error()));
  if (auto good = check_token_rights(*owner, rights); !good) return std::unexpected(std::move(good.error()));
  const base::Timestamp now = clock_->now();
  const auto expires_at = lifetime ? std::optional<base::Timestamp>(now + *lifetime) : std::nullopt;
  std::string text = make_token();
  const auto added = database_.run(
      "INSERT INTO tokens(id, user_id, name, hash, created_at, expires_at, icon, scope, rights) "
      "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
      make_id(), owner->id, name, storage::Blob(hash_token(text)), now, expires_at, icon, rights.scopes.text(),
      policy_text(rights.policy));
  if (!added && added.error().code == ErrorCode::conflict) {
    return base::fail(ErrorCode::conflict,
                      fmt::format("{} has a token named {} already; revoke it first.", owner->name, name));
  }
  if (!added) return std::unexpected(added.error());
  if (auto done = transaction->commit(); !done) return std::unexpected(std::move(done.error()));
  return text;
}

Result<std::string> AccountStore::create_view_token(std::string_view viewer_id, std::string_view user_id) {
  static const std::vector<std::string> kViewScopes{"read", "history", "template"};
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  const auto viewer = find_user_by_id(viewer_id);
  if (!viewer) return std::unexpected(viewer.error());
  const auto user = find_user_by_id(user_id);
  if (!user) return std::unexpected(user.error());
  if (!user->may_enter(clock_->now())) return inactive();
  if (auto former = database_.run("DELETE FROM tokens WHERE viewer_id = ?", viewer->id); !former)
    return std::unexpected(former.error());
  const std::string id = make_id();
  const base::Timestamp now = clock_->now();
  std::string text = make_token();
  // The id makes it another name than all that people give.
  const auto added = database_.run(
      "INSERT INTO tokens(id, user_id, name, hash, created_at, expires_at, scope, viewer_id) "
      "VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
      id, user->id, fmt::format("Seen by {} ({})", viewer->name, id), storage::Blob(hash_token(text)), now,
      now + kViewLife, core::Scopes::parse(kViewScopes).value().text(), viewer->id);
  if (!added) return std::unexpected(added.error());
  if (auto done = transaction->commit(); !done) return std::unexpected(std::move(done.error()));
  return text;
}

// An expired token counts until it is revoked: its user still sees it.
Result<void> AccountStore::check_token_fits(const User& user) {
  auto count = database_.prepare("SELECT count(*) FROM tokens WHERE user_id = ? AND viewer_id IS NULL");
  if (!count) return std::unexpected(std::move(count.error()));
  if (auto row = count->bind(user.id).step(); !row) return std::unexpected(std::move(row.error()));
  if (static_cast<std::size_t>(count->integer(0)) < limits_.tokens) return {};
  return base::fail(ErrorCode::invalid, fmt::format("{} has {} tokens already, the most that a user may have "
                                                    "(tokens_per_user); revoke one first.",
                                                    user.name, count->integer(0)));
}

Result<std::vector<Token>> AccountStore::tokens(std::string_view user) {
  const auto owner = find_user(user);
  if (!owner) return std::unexpected(owner.error());
  auto select = database_.prepare(
      "SELECT id, name, created_at, expires_at, used_at, used_from, scope, rights FROM tokens "
      "LEFT JOIN token_uses ON token_id = id WHERE user_id = ? ORDER BY name");
  if (!select) return std::unexpected(std::move(select.error()));
  std::vector<Token> list;
  auto read = select->bind(owner->id).for_each([&](const Statement& row) {
    list.push_back({std::string(row.text(0)), std::string(row.text(1)), row.timestamp(2), row.optional_timestamp(3),
                    row.optional_timestamp(4), std::string(row.text(5)), read_token_rights(row, 6)});
  });
  if (!read) return std::unexpected(std::move(read.error()));
  return list;
}

Result<void> AccountStore::revoke_token(std::string_view user, std::string_view name) {
  if (auto good = check_name("A token's name", name); !good) return good;
  const auto owner = find_user(user);
  if (!owner) return std::unexpected(owner.error());
  const auto deleted = database_.run("DELETE FROM tokens WHERE user_id = ? AND name = ?", owner->id, name);
  if (!deleted) return std::unexpected(deleted.error());
  if (*deleted == 0) {
    return base::fail(ErrorCode::not_found, fmt::format("{} has no token named {}.", owner->name, name));
  }
  return {};
}

Result<IssuedTokens> AccountStore::create_session(std::string_view user_id, std::string_view client_id,
                                                  std::string_view address,
                                                  std::optional<std::int64_t> password_version,
                                                  std::string_view user_agent) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  const auto user = find_user_by_id(user_id);
  if (!user) return std::unexpected(user.error());
  if (!user->may_enter(clock_->now())) return inactive();
  if (password_version && *password_version != user->password_version) {
    return base::fail(ErrorCode::invalid, "The password was changed after this login.");
  }
  const auto ended = database_.run(
      "DELETE FROM sessions WHERE id IN "
      "(SELECT id FROM sessions WHERE user_id = ? ORDER BY used_at DESC, created_at DESC, id LIMIT -1 OFFSET ?)",
      user_id, static_cast<std::int64_t>(limits_.sessions - 1));
  if (!ended) return std::unexpected(ended.error());
  IssuedTokens issued{make_id(), make_token(), {}};
  const base::Timestamp now = clock_->now();
  const auto added = database_.run(
      "INSERT INTO sessions(id, user_id, client_id, hash, created_at, expires_at, used_at, used_from, user_agent) "
      "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
      issued.session_id, user_id, client_id, storage::Blob(hash_token(issued.refresh_token)), now, now + kSessionLife,
      now, address, printable(user_agent));
  if (!added) return std::unexpected(added.error());
  const auto logged_in =
      database_.run("UPDATE users SET previous_login_at = login_at, login_at = ? WHERE id = ?", now, user_id);
  if (!logged_in) return std::unexpected(logged_in.error());
  auto access = add_access_token(issued.session_id);
  if (!access) return std::unexpected(std::move(access.error()));
  issued.access_token = std::move(*access);
  if (auto done = transaction->commit(); !done) return std::unexpected(std::move(done.error()));
  return issued;
}

Result<IssuedTokens> AccountStore::refresh_session(std::string_view refresh_token, std::string_view client_id,
                                                   std::string_view address, std::string_view user_agent, bool rotate,
                                                   std::optional<EndedSession>* reused) {
  const base::Timestamp now = clock_->now();
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  IssuedTokens issued;
  bool is_former = false;
  {
    auto select = database_.prepare(
        "SELECT sessions.id, client_id, active AND (role = 'administrator' OR ends_at IS NULL OR ends_at > ?2), "
        "former.replaced_at, user_id FROM sessions JOIN users ON users.id = user_id "
        "LEFT JOIN former_refresh_tokens AS former ON former.session_id = sessions.id AND former.hash = ?1 "
        "WHERE expires_at > ?2 AND sessions.id IN (SELECT id FROM sessions WHERE hash = ?1 "
        "UNION ALL SELECT session_id FROM former_refresh_tokens WHERE hash = ?1)");
    if (!select) return std::unexpected(std::move(select.error()));
    const auto row = select->bind(storage::Blob(hash_token(refresh_token)), now).step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return base::fail(ErrorCode::invalid, std::string(kUnknownRefreshToken));
    const auto replaced = select->optional_timestamp(3);
    is_former = replaced.has_value();
    if (replaced && now - *replaced > kRotationGrace) {
      if (reused) reused->emplace(std::string(select->text(0)), std::string(select->text(4)));
      const auto ended = database_.run("DELETE FROM sessions WHERE id = ?", select->text(0));
      if (!ended) return std::unexpected(ended.error());
      if (auto done = transaction->commit(); !done) return std::unexpected(std::move(done.error()));
      return base::fail(ErrorCode::invalid,
                        "This refresh token was replaced, and then used again: its session has ended.");
    }
    if (select->text(1) != client_id) {
      return base::fail(ErrorCode::invalid, "This refresh token belongs to another client.");
    }
    if (select->integer(2) == 0) return inactive();
    issued.session_id = select->text(0);
  }
  const auto used = database_.run(
      "UPDATE sessions SET expires_at = ?1, used_at = ?2, used_from = ?3, "
      "user_agent = ifnull(nullif(?4, ''), user_agent) WHERE id = ?5",
      now + kSessionLife, now, address, printable(user_agent), issued.session_id);
  if (!used) return std::unexpected(used.error());
  if (rotate) {
    auto next = next_refresh_token(issued.session_id, refresh_token, is_former);
    if (!next) return std::unexpected(std::move(next.error()));
    issued.refresh_token = std::move(*next);
  }
  auto access = add_access_token(issued.session_id);
  if (!access) return std::unexpected(std::move(access.error()));
  issued.access_token = std::move(*access);
  if (auto done = transaction->commit(); !done) return std::unexpected(std::move(done.error()));
  return issued;
}

// Each token is made of the one before and a key that dies with the process, so that asking again with a former one
// gives the same. REQUIRES: a transaction.
Result<std::string> AccountStore::next_refresh_token(std::string_view session_id, std::string_view refresh_token,
                                                     bool is_former) {
  auto select = database_.prepare("SELECT hash FROM sessions WHERE id = ?");
  if (!select) return std::unexpected(std::move(select.error()));
  if (auto row = select->bind(session_id).step(); !row) return std::unexpected(std::move(row.error()));
  TokenHash current;
  std::ranges::copy_n(select->blob(0).begin(), static_cast<std::ptrdiff_t>(current.size()), current.begin());

  std::string next = successor_of_token(refresh_token);
  if (is_former) {
    std::string later = next;
    for (int i = 0; i < kMaxFormerTokens; ++i, later = successor_of_token(later)) {
      if (hash_token(later) == current) return later;
    }
    // Rows that were made before a restart.
    next = make_token();
  }
  const auto kept =
      database_.run("INSERT OR REPLACE INTO former_refresh_tokens(hash, session_id, replaced_at) VALUES(?, ?, ?)",
                    storage::Blob(current), session_id, clock_->now());
  if (!kept) return std::unexpected(kept.error());
  const auto replaced =
      database_.run("UPDATE sessions SET hash = ? WHERE id = ?", storage::Blob(hash_token(next)), session_id);
  if (!replaced) return std::unexpected(replaced.error());
  const auto forgotten = database_.run(
      "DELETE FROM former_refresh_tokens WHERE session_id = ?1 AND hash IN (SELECT hash FROM former_refresh_tokens "
      "WHERE session_id = ?1 ORDER BY replaced_at DESC LIMIT -1 OFFSET ?2)",
      session_id, kMaxFormerTokens);
  if (!forgotten) return std::unexpected(forgotten.error());
  return next;
}

Result<std::string> AccountStore::add_access_token(std::string_view session_id) {
  const base::Timestamp now = clock_->now();
  const auto deleted = database_.run(
      "DELETE FROM access_tokens WHERE session_id = ?1 AND (expires_at <= ?2 OR hash IN (SELECT hash FROM "
      "access_tokens WHERE session_id = ?1 ORDER BY expires_at DESC LIMIT -1 OFFSET ?3))",
      session_id, now, kMaxAccessTokens - 1);
  if (!deleted) return std::unexpected(deleted.error());
  std::string text = make_token();
  const auto added = database_.run("INSERT INTO access_tokens(hash, session_id, expires_at) VALUES(?, ?, ?)",
                                   storage::Blob(hash_token(text)), session_id, now + kAccessTokenLife);
  if (!added) return std::unexpected(added.error());
  return text;
}

Result<std::optional<AccountStore::EndedSession>> AccountStore::end_session(std::string_view refresh_token) {
  auto remove = database_.prepare(
      "DELETE FROM sessions WHERE hash = ?1 OR id IN (SELECT session_id FROM former_refresh_tokens WHERE hash = ?1) "
      "RETURNING id, user_id");
  if (!remove) return std::unexpected(std::move(remove.error()));
  std::optional<EndedSession> ended;
  const auto removed = remove->bind(storage::Blob(hash_token(refresh_token))).for_each([&](const Statement& row) {
    ended = EndedSession{std::string(row.text(0)), std::string(row.text(1))};
  });
  if (!removed) return std::unexpected(removed.error());
  return ended;
}

Result<std::vector<RefreshToken>> AccountStore::refresh_tokens(std::string_view user_id) {
  if (const auto user = find_user_by_id(user_id); !user) return std::unexpected(user.error());
  auto select = database_.prepare(
      "SELECT id, 1, client_id, NULL, NULL, created_at AS created, expires_at, used_at, used_from, user_agent, 'all', "
      "NULL FROM sessions WHERE user_id = ?1 AND expires_at > ?2 "
      "UNION ALL SELECT id, 0, NULL, name, icon, created_at, expires_at, used_at, ifnull(used_from, ''), '', "
      "scope, rights FROM tokens LEFT JOIN token_uses ON token_id = id WHERE user_id = ?1 ORDER BY created, id");
  if (!select) return std::unexpected(std::move(select.error()));
  std::vector<RefreshToken> list;
  auto read = select->bind(user_id, clock_->now()).for_each([&](const Statement& row) {
    list.push_back({std::string(row.text(0)),
                    row.integer(1) != 0 ? TokenType::normal : TokenType::long_lived_access_token,
                    row.optional_string(2), row.optional_string(3), row.optional_string(4), row.timestamp(5),
                    row.optional_timestamp(6), row.optional_timestamp(7), std::string(row.text(8)),
                    std::string(row.text(9)), read_token_rights(row, 10)});
  });
  if (!read) return std::unexpected(std::move(read.error()));
  return list;
}

Result<void> AccountStore::delete_refresh_token(std::string_view user_id, std::string_view token_id) {
  for (const std::string_view sql :
       {"DELETE FROM sessions WHERE user_id = ? AND id = ?", "DELETE FROM tokens WHERE user_id = ? AND id = ?"}) {
    const auto deleted = database_.run(sql, user_id, token_id);
    if (!deleted) return std::unexpected(deleted.error());
    if (*deleted > 0) return {};
  }
  return base::fail(ErrorCode::not_found, "There is no such refresh token.");
}

Result<void> AccountStore::delete_refresh_tokens(std::string_view user_id, std::optional<TokenType> type,
                                                 std::string_view kept_token_id) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  for (const TokenType each : {TokenType::normal, TokenType::long_lived_access_token}) {
    if (type.value_or(each) != each) continue;
    if (auto deleted = delete_all(user_id, each, kept_token_id); !deleted) return deleted;
  }
  return transaction->commit();
}

Result<void> AccountStore::delete_all(std::string_view user_id, TokenType type, std::string_view kept_token_id) {
  const auto deleted = database_.run(type == TokenType::normal ? "DELETE FROM sessions WHERE user_id = ? AND id <> ?"
                                                               : "DELETE FROM tokens WHERE user_id = ? AND id <> ?",
                                     user_id, kept_token_id);
  if (!deleted) return std::unexpected(deleted.error());
  return {};
}

Result<void> AccountStore::purge_expired() {
  for (const std::string_view sql :
       {"DELETE FROM access_tokens WHERE expires_at <= ?", "DELETE FROM sessions WHERE expires_at <= ?",
        "DELETE FROM tokens WHERE viewer_id IS NOT NULL AND expires_at <= ?"}) {
    if (auto deleted = database_.run(sql, clock_->now()); !deleted) return std::unexpected(std::move(deleted.error()));
  }
  const auto forgotten =
      database_.run("DELETE FROM invitations WHERE expires_at <= ?", clock_->now() - kInvitationKept);
  if (!forgotten) return std::unexpected(forgotten.error());
  return {};
}

Result<std::vector<AccountStore::KnownPlace>> AccountStore::known_places() {
  auto select = database_.prepare(
      "SELECT folded_name, used_from FROM sessions JOIN users ON users.id = user_id "
      "UNION SELECT folded_name, used_from FROM token_uses JOIN tokens ON tokens.id = token_id "
      "JOIN users ON users.id = user_id");
  if (!select) return std::unexpected(std::move(select.error()));
  std::vector<KnownPlace> places;
  auto read = select->for_each(
      [&](const Statement& row) { places.push_back({std::string(row.text(0)), std::string(row.text(1))}); });
  if (!read) return std::unexpected(std::move(read.error()));
  return places;
}

}  // namespace hearth::auth
