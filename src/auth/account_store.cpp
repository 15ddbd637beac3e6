// SPDX-License-Identifier: Apache-2.0
#include "auth/account_store.h"

#include <fmt/format.h>
#include <sodium.h>

#include "auth/account_schema.h"
#include "auth/name.h"
#include "auth/password.h"
#include "storage/migrate.h"

namespace hearth::auth {
namespace {

using base::ErrorCode;
using base::Result;
using storage::Statement;
using storage::Transaction;

constexpr std::string_view kUserColumns = "id, name, role, active, created_at";

User read_user(const Statement& row) {
  return {std::string(row.text(0)), std::string(row.text(1)), parse_role(row.text(2)).value_or(Role::reader),
          row.integer(3) != 0, row.timestamp(4)};
}

std::unexpected<base::Error> no_user(std::string_view name) {
  return base::fail(ErrorCode::not_found, fmt::format("There is no user named {}.", name));
}

Result<std::string> folded_user_name(std::string_view name) {
  if (auto good = check_name("A user name", name); !good) return std::unexpected(std::move(good.error()));
  return fold_case(name);
}

}  // namespace

Result<AccountStore> AccountStore::open(const std::filesystem::path& file, const base::Clock& clock) {
  if (sodium_init() < 0) return base::fail(ErrorCode::internal, "libsodium cannot start: no source of random numbers.");
  // An acknowledged account or revocation survives a power failure.
  auto database = storage::Database::open(file, storage::Durability::full);
  if (!database) return std::unexpected(std::move(database.error()));
  if (auto ready = storage::migrate(*database, "auth", kAccountSteps); !ready)
    return std::unexpected(std::move(ready.error()));
  return AccountStore(std::move(*database), clock);
}

Result<User> AccountStore::add_user(std::string_view name, Role role, std::string_view password) {
  const auto folded = folded_user_name(name);
  if (!folded) return std::unexpected(folded.error());
  // Said before the work that a password takes; the unique column has the last word.
  if (const auto taken = find_user(name)) {
    return base::fail(ErrorCode::conflict, fmt::format("There is a user named {} already.", taken->name));
  }
  const auto hash = hash_password(password);
  if (!hash) return std::unexpected(hash.error());
  User user{make_id(), std::string(name), role, true, clock_->now()};
  const auto added = database_.run(
      "INSERT INTO users(id, name, folded_name, role, active, password, created_at) VALUES(?, ?, ?, ?, 1, ?, ?)",
      user.id, user.name, *folded, to_string(role), *hash, user.created_at);
  if (!added && added.error().code == ErrorCode::conflict) {
    return base::fail(ErrorCode::conflict, fmt::format("There is a user named {} already.", name));
  }
  if (!added) return std::unexpected(added.error());
  return user;
}

Result<User> AccountStore::find_user(std::string_view name) {
  const auto folded = folded_user_name(name);
  if (!folded) return std::unexpected(folded.error());
  auto select = database_.prepare(fmt::format("SELECT {} FROM users WHERE folded_name = ?", kUserColumns));
  if (!select) return std::unexpected(std::move(select.error()));
  const auto row = select->bind(*folded).step();
  if (!row) return std::unexpected(row.error());
  if (!*row) return no_user(name);
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

template <class Value>
Result<void> AccountStore::change_user(std::string_view name, std::string_view sql, const Value& value) {
  const auto folded = folded_user_name(name);
  if (!folded) return std::unexpected(folded.error());
  const auto changed = database_.run(sql, value, *folded);
  if (!changed) return std::unexpected(changed.error());
  if (*changed == 0) return no_user(name);
  return {};
}

Result<void> AccountStore::set_password(std::string_view name, std::string_view password) {
  if (auto user = find_user(name); !user) return std::unexpected(std::move(user.error()));
  const auto hash = hash_password(password);
  if (!hash) return std::unexpected(hash.error());
  return change_user(name, "UPDATE users SET password = ? WHERE folded_name = ?", *hash);
}

Result<void> AccountStore::set_role(std::string_view name, Role role) {
  return change_user(name, "UPDATE users SET role = ? WHERE folded_name = ?", to_string(role));
}

Result<void> AccountStore::set_active(std::string_view name, bool active) {
  return change_user(name, "UPDATE users SET active = ? WHERE folded_name = ?", active);
}

Result<User> AccountStore::verify_password(std::string_view name, std::string_view password) {
  auto select = database_.prepare(fmt::format("SELECT {}, password FROM users WHERE folded_name = ?", kUserColumns));
  if (!select) return std::unexpected(std::move(select.error()));
  const auto row = select->bind(folded_user_name(name).value_or(std::string())).step();
  if (!row) return std::unexpected(row.error());
  const bool known = *row && select->integer(3) != 0;
  const bool matches = password_matches(known ? std::string(select->text(5)) : std::string(), password);
  if (!matches) return base::fail(ErrorCode::unauthorized, "The user name or the password is wrong.");
  return read_user(*select);
}

Result<std::string> AccountStore::create_token(std::string_view user, std::string_view name,
                                               std::optional<std::chrono::days> lifetime) {
  if (auto good = check_name("A token's name", name); !good) return std::unexpected(std::move(good.error()));
  if (lifetime && (*lifetime < std::chrono::days(1) || *lifetime > kMaxTokenLife)) {
    return base::fail(ErrorCode::invalid,
                      fmt::format("A token lives for 1 to {} days, or for ever.", kMaxTokenLife.count()));
  }
  const auto owner = find_user(user);
  if (!owner) return std::unexpected(owner.error());
  const base::Timestamp now = clock_->now();
  const auto expires_at = lifetime ? std::optional<base::Timestamp>(now + *lifetime) : std::nullopt;
  std::string text = make_token();
  const auto added =
      database_.run("INSERT INTO tokens(id, user_id, name, hash, created_at, expires_at) VALUES(?, ?, ?, ?, ?, ?)",
                    make_id(), owner->id, name, storage::Blob(hash_token(text)), now, expires_at);
  if (!added && added.error().code == ErrorCode::conflict) {
    return base::fail(ErrorCode::conflict,
                      fmt::format("{} has a token named {} already; revoke it first.", owner->name, name));
  }
  if (!added) return std::unexpected(added.error());
  return text;
}

Result<std::vector<Token>> AccountStore::tokens(std::string_view user) {
  const auto owner = find_user(user);
  if (!owner) return std::unexpected(owner.error());
  auto select = database_.prepare(
      "SELECT id, name, created_at, expires_at, used_at, used_from FROM tokens LEFT JOIN token_uses ON token_id = id "
      "WHERE user_id = ? ORDER BY name");
  if (!select) return std::unexpected(std::move(select.error()));
  std::vector<Token> list;
  auto read = select->bind(owner->id).for_each([&](const Statement& row) {
    list.push_back({std::string(row.text(0)), std::string(row.text(1)), row.timestamp(2), row.optional_timestamp(3),
                    row.optional_timestamp(4), std::string(row.text(5))});
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

}  // namespace hearth::auth
