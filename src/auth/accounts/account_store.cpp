// SPDX-License-Identifier: Apache-2.0
#include "auth/accounts/account_store.h"

#include <fmt/format.h>
#include <sodium.h>

#include "auth/accounts/account_schema.h"
#include "auth/accounts/stored_policy.h"
#include "auth/name.h"
#include "auth/password.h"

namespace hearth::auth {
namespace {

using base::ErrorCode;
using base::Result;
using storage::Statement;
using storage::Transaction;

constexpr std::string_view kUserColumns =
    "id, name, role, active, created_at, display_name, id IS (SELECT first.id FROM users AS first "
    "WHERE first.role = 'administrator' ORDER BY first.created_at, first.id LIMIT 1), password_version, rights, "
    "EXISTS(SELECT 1 FROM totp_secrets WHERE user_id = users.id), iif(role = 'administrator', NULL, ends_at)";

User read_user(const Statement& row) {
  return {row.text(0),
          std::string(row.text(1)),
          parse_role(row.text(2)).value_or(Role::reader),
          row.integer(3) != 0,
          row.timestamp(4),
          std::string(row.text(5)),
          row.integer(6) != 0,
          row.integer(7),
          read_policy(row, 8),
          row.integer(9) != 0,
          row.optional_timestamp(10)};
}

std::unexpected<base::Error> no_user(std::string_view name) {
  return base::fail(ErrorCode::not_found, fmt::format("There is no user named {}.", name));
}

std::unexpected<base::Error> name_taken(std::string_view name) {
  return base::fail(ErrorCode::conflict, fmt::format("There is a user named {} already.", name));
}

std::unexpected<base::Error> unlimited(std::string_view name) {
  return base::fail(ErrorCode::conflict,
                    fmt::format("{} is an administrator, who may do everything: change the role first.", name));
}

Result<std::string> folded_user_name(std::string_view name) {
  if (auto good = check_name("A user name", name); !good) return std::unexpected(std::move(good.error()));
  return fold_case(name);
}

Result<void> check_display_name(std::string_view name) {
  return check_name("A display name", name);
}

}  // namespace

storage::Schema AccountStore::schema() {
  return {"auth", kAccountSteps};
}

Result<AccountStore> AccountStore::open(const std::filesystem::path& file, const base::Clock& clock,
                                        AccountLimits limits) {
  if (sodium_init() < 0) return base::fail(ErrorCode::internal, "libsodium cannot start: no source of random numbers.");
  // An acknowledged account or revocation must survive a power failure.
  auto database = storage::Database::open(file, storage::Durability::full);
  if (!database) return std::unexpected(std::move(database.error()));
  if (auto ready = storage::migrate(*database, "auth", kAccountSteps); !ready)
    return std::unexpected(std::move(ready.error()));
  return AccountStore(std::move(*database), clock, limits);
}

Result<User> AccountStore::add_user(std::string_view name, Role role, std::string_view password) {
  return add_user({std::string(name), {}, role, std::string(password)});
}

Result<User> AccountStore::add_user(const NewUser& user) {
  const auto folded = folded_user_name(user.name);
  if (!folded) return std::unexpected(folded.error());
  // Checked before the costly password hash; the unique column decides.
  if (const auto taken = find_user(user.name)) return name_taken(taken->name);
  Result<std::string> password;
  if (user.password) password = hash_password(*user.password);
  if (!password) return std::unexpected(password.error());
  return insert_user(user, *folded, *password);
}

Result<User> AccountStore::add_first_administrator(NewUser user) {
  const auto count = [this]() -> Result<std::int64_t> {
    auto select = database_.prepare("SELECT count(*) FROM users");
    if (!select) return std::unexpected(std::move(select.error()));
    if (auto row = select->step(); !row) return std::unexpected(std::move(row.error()));
    return select->integer(0);
  };
  const auto closed = [] { return base::fail(ErrorCode::forbidden, "This home has its first user already."); };
  const auto before = count();
  if (!before) return std::unexpected(before.error());
  if (*before > 0) return closed();
  const auto folded = folded_user_name(user.name);
  if (!folded) return std::unexpected(folded.error());
  const auto password = hash_password(user.password.value_or(std::string()));
  if (!password) return std::unexpected(password.error());

  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  const auto now = count();
  if (!now) return std::unexpected(now.error());
  if (*now > 0) return closed();
  user.role = Role::administrator;
  auto added = insert_user(user, *folded, *password);
  if (!added) return added;
  if (auto done = transaction->commit(); !done) return std::unexpected(std::move(done.error()));
  return added;
}

Result<User> AccountStore::insert_user(const NewUser& user, std::string_view folded_name, std::string_view password) {
  const std::string_view display_name = user.display_name.empty() ? user.name : user.display_name;
  if (auto good = check_display_name(display_name); !good) return std::unexpected(std::move(good.error()));
  if (auto good = check_limits(user.name, user.role, user.policy, user.ends_at); !good)
    return std::unexpected(std::move(good.error()));
  const std::string id = make_id();
  const auto added = database_.run(
      "INSERT INTO users(id, name, folded_name, role, active, password, created_at, display_name, rights, ends_at) "
      "VALUES(?, ?, ?, ?, 1, ?, ?, ?, ?, ?)",
      id, user.name, folded_name, to_string(user.role), password, clock_->now(), display_name, policy_text(user.policy),
      user.ends_at);
  if (!added && added.error().code == ErrorCode::conflict) return name_taken(user.name);
  if (!added) return std::unexpected(added.error());
  return find_user_by_id(id);
}

Result<User> AccountStore::find_user(std::string_view name) {
  const auto folded = folded_user_name(name);
  if (!folded) return std::unexpected(folded.error());
  auto user = select_user("folded_name", *folded);
  if (!user && user.error().code == ErrorCode::not_found) return no_user(name);
  return user;
}

Result<User> AccountStore::find_user_by_id(std::string_view id) {
  return select_user("id", id);
}

Result<User> AccountStore::select_user(std::string_view column, std::string_view value) {
  auto select = database_.prepare(fmt::format("SELECT {} FROM users WHERE {} = ?", kUserColumns, column));
  if (!select) return std::unexpected(std::move(select.error()));
  const auto row = select->bind(value).step();
  if (!row) return std::unexpected(row.error());
  if (!*row) return base::fail(ErrorCode::not_found, "There is no such user.");
  return read_user(*select);
}

Result<std::vector<User>> AccountStore::users() {
  auto select = database_.prepare(fmt::format("SELECT {} FROM users ORDER BY folded_name", kUserColumns));
  if (!select) return std::unexpected(std::move(select.error()));
  std::vector<User> list;
  if (auto read = select->for_each([&](const Statement& row) { list.push_back(read_user(row)); }); !read) {
    return std::unexpected(std::move(read.error()));
  }
  return list;
}

Result<User> AccountStore::change_user(std::string_view id, const UserChanges& changes) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  auto user = change_within(id, changes);
  if (!user) return user;
  if (auto done = transaction->commit(); !done) return std::unexpected(std::move(done.error()));
  return user;
}

