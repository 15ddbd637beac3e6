// SPDX-License-Identifier: Apache-2.0
// A home into which tests import accounts.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>

#include "auth/accounts/account_import.h"
#include "auth/accounts/account_loader.h"
#include "auth/accounts/account_store.h"
#include "auth/authenticator.h"
#include "storage/temporary_folder.h"

namespace hearth::auth {

// Of "small lamps".
inline constexpr const char* kBcryptLamps = "$2b$04$k9Vwi5xcMAAFEYvHbbzsKuCcOY605RF63MjXi7QEZ5qEcYishg9BW";
inline constexpr std::string_view kBrowser = "http://browser.example:8123/";

inline std::string id_of(char digit) {
  return std::string(32, digit);
}

class AccountImportTest : public testing::Test {
 protected:
  storage::Transaction begin() {
    return storage::Transaction::begin(database_, storage::Transaction::Kind::write).value();
  }
  // Each in a transaction of its own.
  base::Result<void> add(const ImportedUser& user) {
    return committed([&] { return import_.add_user(user); });
  }
  base::Result<void> add(const ImportedToken& token) {
    return committed([&] { return import_.add_token(token); });
  }
  base::Result<void> add(const ImportedSession& session) {
    return committed([&] { return import_.add_session(session); });
  }
  template <class Add>
  base::Result<void> committed(Add&& one) {
    auto transaction = begin();
    auto added = one();
    transaction.commit().value();
    return added;
  }
  template <class Row>
  std::string refused(base::ErrorCode code, const Row& row) {
    const auto added = add(row);
    if (added) return "added";
    EXPECT_EQ(code, added.error().code) << added.error().message;
    return added.error().message;
  }

  IdentityPtr who(const std::string& token) {
    if (auto loaded = loader_.load_if_changed().value()) authenticator_.publish(std::move(*loaded));
    return authenticator_.authenticate(token);
  }
  std::int64_t rows(std::string_view table) {
    auto count = database_.prepare("SELECT count(*) FROM " + std::string(table)).value();
    count.step().value();
    return count.integer(0);
  }
  std::string stored_password(std::string_view name) {
    auto select = database_.prepare("SELECT password FROM users WHERE name = ?").value();
    select.bind(name).step().value();
    return std::string(select.text(0));
  }

  ImportedUser ann() const {
    return {.id = id_of('a'),
            .name = "Ann",
            .display_name = "Ann B.",
            .role = Role::administrator,
            .bcrypt = kBcryptLamps,
            .created_at = clock_.now() - std::chrono::hours(24)};
  }
  // Six texts, as long as those of the other hub.
  static std::string text(int i) {
    return "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." + std::string(140, 'x') + std::to_string(i);
  }
  ImportedToken panel() const {
    ImportedToken token{.id = id_of('1'),
                        .user_id = id_of('a'),
                        .name = "Wall panel",
                        .created_at = clock_.now() - std::chrono::hours(1)};
    for (int i = 0; i < 6; ++i) token.hashes.push_back(hash_token(text(i)));
    return token;
  }
  ImportedSession browser() const {
    return {.id = id_of('2'),
            .user_id = id_of('a'),
            .client_id = std::string(kBrowser),
            .hash = hash_token(refresh_),
            .created_at = clock_.now() - std::chrono::hours(48),
            .used_at = clock_.now() - std::chrono::hours(1),
            .expires_at = clock_.now() + std::chrono::hours(24),
            .used_from = "192.0.2.7"};
  }

  storage::TemporaryFolder folder_;
  base::ManualClock clock_;
  AccountStore store_ = AccountStore::open(folder_ / "home.db", clock_).value();
  AccountLoader loader_ = AccountLoader::open(folder_ / "home.db").value();
  storage::Database database_ = storage::Database::open(folder_ / "home.db").value();
  AccountImport import_{database_};
  Authenticator authenticator_{clock_};
  const std::string refresh_ = std::string(128, 'f');
};

}  // namespace hearth::auth
