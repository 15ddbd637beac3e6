// SPDX-License-Identifier: Apache-2.0
#include "auth/accounts/account_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <set>

#include "auth/accounts/account_store.h"
#include "auth/accounts/stored_policy.h"
#include "auth/bcrypt.h"
#include "auth/login_client.h"
#include "auth/name.h"
#include "base/text/utf8.h"

namespace hearth::auth {
namespace {

using base::ErrorCode;
using base::Result;
using storage::Blob;

std::unexpected<base::Error> refused(std::string why) {
  return base::fail(ErrorCode::invalid, std::move(why));
}

Result<void> check_id(std::string_view what, std::string_view id) {
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  if (id.size() == 32 && std::ranges::all_of(id, is_hex)) return {};
  return refused(fmt::format("{}: expected an id of 32 hexadecimal digits in lower case.", what));
}

Result<void> check_address(std::string_view what, std::string_view address) {
  if (address.empty()) return {};
  boost::system::error_code error;
  boost::asio::ip::make_address(address, error);
  if (!error) return {};
  return refused(fmt::format("{}: expected the address of its last use, or none.", what));
}

Result<void> check_end(std::string_view what, base::Timestamp created_at, std::optional<base::Timestamp> end) {
  if (!end || *end > created_at) return {};
  return refused(fmt::format("{}: it ends before it was created.", what));
}

}  // namespace

template <class Add>
Result<void> AccountImport::whole(Add&& add) {
  if (!database_.in_transaction()) {
    return base::fail(ErrorCode::internal, "Accounts are imported within a transaction of the caller.");
  }
  if (auto begun = database_.execute("SAVEPOINT one_account"); !begun) return begun;
  auto added = add();
  auto ended = database_.execute(added ? "RELEASE one_account" : "ROLLBACK TO one_account; RELEASE one_account");
  return added ? ended : added;
}

Result<void> AccountImport::add_user(const ImportedUser& user) {
  return whole([&] { return insert_user(user); });
}

Result<void> AccountImport::add_token(const ImportedToken& token) {
  return whole([&] { return insert_token(token); });
}

Result<void> AccountImport::add_session(const ImportedSession& session) {
  return whole([&] { return insert_session(session); });
}

Result<void> AccountImport::add_user_data(std::string_view user_id, std::string_view key, const json::value& value) {
  return whole([&] { return insert_user_data(user_id, key, value); });
}

Result<bool> AccountImport::exists(std::string_view sql, std::string_view id) {
  auto select = database_.prepare(sql);
  if (!select) return std::unexpected(std::move(select.error()));
  return select->bind(id).step();
}

Result<bool> AccountImport::hash_exists(std::string_view sql, const TokenHash& hash) {
  auto select = database_.prepare(sql);
  if (!select) return std::unexpected(std::move(select.error()));
  return select->bind(Blob(hash)).step();
}

Result<void> AccountImport::insert_user(const ImportedUser& user) {
  if (auto good = check_id("A user's id", user.id); !good) return good;
  if (auto good = check_name("A user name", user.name); !good) return good;
  const std::string_view display_name = user.display_name.empty() ? user.name : user.display_name;
  if (auto good = check_name("A display name", display_name); !good) return good;
  if (user.policy && user.role == Role::administrator) {
    return refused(
        fmt::format("{} is an administrator, who may do everything, and has no rights of a part.", user.name));
  }
  if (user.bcrypt) {
    const auto cost = bcrypt_cost(*user.bcrypt);
    if (!cost) return refused(fmt::format("The password of {}: {}", user.name, cost.error().message));
  }
  if (!user.totp_secret.empty() && (user.totp_secret.size() < 10 || user.totp_secret.size() > 64)) {
    return refused(fmt::format("The second factor of {}: expected a secret of 10 to 64 bytes.", user.name));
  }
  const auto known = exists("SELECT 1 FROM users WHERE id = ?", user.id);
  if (!known) return std::unexpected(known.error());
  if (*known) return base::fail(ErrorCode::conflict, fmt::format("There is a user of the id {} already.", user.id));
  const auto added = database_.run(
      "INSERT INTO users(id, name, folded_name, role, active, password, created_at, display_name, rights) "
      "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
      user.id, user.name, fold_case(user.name), to_string(user.role), user.active, user.bcrypt.value_or(std::string()),
      user.created_at, display_name, policy_text(user.policy));
  if (!added && added.error().code == ErrorCode::conflict) {
    return base::fail(ErrorCode::conflict, fmt::format("There is a user named {} already.", user.name));
  }
  if (!added) return std::unexpected(added.error());
  if (user.totp_secret.empty()) return {};
  // No code has been used here.
  const auto secret = database_.run(
      "INSERT INTO totp_secrets(user_id, secret, created_at, last_step) VALUES(?, ?, ?, 0)", user.id,
      Blob(reinterpret_cast<const std::uint8_t*>(user.totp_secret.data()), user.totp_secret.size()), user.created_at);
  if (!secret) return std::unexpected(secret.error());
  return {};
}

Result<void> AccountImport::insert_user_data(std::string_view user_id, std::string_view key, const json::value& value) {
  const auto length = base::utf8_length(key);
  if (!length || *length < 1 || *length > AccountStore::kMaxDataKey) {
    return refused(fmt::format("key: expected a text of 1 to {} characters.", AccountStore::kMaxDataKey));
  }
  const auto known = exists("SELECT 1 FROM users WHERE id = ?", user_id);
  if (!known) return std::unexpected(known.error());
  if (!*known) return base::fail(ErrorCode::not_found, fmt::format("There is no user of the id {}.", user_id));
  const auto added =
      database_.run("INSERT INTO user_data(user_id, key, value) VALUES(?, ?, ?)", user_id, key, base::to_json(value));
  if (!added && added.error().code == ErrorCode::conflict)
    return base::fail(ErrorCode::conflict, fmt::format("There is something under the key {} already.", key));
  if (!added) return std::unexpected(added.error());
  // Each has two quotes, a colon and a comma.
  auto sum = database_.prepare(
      "SELECT sum(length(CAST(key AS BLOB)) + length(CAST(value AS BLOB)) + 4) FROM user_data WHERE user_id = ?");
  if (!sum) return std::unexpected(std::move(sum.error()));
  const auto row = sum->bind(user_id).step();
  if (!row) return std::unexpected(row.error());
  if (static_cast<std::size_t>(sum->integer(0)) < AccountStore::kMaxUserData) return {};
  return refused(fmt::format("expected at most {} bytes for one user.", AccountStore::kMaxUserData));
}

Result<void> AccountImport::check_owner_and_id(std::string_view what, std::string_view id, std::string_view user_id) {
  const auto owner = exists("SELECT 1 FROM users WHERE id = ?", user_id);
  if (!owner) return std::unexpected(owner.error());
  if (!*owner)
    return base::fail(ErrorCode::not_found, fmt::format("{}: there is no user of the id {}.", what, user_id));
  // Both kinds are known by their ids alone.
  const auto known = exists("SELECT 1 FROM tokens WHERE id = ?1 UNION ALL SELECT 1 FROM sessions WHERE id = ?1", id);
  if (!known) return std::unexpected(known.error());
  if (*known) return base::fail(ErrorCode::conflict, fmt::format("{}: the id {} is in use already.", what, id));
  return {};
}

Result<void> AccountImport::insert_token(const ImportedToken& token) {
  if (auto good = check_name("A token's name", token.name); !good) return good;
  const std::string what = fmt::format("The token {}", token.name);
  if (auto good = check_id(what, token.id); !good) return good;
  if (auto good = check_owner_and_id(what, token.id, token.user_id); !good) return good;
  if (auto good = check_end(what, token.created_at, token.expires_at); !good) return good;
  if (token.icon) {
    if (auto good = check_name("A token's icon", *token.icon); !good) return good;
  }
  if (!token.used_at && !token.used_from.empty()) {
    return refused(fmt::format("{}: it has the address of its last use, but not the time.", what));
  }
  if (auto good = check_address(what, token.used_from); !good) return good;
  if (token.hashes.empty() || token.hashes.size() > kMaxTokenHashes) {
    return refused(fmt::format("{}: expected 1 to {} hashes, not {}.", what, kMaxTokenHashes, token.hashes.size()));
  }
  for (const TokenHash& hash : token.hashes) {
    const auto known =
        hash_exists("SELECT 1 FROM tokens WHERE hash = ?1 UNION ALL SELECT 1 FROM token_hashes WHERE hash = ?1", hash);
    if (!known) return std::unexpected(known.error());
    if (*known) return base::fail(ErrorCode::conflict, fmt::format("{}: another token has one of its hashes.", what));
  }
  if (std::set(token.hashes.begin(), token.hashes.end()).size() != token.hashes.size()) {
    return refused(fmt::format("{}: two of its hashes are equal.", what));
  }

  const auto added = database_.run(
      "INSERT INTO tokens(id, user_id, name, hash, created_at, expires_at, icon) VALUES(?, ?, ?, ?, ?, ?, ?)", token.id,
      token.user_id, token.name, Blob(token.hashes.front()), token.created_at, token.expires_at, token.icon);
  if (!added && added.error().code == ErrorCode::conflict) {
    return base::fail(ErrorCode::conflict, fmt::format("{}: its user has one of this name already.", what));
  }
  if (!added) return std::unexpected(added.error());
  for (const TokenHash& hash : std::span(token.hashes).subspan(1)) {
    const auto further = database_.run("INSERT INTO token_hashes(hash, token_id) VALUES(?, ?)", Blob(hash), token.id);
    if (!further) return std::unexpected(further.error());
  }
  if (!token.used_at) return {};
  const auto used = database_.run("INSERT INTO token_uses(token_id, used_at, used_from) VALUES(?, ?, ?)", token.id,
                                  *token.used_at, token.used_from);
  if (!used) return std::unexpected(used.error());
  return {};
}

Result<void> AccountImport::insert_session(const ImportedSession& session) {
  if (auto good = check_id("A session's id", session.id); !good) return good;
  const std::string what = fmt::format("The session {}", session.id);
  if (auto good = check_owner_and_id(what, session.id, session.user_id); !good) return good;
  if (auto good = check_end(what, session.created_at, session.expires_at); !good) return good;
  if (auto good = check_address(what, session.used_from); !good) return good;
  if (const auto good = check_client_id(session.client_id); !good) {
    return refused(fmt::format("{}: {}", what, good.error().message));
  }
  const auto known = hash_exists(
      "SELECT 1 FROM sessions WHERE hash = ?1 UNION ALL SELECT 1 FROM former_refresh_tokens WHERE hash = ?1",
      session.hash);
  if (!known) return std::unexpected(known.error());
  if (*known) return base::fail(ErrorCode::conflict, fmt::format("{}: another one has its refresh token.", what));
  const auto added = database_.run(
      "INSERT INTO sessions(id, user_id, client_id, hash, created_at, expires_at, used_at, used_from) "
      "VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
      session.id, session.user_id, session.client_id, Blob(session.hash), session.created_at, session.expires_at,
      session.used_at, session.used_from);
  if (!added) return std::unexpected(added.error());
  return {};
}

}  // namespace hearth::auth