// REQUIRES: a transaction, which the caller rolls back on failure.
Result<User> AccountStore::change_within(std::string_view id, const UserChanges& changes) {
  std::optional<std::string> folded;
  if (changes.name) {
    auto checked = folded_user_name(*changes.name);
    if (!checked) return std::unexpected(std::move(checked.error()));
    folded = std::move(*checked);
  }
  if (changes.display_name) {
    if (auto good = check_display_name(*changes.display_name); !good) return std::unexpected(std::move(good.error()));
  }
  const auto before = find_user_by_id(id);
  if (!before) return before;
  const auto role = changes.role ? std::optional(to_string(*changes.role)) : std::nullopt;
  const auto changed = database_.run(
      "UPDATE users SET name = ifnull(?, name), folded_name = ifnull(?, folded_name), "
      "display_name = ifnull(?, display_name), role = ifnull(?, role), active = ifnull(?, active) WHERE id = ?",
      changes.name, folded, changes.display_name, role, changes.active, id);
  if (!changed && changed.error().code == ErrorCode::conflict) return name_taken(*changes.name);
  if (!changed) return std::unexpected(changed.error());
  if (auto limited = limit_within(*before, changes); !limited) return std::unexpected(std::move(limited.error()));
  if (auto left = check_administrator_left(*before); !left) return std::unexpected(std::move(left.error()));
  return find_user_by_id(id);
}

