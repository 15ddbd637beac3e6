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

Result<std::vector<KnownToken>> read_tokens(Database& database) {
  auto select = database.prepare(
      "SELECT user_id, users.name, role, users.created_at, hash, tokens.id, expires_at FROM tokens JOIN users ON "
      "users.id = user_id "
      "WHERE active = 1");
  if (!select) return std::unexpected(std::move(select.error()));
  std::map<std::string, std::shared_ptr<const User>, std::less<>> users;
  std::vector<KnownToken> tokens;
  auto read = select->for_each([&](const Statement& row) {
    auto& user = users[std::string(row.text(0))];
    if (!user) {
      user = std::make_shared<const User>(User{std::string(row.text(0)), std::string(row.text(1)),
                                               parse_role(row.text(2)).value_or(Role::reader), true, row.timestamp(3)});
    }
    KnownToken token{{}, {user, std::string(row.text(5)), row.optional_timestamp(6)}};
    std::ranges::copy_n(row.blob(4).begin(), static_cast<std::ptrdiff_t>(token.hash.size()), token.hash.begin());
    tokens.push_back(std::move(token));
  });
  if (!read) return std::unexpected(std::move(read.error()));
  return tokens;
}

}  // namespace

Result<AccountLoader> AccountLoader::open(const std::filesystem::path& file) {
  auto database = Database::open(file);
  if (!database) return std::unexpected(std::move(database.error()));
  if (auto ready = storage::migrate(*database, "auth", kAccountSteps); !ready)
    return std::unexpected(std::move(ready.error()));
  return AccountLoader(std::move(*database));
}

Result<std::optional<std::vector<KnownToken>>> AccountLoader::load_if_changed() {
  // Asked before reading: what is committed meanwhile is found the next time.
  const auto version = database_.data_version();
  if (!version) return std::unexpected(version.error());
  if (seen_version_ == *version) return std::nullopt;

  auto moment = Transaction::begin(database_, Transaction::Kind::read);
  if (!moment) return std::unexpected(std::move(moment.error()));
  const auto current = revision(database_);
  if (!current) return std::unexpected(current.error());
  std::optional<std::vector<KnownToken>> loaded;
  if (seen_revision_ != *current) {
    auto tokens = read_tokens(database_);
    if (!tokens) return std::unexpected(std::move(tokens.error()));
    loaded = std::move(*tokens);
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
  for (const TokenUse& use : uses) {
    if (auto done = upsert->bind(use.used_at, use.used_from, use.token_id).run(); !done) return done;
  }
  return transaction->commit();
}

}  // namespace hearth::auth
