// SPDX-License-Identifier: Apache-2.0
// The part of the store for what is asked after the password.
#include "auth/accounts/account_store.h"
#include "auth/factors/recovery_codes.h"
#include "auth/factors/totp.h"

namespace hearth::auth {

using base::ErrorCode;
using base::Result;
using storage::Blob;
using storage::Transaction;

namespace {

std::unexpected<base::Error> no_app() {
  return base::fail(ErrorCode::not_found, "This user has no authenticator app.");
}

}  // namespace

Result<std::vector<std::string>> AccountStore::set_totp(std::string_view user_id, std::string_view secret,
                                                        std::int64_t step) {
  const auto user = find_user_by_id(user_id);
  if (!user) return std::unexpected(user.error());
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  const auto set = database_.run(
      "INSERT INTO totp_secrets(user_id, secret, created_at, last_step) VALUES(?, ?, ?, ?) ON CONFLICT(user_id) "
      "DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at, last_step = excluded.last_step",
      user->id, Blob(reinterpret_cast<const std::uint8_t*>(secret.data()), secret.size()), clock_->now(), step);
  if (!set) return std::unexpected(set.error());
  auto codes = insert_recovery_codes(user->id);
  if (!codes) return codes;
  if (auto done = transaction->commit(); !done) return std::unexpected(std::move(done.error()));
  return codes;
}

// REQUIRES: a transaction, and an app, without which the rows are refused.
Result<std::vector<std::string>> AccountStore::insert_recovery_codes(const base::Id& user_id) {
  if (auto deleted = database_.run("DELETE FROM recovery_codes WHERE user_id = ?", user_id); !deleted) {
    return std::unexpected(std::move(deleted.error()));
  }
  auto codes = make_recovery_codes();
  for (const std::string& code : codes) {
    const TokenHash hash = hash_recovery_code(user_id, code);
    const auto added = database_.run("INSERT INTO recovery_codes(user_id, hash) VALUES(?, ?)", user_id, Blob(hash));
    if (!added) return std::unexpected(added.error());
  }
  return codes;
}

Result<User> AccountStore::verify_second_factor(std::string_view user_id, std::string_view code) {
  const auto wrong = [] { return base::fail(ErrorCode::unauthorized, "The code is wrong."); };
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  std::optional<std::int64_t> step;
  {
    auto select = database_.prepare(
        "SELECT secret, last_step FROM totp_secrets JOIN users ON users.id = user_id WHERE user_id = ? AND active = 1 "
        "AND (role = 'administrator' OR ends_at IS NULL OR ends_at > ?)");
    if (!select) return std::unexpected(std::move(select.error()));
    const auto row = select->bind(user_id, clock_->now()).step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return wrong();
    const auto bytes = select->blob(0);
    const std::string_view secret(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const base::Timestamp now = clock_->now();
    // A last step that is still to come is of a clock that was wrong: it must not lock the user out.
    const std::int64_t last = select->integer(1);
    step = matching_totp_step(secret, code, now, last > totp_step(now) + 1 ? 0 : last);
  }
  const auto used = step ? database_.run("UPDATE totp_secrets SET last_step = ? WHERE user_id = ?", *step, user_id)
                         : database_.run("DELETE FROM recovery_codes WHERE user_id = ? AND hash = ?", user_id,
                                         Blob(hash_recovery_code(user_id, code)));
  if (!used) return std::unexpected(used.error());
  if (*used == 0) return wrong();
  auto user = find_user_by_id(user_id);
  if (!user) return user;
  if (auto done = transaction->commit(); !done) return std::unexpected(std::move(done.error()));
  return user;
}

Result<std::vector<std::string>> AccountStore::renew_recovery_codes(std::string_view user_id) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  const auto user = find_user_by_id(user_id);
  if (!user) return std::unexpected(user.error());
  if (!user->has_totp) return no_app();
  auto codes = insert_recovery_codes(user->id);
  if (!codes) return codes;
  if (auto done = transaction->commit(); !done) return std::unexpected(std::move(done.error()));
  return codes;
}

Result<std::int64_t> AccountStore::recovery_codes_left(std::string_view user_id) {
  auto select = database_.prepare("SELECT count(*) FROM recovery_codes WHERE user_id = ?");
  if (!select) return std::unexpected(std::move(select.error()));
  if (auto row = select->bind(user_id).step(); !row) return std::unexpected(std::move(row.error()));
  return select->integer(0);
}

Result<void> AccountStore::remove_totp(std::string_view user_id) {
  const auto removed = database_.run("DELETE FROM totp_secrets WHERE user_id = ?", user_id);
  if (!removed) return std::unexpected(removed.error());
  if (*removed == 0) return no_app();
  return {};
}

}  // namespace hearth::auth
