// SPDX-License-Identifier: Apache-2.0
// The part of the store for passkeys.
#include <fmt/format.h>

#include "auth/accounts/account_store.h"
#include "auth/name.h"

namespace hearth::auth {

using base::ErrorCode;
using base::Result;
using storage::Blob;
using storage::Statement;
using storage::Transaction;

Result<void> AccountStore::add_passkey(std::string_view user_id, std::string_view name, const Passkey& key) {
  if (auto good = check_name("A name of a passkey", name); !good) return good;
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  if (const auto user = find_user_by_id(user_id); !user) return std::unexpected(user.error());
  {
    auto count = database_.prepare("SELECT count(*) FROM passkeys WHERE user_id = ?");
    if (!count) return std::unexpected(std::move(count.error()));
    if (auto row = count->bind(user_id).step(); !row) return std::unexpected(std::move(row.error()));
    if (count->integer(0) >= kMaxPasskeys) {
      return base::fail(ErrorCode::invalid, fmt::format("A user has at most {} passkeys.", kMaxPasskeys));
    }
  }
  const auto added = database_.run(
      "INSERT INTO passkeys(id, user_id, name, algorithm, public_key, counter, created_at) VALUES(?, ?, ?, ?, ?, ?, ?)",
      to_base64url(key.id), user_id, name, key.algorithm,
      Blob(reinterpret_cast<const std::uint8_t*>(key.public_key.data()), key.public_key.size()),
      static_cast<std::int64_t>(key.counter), clock_->now());
  if (!added && added.error().code == ErrorCode::conflict) {
    return base::fail(ErrorCode::conflict, "There is a passkey of this name already, or the key is known.");
  }
  if (!added) return std::unexpected(added.error());
  return transaction->commit();
}

Result<std::vector<NamedPasskey>> AccountStore::passkeys(std::string_view user_id) {
  auto select =
      database_.prepare("SELECT id, name, created_at, used_at, closed FROM passkeys WHERE user_id = ? ORDER BY name");
  if (!select) return std::unexpected(std::move(select.error()));
  std::vector<NamedPasskey> list;
  auto read = select->bind(user_id).for_each([&](const Statement& row) {
    list.push_back({std::string(row.text(0)), std::string(row.text(1)), row.timestamp(2), row.optional_timestamp(3),
                    row.integer(4) != 0});
  });
  if (!read) return std::unexpected(std::move(read.error()));
  return list;
}

Result<void> AccountStore::remove_passkey(std::string_view user_id, std::string_view id) {
  const auto removed = database_.run("DELETE FROM passkeys WHERE user_id = ? AND id = ?", user_id, id);
  if (!removed) return std::unexpected(removed.error());
  if (*removed == 0) return base::fail(ErrorCode::not_found, "There is no such passkey.");
  return {};
}

Result<User> AccountStore::verify_passkey(std::string_view id, const PasskeyChallenge& asked,
                                          const PasskeyAnswer& answer) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  std::string user_id;
  Passkey key;
  {
    auto select = database_.prepare(
        "SELECT user_id, algorithm, public_key, counter FROM passkeys JOIN users ON users.id = user_id "
        "WHERE passkeys.id = ? AND closed = 0 AND active = 1 "
        "AND (role = 'administrator' OR ends_at IS NULL OR ends_at > ?)");
    if (!select) return std::unexpected(std::move(select.error()));
    const auto row = select->bind(id, clock_->now()).step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return base::fail(ErrorCode::unauthorized, "Nobody has this passkey.");
    user_id = select->text(0);
    key.algorithm = static_cast<int>(select->integer(1));
    const auto bytes = select->blob(2);
    key.public_key.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    key.counter = static_cast<std::uint32_t>(select->integer(3));
  }
  const auto counter = auth::verify_passkey(asked, answer, key);
  if (!counter) return std::unexpected(counter.error());
  // Authenticators without a counter always say 0 (§6.1.1).
  const bool copied = (*counter != 0 || key.counter != 0) && *counter <= key.counter;
  const auto changed = copied ? database_.run("UPDATE passkeys SET closed = 1 WHERE id = ?", id)
                              : database_.run("UPDATE passkeys SET counter = ?, used_at = ? WHERE id = ?",
                                              static_cast<std::int64_t>(*counter), clock_->now(), id);
  if (!changed) return std::unexpected(changed.error());
  auto user = find_user_by_id(user_id);
  if (!user) return user;
  if (auto done = transaction->commit(); !done) return std::unexpected(std::move(done.error()));
  if (copied) {
    return base::fail(ErrorCode::conflict, "The passkey's counter has gone back: it was copied, and is closed now.");
  }
  return user;
}

Result<User> AccountStore::find_user_by_passkey(std::string_view id) {
  auto select = database_.prepare("SELECT user_id FROM passkeys WHERE id = ?");
  if (!select) return std::unexpected(std::move(select.error()));
  const auto row = select->bind(id).step();
  if (!row) return std::unexpected(row.error());
  if (!*row) return base::fail(ErrorCode::not_found, "There is no such passkey.");
  return find_user_by_id(std::string(select->text(0)));
}

Result<void> AccountStore::remove_factors(std::string_view user_id) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  const auto app = database_.run("DELETE FROM totp_secrets WHERE user_id = ?", user_id);
  if (!app) return std::unexpected(app.error());
  const auto keys = database_.run("DELETE FROM passkeys WHERE user_id = ?", user_id);
  if (!keys) return std::unexpected(keys.error());
  if (*app == 0 && *keys == 0) {
    return base::fail(ErrorCode::not_found, "This user has neither an authenticator app nor a passkey.");
  }
  return transaction->commit();
}

}  // namespace hearth::auth
