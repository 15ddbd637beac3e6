// SPDX-License-Identifier: Apache-2.0
// The part of the store for passwords, and for what a changed one ends.
#include <fmt/format.h>

#include <algorithm>

#include "auth/accounts/account_store.h"
#include "auth/bcrypt.h"
#include "auth/name.h"
#include "auth/password.h"
#include "base/log/log.h"

namespace hearth::auth {

using base::ErrorCode;
using base::Result;
using storage::Statement;
using storage::Transaction;

Result<void> AccountStore::set_password(std::string_view name, std::string_view password,
                                        const PasswordChange& change) {
  const auto user = find_user(name);
  if (!user) return std::unexpected(user.error());
  return replace_password(*user, password, {}, change);
}

Result<void> AccountStore::set_login(std::string_view id, std::string_view name, std::string_view password,
                                     const PasswordChange& change) {
  const auto user = find_user_by_id(id);
  if (!user) return std::unexpected(user.error());
  return replace_password(*user, password, name, change);
}

Result<void> AccountStore::change_password(std::string_view id, std::string_view old_password,
                                           std::string_view password, const PasswordChange& change) {
  const auto user = find_user_by_id(id);
  if (!user) return std::unexpected(user.error());
  if (auto known = verify_password(user->name, old_password); !known) {
    return known.error().code == ErrorCode::unauthorized
               ? base::fail(ErrorCode::unauthorized, "The current password is wrong.")
               : std::unexpected(std::move(known.error()));
  }
  return replace_password(*user, password, {}, change);
}

Result<void> AccountStore::replace_password(const User& user, std::string_view password,
                                            std::optional<std::string_view> name, const PasswordChange& change) {
  const auto hash = hash_password(password);
  if (!hash) return std::unexpected(hash.error());
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  if (name) {
    const auto renamed = change_within(user.id, {.name = std::string(*name)});
    if (!renamed) return std::unexpected(renamed.error());
  }
  const auto changed = database_.run(
      "UPDATE users SET password = ?, password_version = password_version + 1 WHERE id = ?", *hash, user.id);
  if (!changed) return std::unexpected(changed.error());
  if (*changed == 0) return base::fail(ErrorCode::not_found, "There is no such user.");
  if (auto ended = delete_all(user.id, TokenType::normal, change.kept_token_id); !ended) return ended;
  if (change.revoke_tokens) {
    auto revoked = delete_all(user.id, TokenType::long_lived_access_token, change.kept_token_id);
    if (!revoked) return revoked;
  }
  return transaction->commit();
}

Result<User> AccountStore::verify_password(std::string_view name, std::string_view password) {
  std::string id, hash;
  {
    auto select = database_.prepare(
        "SELECT id, password FROM users WHERE folded_name = ? AND active = 1 "
        "AND (role = 'administrator' OR ends_at IS NULL OR ends_at > ?)");
    if (!select) return std::unexpected(std::move(select.error()));
    const std::string folded = check_name("A user name", name) ? fold_case(name) : std::string();
    const auto row = select->bind(folded, clock_->now()).step();
    if (!row) return std::unexpected(row.error());
    if (*row) {
      id = select->text(0);
      hash = select->text(1);
    }
  }
  if (const auto good = check_password_hash(hash); !good) {
    base::log_error("auth", "the stored password of {} lets nobody in: {} Set another.", name, good.error().message);
  }
  const auto cost = highest_bcrypt_cost();
  if (!cost) return std::unexpected(cost.error());
  if (!password_matches(hash, password, *cost)) {
    return base::fail(ErrorCode::unauthorized, "The user name or the password is wrong.");
  }
  if (is_bcrypt(hash)) renew_hash(id, hash, password);
  return find_user_by_id(id);
}

// Of the passwords with which somebody could log in; 0 if none is bcrypt.
Result<int> AccountStore::highest_bcrypt_cost() {
  auto select = database_.prepare("SELECT password FROM users WHERE active = 1 AND password GLOB '$2*'");
  if (!select) return std::unexpected(std::move(select.error()));
  int highest = 0;
  const auto read = select->for_each(
      [&](const Statement& row) { highest = std::max(highest, bcrypt_cost(row.text(0)).value_or(0)); });
  if (!read) return std::unexpected(read.error());
  return highest;
}

// The login goes on if this fails: the next one tries again. The password is the same, so its version is.
void AccountStore::renew_hash(std::string_view id, const std::string& hash, std::string_view password) {
  auto renewed = hash_known_password(password);
  const auto kept =
      renewed ? database_.run("UPDATE users SET password = ? WHERE id = ? AND password = ?", *renewed, id, hash)
              : std::unexpected(std::move(renewed.error()));
  if (!kept) base::log_error("auth", "a password stays in the form of another hub: {}", kept.error().message);
}

}  // namespace hearth::auth