// REQUIRES: as change_within.
Result<void> AccountStore::limit_within(const User& before, const UserChanges& changes) {
  const Role role = changes.role.value_or(before.role);
  if (auto good =
          check_limits(before.name, role, changes.policy.value_or(nullptr), changes.ends_at.value_or(std::nullopt));
      !good)
    return good;
  if (changes.policy) {
    const auto set = database_.run("UPDATE users SET rights = ? WHERE id = ?", policy_text(*changes.policy), before.id);
    if (!set) return std::unexpected(set.error());
  }
  if (changes.ends_at) {
    const auto set = database_.run("UPDATE users SET ends_at = ? WHERE id = ?", *changes.ends_at, before.id);
    if (!set) return std::unexpected(set.error());
  }
  return {};
}

Result<void> AccountStore::delete_user(std::string_view id) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  const auto user = find_user_by_id(id);
  if (!user) return std::unexpected(user.error());
  if (auto deleted = database_.run("DELETE FROM users WHERE id = ?", id); !deleted) {
    return std::unexpected(std::move(deleted.error()));
  }
  if (auto left = check_administrator_left(*user); !left) return left;
  return transaction->commit();
}

// `user` is as before the change, which a failure rolls back.
Result<void> AccountStore::check_administrator_left(const User& user) {
  if (user.role != Role::administrator || !user.active) return {};
  auto select = database_.prepare("SELECT 1 FROM users WHERE role = 'administrator' AND active = 1");
  if (!select) return std::unexpected(std::move(select.error()));
  const auto row = select->step();
  if (!row) return std::unexpected(row.error());
  if (*row) return {};
  return base::fail(ErrorCode::conflict, fmt::format("{} is the last active administrator.", user.name));
}

template <class Value>
Result<void> AccountStore::change_column(std::string_view name, std::string_view sql, const Value& value) {
  const auto folded = folded_user_name(name);
  if (!folded) return std::unexpected(folded.error());
  const auto changed = database_.run(sql, value, *folded);
  if (!changed) return std::unexpected(changed.error());
  if (*changed == 0) return no_user(name);
  return {};
}

Result<void> AccountStore::set_role(std::string_view name, Role role) {
  return change_column(name, "UPDATE users SET role = ? WHERE folded_name = ?", to_string(role));
}

Result<void> AccountStore::set_active(std::string_view name, bool active) {
  return change_column(name, "UPDATE users SET active = ? WHERE folded_name = ?", active);
}

Result<void> AccountStore::set_policy(std::string_view name, const core::PolicyPtr& policy) {
  const auto user = find_user(name);
  if (!user) return std::unexpected(user.error());
  if (user->role == Role::administrator) return unlimited(user->name);
  const auto text = policy_text(policy);
  return change_column(name, "UPDATE users SET rights = ? WHERE folded_name = ?", text);
}

Result<void> AccountStore::set_end(std::string_view name, std::optional<base::Timestamp> ends_at) {
  const auto user = find_user(name);
  if (!user) return std::unexpected(user.error());
  if (user->role == Role::administrator) return unlimited(user->name);
  if (auto good = check_limits(user->name, user->role, nullptr, ends_at); !good) return good;
  return change_column(name, "UPDATE users SET ends_at = ? WHERE folded_name = ?", ends_at);
}

// Of what somebody sets: an account that ends at once would be one that is not active.
Result<void> AccountStore::check_limits(std::string_view name, Role role, const core::PolicyPtr& policy,
                                        std::optional<base::Timestamp> ends_at) const {
  if (role == Role::administrator && (policy || ends_at)) return unlimited(name);
  if (ends_at && *ends_at <= clock_->now())
    return base::fail(ErrorCode::invalid, "The end of an account must be a time to come.");
  return {};
}

}  // namespace hearth::auth
