// SPDX-License-Identifier: Apache-2.0
// The part of the store for failed logins.
#include "auth/accounts/account_store.h"
#include "auth/name.h"

namespace hearth::auth {
namespace {

using base::Result;
using storage::Statement;
using storage::Transaction;

}  // namespace

Result<void> AccountStore::note_failed_logins(std::span<const FailedLogin> failed) {
  if (failed.empty()) return {};
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  for (const FailedLogin& one : failed) {
    const auto counted = database_.run(
        "UPDATE failed_logins SET last_at = ?1, failures = failures + ?2 WHERE id = (SELECT id FROM failed_logins "
        "WHERE address = ?3 AND account = ?4 AND purpose = ?5 AND closed = 0 AND last_at > ?6 AND first_at > ?7 "
        "ORDER BY id DESC LIMIT 1)",
        one.last, one.failures, one.address, one.account, one.purpose, one.first - FailedLogin::kTogether,
        one.first - FailedLogin::kLongest);
    if (!counted) return std::unexpected(counted.error());
    if (*counted > 0) continue;
    const auto added = database_.run(
        "INSERT INTO failed_logins(first_at, last_at, address, account, purpose, failures) VALUES(?, ?, ?, ?, ?, ?)",
        one.first, one.last, one.address, one.account, one.purpose, one.failures);
    if (!added) return std::unexpected(added.error());
  }
  const auto bounded = database_.run(
      "DELETE FROM failed_logins WHERE id IN (SELECT id FROM failed_logins ORDER BY last_at DESC, id DESC "
      "LIMIT -1 OFFSET ?)",
      FailedLogin::kMaxKept);
  if (!bounded) return std::unexpected(bounded.error());
  return transaction->commit();
}

Result<void> AccountStore::close_failed_logins(std::string_view user) {
  const auto closed =
      database_.run("UPDATE failed_logins SET closed = 1 WHERE account = ? AND closed = 0", fold_case(user));
  if (!closed) return std::unexpected(closed.error());
  return {};
}

Result<std::vector<FailedLogin>> AccountStore::failed_logins() {
  return select_failed_logins("", {});
}

Result<AccountStore::OwnFailedLogins> AccountStore::failed_logins_of(std::string_view user_id) {
  const auto user = find_user_by_id(user_id);
  if (!user) return std::unexpected(user.error());
  OwnFailedLogins own;
  {
    auto select = database_.prepare("SELECT previous_login_at FROM users WHERE id = ?");
    if (!select) return std::unexpected(std::move(select.error()));
    const auto row = select->bind(user_id).step();
    if (!row) return std::unexpected(row.error());
    if (*row) own.since = select->optional_timestamp(0);
  }
  auto list = select_failed_logins(fold_case(user->name), own.since.value_or(base::Timestamp()));
  if (!list) return std::unexpected(std::move(list.error()));
  own.list = std::move(*list);
  return own;
}

// Of all accounts if `account` is empty.
Result<std::vector<FailedLogin>> AccountStore::select_failed_logins(std::string_view account, base::Timestamp since) {
  auto select = database_.prepare(
      "SELECT id, first_at, last_at, address, account, purpose, failures FROM failed_logins "
      "WHERE (?1 = '' OR account = ?1) AND last_at > ?2 ORDER BY last_at DESC, id DESC");
  if (!select) return std::unexpected(std::move(select.error()));
  std::vector<FailedLogin> list;
  auto read = select->bind(account, since).for_each([&](const Statement& row) {
    list.push_back({row.integer(0), row.timestamp(1), row.timestamp(2), std::string(row.text(3)),
                    std::string(row.text(4)), std::string(row.text(5)), row.integer(6)});
  });
  if (!read) return std::unexpected(std::move(read.error()));
  return list;
}

Result<void> AccountStore::forget_failed_logins(std::optional<std::int64_t> id) {
  const auto deleted = database_.run("DELETE FROM failed_logins WHERE ?1 IS NULL OR id = ?1", id);
  if (!deleted) return std::unexpected(deleted.error());
  if (id && *deleted == 0) return base::fail(base::ErrorCode::not_found, "There is no such failed login.");
  return {};
}

}  // namespace hearth::auth
