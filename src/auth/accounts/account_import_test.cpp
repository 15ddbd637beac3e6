// SPDX-License-Identifier: Apache-2.0
#include "auth/accounts/test_account_import.h"
#include "auth/factors/totp.h"

namespace hearth::auth {
namespace {

using namespace std::chrono_literals;
using base::ErrorCode;

TEST_F(AccountImportTest, AddsAUserAsItWas) {
  core::Policy kitchen;
  kitchen.read.areas = kitchen.control.areas = {"kitchen"};
  add(ann()).value();
  add(ImportedUser{.id = id_of('b'),
                   .name = "bob",
                   .role = Role::reader,
                   .policy = std::make_shared<const core::Policy>(kitchen),
                   .active = false,
                   .created_at = clock_.now() - 1h})
      .value();
  const User ann = store_.find_user("ANN").value(), bob = store_.find_user_by_id(id_of('b')).value();
  EXPECT_EQ(id_of('a'), ann.id.str());
  EXPECT_EQ("Ann", ann.name);
  EXPECT_EQ("Ann B.", ann.display_name);
  EXPECT_EQ(Role::administrator, ann.role);
  EXPECT_TRUE(ann.active && ann.is_owner);
  EXPECT_EQ(clock_.now() - 24h, ann.created_at);
  EXPECT_EQ("bob", bob.display_name);
  EXPECT_EQ(Role::reader, bob.role);
  EXPECT_FALSE(bob.active);
  EXPECT_EQ(kitchen, *bob.policy);
  EXPECT_FALSE(store_.verify_password("bob", ""));
}

TEST_F(AccountImportTest, ASecondFactorFromThereIsAskedForHere) {
  ImportedUser ann = this->ann();
  ann.totp_secret = "12345678901234567890";
  add(ann).value();
  const std::int64_t step = totp_step(clock_.now());
  EXPECT_FALSE(store_.verify_second_factor(ann.id, "000000"));
  EXPECT_TRUE(store_.verify_second_factor(ann.id, totp_code(ann.totp_secret, step)));
  EXPECT_FALSE(store_.verify_second_factor(ann.id, totp_code(ann.totp_secret, step)));
}

TEST_F(AccountImportTest, AddsWhatClientsKeepForTheUser) {
  add(ann()).value();
  const auto put = [&](std::string_view user, std::string_view key, const json::value& value) {
    return committed([&] { return import_.add_user_data(user, key, value); });
  };
  put(id_of('a'), "core", {{"showAdvanced", true}}).value();
  EXPECT_EQ(R"({"core":{"showAdvanced":true}})", store_.user_data(id_of('a')).value());
  EXPECT_EQ(ErrorCode::conflict, put(id_of('a'), "core", 1).error().code);
  EXPECT_EQ(ErrorCode::not_found, put(id_of('c'), "core", 1).error().code);
  EXPECT_EQ(ErrorCode::invalid, put(id_of('a'), "", 1).error().code);
  EXPECT_EQ(ErrorCode::invalid,
            put(id_of('a'), "large", json::value(std::string(AccountStore::kMaxUserData, 'x'))).error().code);
  EXPECT_EQ(1, rows("user_data"));
}

TEST_F(AccountImportTest, TheFirstAdministratorThereIsTheOwner) {
  add(ann()).value();
  add(ImportedUser{.id = id_of('b'), .name = "bob", .role = Role::administrator, .created_at = clock_.now() - 25h})
      .value();
  EXPECT_FALSE(store_.find_user("ann")->is_owner);
  EXPECT_TRUE(store_.find_user("bob")->is_owner);
}

TEST_F(AccountImportTest, APasswordFromThereIsStoredAsArgon2idOnceItWasRight) {
  add(ann()).value();
  EXPECT_EQ(kBcryptLamps, stored_password("Ann"));
  EXPECT_EQ(ErrorCode::unauthorized, store_.verify_password("ann", "large lamps").error().code);
  EXPECT_EQ(kBcryptLamps, stored_password("Ann"));
  const User before = store_.verify_password("ann", "small lamps").value();
  const std::string renewed = stored_password("Ann");
  EXPECT_TRUE(renewed.starts_with("$argon2id$")) << renewed;
  EXPECT_EQ(before.password_version, store_.verify_password("ann", "small lamps")->password_version);
  EXPECT_FALSE(store_.verify_password("ann", "large lamps"));
  EXPECT_EQ(renewed, stored_password("Ann"));
}

TEST_F(AccountImportTest, AWrongStoredPasswordLetsNobodyIn) {
  add(ann()).value();
  for (const std::string& hash : {std::string("nonsense"), std::string(kBcryptLamps).replace(4, 2, "15"),
                                  std::string(kBcryptLamps).substr(0, 40)}) {
    database_.run("UPDATE users SET password = ?", hash).value();
    EXPECT_EQ(ErrorCode::unauthorized, store_.verify_password("ann", "small lamps").error().code);
    EXPECT_EQ(hash, stored_password("Ann"));
  }
}

TEST_F(AccountImportTest, ALongPasswordIsWholeAfterItsFirstLogin) {
  ImportedUser user = ann();
  user.bcrypt = "$2b$04$k9Vwi5xcMAAFEYvHbbzsKunrKEZIkWhbIL/4WrxNvHVnlU1Fi.uuW";
  add(user).value();
  const std::string first = std::string(71, 'a') + 'b';
  EXPECT_TRUE(store_.verify_password("ann", first + "tail"));
  EXPECT_TRUE(store_.verify_password("ann", first + "tail"));
  EXPECT_FALSE(store_.verify_password("ann", first + "other"));
}

TEST_F(AccountImportTest, EachHashOfATokenAuthenticatesUntilItIsRevoked) {
  add(ann()).value();
  add(panel()).value();
  const std::string own = store_.create_token("ann", "own").value();
  for (int i = 0; i < 6; ++i) {
    const auto identity = who(text(i));
    ASSERT_NE(nullptr, identity) << i;
    EXPECT_EQ(id_of('1'), identity->token_id);
    EXPECT_EQ("Ann", identity->user->name);
    EXPECT_EQ(TokenType::long_lived_access_token, identity->type);
    EXPECT_FALSE(identity->rights.limited());
    EXPECT_EQ(who(text(0))->usage, identity->usage) << "all count as one";
    EXPECT_TRUE(authenticator_.still_valid(*identity));
  }
  EXPECT_EQ(nullptr, who(text(6)));
  EXPECT_EQ(2u, store_.tokens("ann")->size());
  EXPECT_EQ(2u, store_.refresh_tokens(id_of('a'))->size());

  const auto before = who(text(5));
  store_.revoke_token("ann", "Wall panel").value();
  for (int i = 0; i < 6; ++i) EXPECT_EQ(nullptr, who(text(i))) << i;
  EXPECT_FALSE(authenticator_.still_valid(*before));
  EXPECT_EQ(0, rows("token_hashes"));
  EXPECT_NE(nullptr, who(own));
}

TEST_F(AccountImportTest, ARevokedTokenIsOneChange) {
  add(ann()).value();
  add(panel()).value();
  who("");
  const auto before = rows("account_changes");
  store_.delete_refresh_token(id_of('a'), id_of('1')).value();
  EXPECT_EQ(before + 1, rows("account_changes"));
  const auto changed = loader_.load_if_changed().value().value();
  EXPECT_FALSE(changed.everything);
  EXPECT_EQ(std::vector<std::string>{id_of('1')}, changed.ids);
}

TEST_F(AccountImportTest, AHashThatIsAddedOrRemovedIsSeenAtOnce) {
  add(ann()).value();
  add(panel()).value();
  EXPECT_NE(nullptr, who(text(3)));
  database_.run("DELETE FROM token_hashes WHERE hash = ?", storage::Blob(hash_token(text(3)))).value();
  EXPECT_EQ(nullptr, who(text(3)));
  EXPECT_NE(nullptr, who(text(2)));
  database_.run("INSERT INTO token_hashes VALUES(?, ?)", storage::Blob(hash_token(text(3))), id_of('1')).value();
  EXPECT_NE(nullptr, who(text(3)));
}

TEST_F(AccountImportTest, TheTokensOfAnInactiveUserWaitForTheirUser) {
  ImportedUser user = ann();
  user.active = false;
  add(user).value();
  add(panel()).value();
  for (int i = 0; i < 6; ++i) EXPECT_EQ(nullptr, who(text(i)));
  store_.set_active("ann", true).value();
  for (int i = 0; i < 6; ++i) EXPECT_NE(nullptr, who(text(i)));
}

TEST_F(AccountImportTest, EachHashOfATokenExpires) {
  add(ann()).value();
  ImportedToken token = panel();
  token.expires_at = clock_.now() + 1min;
  add(token).value();
  for (int i = 0; i < 6; ++i) {
    ASSERT_NE(nullptr, who(text(i))) << i;
    EXPECT_EQ(token.expires_at, who(text(i))->expires_at);
  }
  clock_.advance(1min - 1us);
  for (int i = 0; i < 6; ++i) EXPECT_NE(nullptr, who(text(i)));
  const auto identity = who(text(4));
  clock_.advance(1us);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(nullptr, who(text(i)));
  EXPECT_FALSE(authenticator_.still_valid(*identity));
}

TEST_F(AccountImportTest, ATokenIsListedAsItWas) {
  add(ann()).value();
  ImportedToken token = panel();
  token.expires_at = clock_.now() + 24h;
  token.used_at = clock_.now() - 1min;
  token.used_from = "2001:db8::7";
  token.icon = "mdi:tablet";
  add(token).value();
  const auto list = store_.refresh_tokens(id_of('a')).value();
  ASSERT_EQ(1u, list.size());
  EXPECT_EQ(id_of('1'), list[0].id);
  EXPECT_EQ(TokenType::long_lived_access_token, list[0].type);
  EXPECT_EQ("Wall panel", list[0].client_name);
  EXPECT_EQ("mdi:tablet", list[0].client_icon);
  EXPECT_EQ(token.created_at, list[0].created_at);
  EXPECT_EQ(token.expires_at, list[0].expires_at);
  EXPECT_EQ(token.used_at, list[0].used_at);
  EXPECT_EQ("2001:db8::7", list[0].used_from);
}

TEST_F(AccountImportTest, ASessionGoesOn) {
  add(ann()).value();
  add(browser()).value();
  who("");
  EXPECT_TRUE(authenticator_.knows_refresh_token(refresh_));
  EXPECT_EQ(nullptr, who(refresh_)) << "a refresh token authenticates nobody";
  const auto list = store_.refresh_tokens(id_of('a')).value();
  ASSERT_EQ(1u, list.size());
  EXPECT_EQ(TokenType::normal, list[0].type);
  EXPECT_EQ(kBrowser, list[0].client_id);
  EXPECT_EQ(clock_.now() - 48h, list[0].created_at);
  EXPECT_EQ(clock_.now() + 24h, list[0].expires_at);
  EXPECT_EQ(clock_.now() - 1h, list[0].used_at);
  EXPECT_EQ("192.0.2.7", list[0].used_from);

  const auto issued = store_.refresh_session(refresh_, kBrowser, "192.0.2.1").value();
  EXPECT_EQ(id_of('2'), issued.session_id);
  EXPECT_EQ(id_of('2'), who(issued.access_token)->token_id);
  EXPECT_FALSE(store_.refresh_session(refresh_, "http://other.example/", "192.0.2.1"));
  const std::string rotated = store_.refresh_session(refresh_, kBrowser, "192.0.2.1", {}, true)->refresh_token;
  EXPECT_EQ(kTokenLength, rotated.size());
  EXPECT_EQ(id_of('2'), store_.refresh_session(rotated, kBrowser, "192.0.2.1")->session_id);
  EXPECT_TRUE(store_.end_session(rotated).value());
  EXPECT_EQ(nullptr, who(issued.access_token));
}

TEST_F(AccountImportTest, ASessionEndsWhenItWouldHave) {
  add(ann()).value();
  add(browser()).value();
  clock_.advance(24h);
  EXPECT_FALSE(store_.refresh_session(refresh_, kBrowser, "192.0.2.1"));
}

TEST_F(AccountImportTest, IsOneTransactionOfTheCaller) {
  {
    auto transaction = begin();
    import_.add_user(ann()).value();
    import_.add_token(panel()).value();
    import_.add_session(browser()).value();
    database_.execute("CREATE TABLE other(x)").value();
  }
  for (const char* table : {"users", "tokens", "token_hashes", "sessions", "account_changes"}) {
    EXPECT_EQ(table == std::string("account_changes") ? 1 : 0, rows(table)) << table;
  }
  const auto without = import_.add_user(ann());
  ASSERT_FALSE(without);
  EXPECT_EQ(ErrorCode::internal, without.error().code);
  EXPECT_EQ(0, rows("users"));
}

TEST_F(AccountImportTest, WhatFailsAddsNothingAndTheOthersStay) {
  auto transaction = begin();
  import_.add_user(ann()).value();
  import_.add_token(panel()).value();
  const std::string mixed = text(9);
  ImportedToken other = panel();
  other.id = id_of('3');
  other.name = "Other";
  other.hashes = {hash_token(mixed), hash_token(text(8)), hash_token(text(2))};
  EXPECT_EQ(ErrorCode::conflict, import_.add_token(other).error().code);
  // The row of the token is written before those of its hashes, which a table of its own refuses.
  database_.execute("CREATE TEMP TRIGGER no BEFORE INSERT ON token_hashes BEGIN SELECT RAISE(ABORT, 'no'); END")
      .value();
  other.hashes.pop_back();
  EXPECT_FALSE(import_.add_token(other));
  database_.execute("DROP TRIGGER no").value();
  EXPECT_EQ(1, rows("tokens"));
  EXPECT_EQ(5, rows("token_hashes"));
  import_.add_session(browser()).value();
  transaction.commit().value();
  EXPECT_NE(nullptr, who(text(2)));
  EXPECT_EQ(nullptr, who(mixed));
  EXPECT_TRUE(authenticator_.knows_refresh_token(refresh_));
}

}  // namespace
}  // namespace hearth::auth
