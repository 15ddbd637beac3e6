// SPDX-License-Identifier: Apache-2.0
// Passwords, and what ends when one changes.
#include <gtest/gtest.h>
#include <sodium.h>

#include <array>

#include "auth/accounts/account_store.h"
#include "storage/temporary_folder.h"

namespace hearth::auth {
namespace {

using base::ErrorCode;

constexpr std::string_view kOld = "small lamps", kNew = "other lamps", kPanel = "http://panel.example/";

class PasswordStoreTest : public testing::Test {
 protected:
  IssuedTokens log_in() { return store_.create_session(ann_.id, kPanel, "192.0.2.1").value(); }
  bool lives(const IssuedTokens& session) {
    return store_.refresh_session(session.refresh_token, kPanel, "192.0.2.1").has_value();
  }
  std::vector<std::string> token_names(std::string_view user = "ann") {
    std::vector<std::string> names;
    for (const auto tokens = store_.tokens(user).value(); const Token& token : tokens) names.push_back(token.name);
    return names;
  }

  storage::TemporaryFolder folder_;
  base::ManualClock clock_;
  AccountStore store_ = AccountStore::open(folder_ / "home.db", clock_).value();
  const User ann_ = store_.add_user("ann", Role::administrator, kOld).value();
};

TEST_F(PasswordStoreTest, EndsAllSessionsWithAChangedPasswordAndKeepsTheTokens) {
  const User bob = store_.add_user({"bob"}).value();
  const auto of_bob = store_.create_session(bob.id, kPanel, "192.0.2.1").value();
  const auto first = log_in(), second = log_in();
  store_.create_token("ann", "phone").value();
  store_.set_password("ann", kNew).value();
  EXPECT_FALSE(lives(first));
  EXPECT_FALSE(lives(second));
  EXPECT_TRUE(lives(of_bob));
  EXPECT_EQ(std::vector<std::string>{"phone"}, token_names());
}

TEST_F(PasswordStoreTest, RevokesTheTokensIfAsked) {
  store_.add_user({"bob"}).value();
  store_.create_token("ann", "phone").value();
  store_.create_token("bob", "phone").value();
  store_.set_password("ann", kNew, {.revoke_tokens = true}).value();
  EXPECT_TRUE(token_names().empty());
  EXPECT_EQ(1u, token_names("bob").size());
}

TEST_F(PasswordStoreTest, KeepsTheSessionThatChangesThePassword) {
  const auto own = log_in(), other = log_in();
  store_.create_token("ann", "phone").value();
  store_.change_password(ann_.id, kOld, kNew, {.kept_token_id = own.session_id, .revoke_tokens = true}).value();
  EXPECT_TRUE(lives(own));
  EXPECT_FALSE(lives(other));
  EXPECT_TRUE(token_names().empty());
}

TEST_F(PasswordStoreTest, KeepsTheTokenThatChangesThePassword) {
  for (const auto name : {"display", "phone"}) store_.create_token("ann", name).value();
  const std::string display = store_.tokens("ann")->at(0).id;
  store_.change_password(ann_.id, kOld, kNew, {.kept_token_id = display, .revoke_tokens = true}).value();
  EXPECT_EQ(std::vector<std::string>{"display"}, token_names());
}

TEST_F(PasswordStoreTest, EndsNothingIfThePasswordIsRefused) {
  const auto session = log_in();
  EXPECT_EQ(ErrorCode::unauthorized, store_.change_password(ann_.id, "guess", kNew).error().code);
  EXPECT_EQ(ErrorCode::invalid, store_.set_password("ann", "1234567").error().code);
  EXPECT_EQ(ErrorCode::invalid, store_.set_login(ann_.id, "anna", "1234567").error().code);
  EXPECT_TRUE(lives(session));
  EXPECT_EQ("ann", store_.find_user_by_id(ann_.id)->name);
  EXPECT_TRUE(store_.verify_password("ann", kOld));
}

TEST_F(PasswordStoreTest, SetsNameAndPasswordTogether) {
  store_.add_user({"bob"}).value();
  const auto session = log_in();
  EXPECT_EQ(ErrorCode::conflict, store_.set_login(ann_.id, "BOB", kNew).error().code);
  EXPECT_TRUE(store_.verify_password("ann", kOld));
  EXPECT_TRUE(lives(session));
  store_.set_login(ann_.id, "anna", kNew).value();
  EXPECT_TRUE(store_.verify_password("anna", kNew));
  EXPECT_FALSE(lives(session));
  EXPECT_EQ(ErrorCode::not_found, store_.set_login("nobody", "x", kNew).error().code);
}

TEST_F(PasswordStoreTest, OpensNoSessionForALoginWithAnOldPassword) {
  const User before = store_.verify_password("ann", kOld).value();
  store_.set_password("ann", kNew).value();
  const auto late = store_.create_session(ann_.id, kPanel, "192.0.2.1", before.password_version);
  ASSERT_FALSE(late);
  EXPECT_EQ(ErrorCode::invalid, late.error().code);
  const User now = store_.verify_password("ann", kNew).value();
  EXPECT_TRUE(store_.create_session(ann_.id, kPanel, "192.0.2.1", now.password_version));
}

TEST_F(PasswordStoreTest, AcceptsAnExistingPasswordThatIsTooShortForANewOne) {
  std::array<char, crypto_pwhash_STRBYTES> hash;
  ASSERT_EQ(0, crypto_pwhash_str(hash.data(), "a", 1, crypto_pwhash_OPSLIMIT_MIN, crypto_pwhash_MEMLIMIT_MIN));
  auto database = storage::Database::open(folder_ / "home.db").value();
  database.run("UPDATE users SET password = ?", std::string_view(hash.data())).value();
  EXPECT_EQ(ann_.id, store_.verify_password("ann", "a")->id);
  store_.change_password(ann_.id, "a", kNew).value();
  EXPECT_TRUE(store_.verify_password("ann", kNew));
}

}  // namespace
}  // namespace hearth::auth
