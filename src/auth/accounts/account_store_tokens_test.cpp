// SPDX-License-Identifier: Apache-2.0
// Users by id, sessions, and the tokens that clients list and delete.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "auth/accounts/account_loader.h"
#include "auth/accounts/account_store.h"
#include "auth/authenticator.h"
#include "storage/temporary_folder.h"

namespace hearth::auth {
namespace {

using namespace std::chrono_literals;
using base::ErrorCode;

constexpr std::string_view kClient = "http://panel.example/";

class SessionStoreTest : public testing::Test {
 protected:
  // Without passwords, which take long to hash.
  User add(std::string name, Role role = Role::user) { return store_.add_user({std::move(name), {}, role}).value(); }
  void publish() {
    if (auto loaded = loader_.load_if_changed().value()) authenticator_.publish(std::move(*loaded));
  }
  IdentityPtr who(const std::string& token) {
    publish();
    return authenticator_.authenticate(token);
  }
  IssuedTokens log_in(const User& user) { return store_.create_session(user.id, kClient, "192.0.2.1").value(); }

  storage::TemporaryFolder folder_;
  base::ManualClock clock_;
  AccountStore store_ = AccountStore::open(folder_ / "home.db", clock_).value();
  AccountLoader loader_ = AccountLoader::open(folder_ / "home.db").value();
  Authenticator authenticator_{clock_};
  const User ann_ = add("ann", Role::administrator);
};

TEST_F(SessionStoreTest, AuthenticatesByAccessTokenAndNeverByRefreshToken) {
  const auto issued = log_in(ann_);
  const auto identity = who(issued.access_token);
  ASSERT_NE(nullptr, identity);
  EXPECT_EQ(ann_.id, identity->user->id);
  EXPECT_EQ(issued.session_id, identity->token_id);
  EXPECT_EQ(TokenType::normal, identity->type);
  EXPECT_EQ(clock_.now() + 30min, identity->expires_at);
  EXPECT_EQ(nullptr, who(issued.refresh_token));
}

TEST_F(SessionStoreTest, GivesAnotherAccessTokenForTheRefreshToken) {
  const auto first = log_in(ann_);
  clock_.advance(29min);
  const auto second = store_.refresh_session(first.refresh_token, kClient, "192.0.2.1").value();
  EXPECT_EQ("", second.refresh_token);
  EXPECT_EQ(first.session_id, second.session_id);
  EXPECT_NE(nullptr, who(first.access_token));
  clock_.advance(1min);
  EXPECT_EQ(nullptr, who(first.access_token));
  EXPECT_NE(nullptr, who(second.access_token));
}

TEST_F(SessionStoreTest, RefusesRefreshTokensOfOthers) {
  const auto issued = log_in(ann_);
  for (const auto& [token, client] :
       {std::pair(make_token(), std::string(kClient)), std::pair(issued.access_token, std::string(kClient)),
        std::pair(issued.refresh_token, std::string("http://other.example/"))}) {
    const auto refused = store_.refresh_session(token, client, "192.0.2.1");
    ASSERT_FALSE(refused);
    EXPECT_EQ(ErrorCode::invalid, refused.error().code);
  }
}

TEST_F(SessionStoreTest, EndsNinetyDaysAfterItsLastUse) {
  const auto issued = log_in(ann_);
  clock_.advance(kSessionLife - 1us);
  EXPECT_TRUE(store_.refresh_session(issued.refresh_token, kClient, "192.0.2.1"));
  clock_.advance(kSessionLife - 1us);
  EXPECT_TRUE(store_.refresh_session(issued.refresh_token, kClient, "192.0.2.1"));
  clock_.advance(kSessionLife);
  EXPECT_FALSE(store_.refresh_session(issued.refresh_token, kClient, "192.0.2.1"));
  EXPECT_TRUE(store_.refresh_tokens(ann_.id)->empty());
}

TEST_F(SessionStoreTest, GivesNothingToInactiveUsers) {
  const User bob = add("bob");
  const auto issued = log_in(bob);
  store_.change_user(bob.id, {.active = false}).value();
  EXPECT_EQ(nullptr, who(issued.access_token));
  EXPECT_EQ(ErrorCode::forbidden, store_.refresh_session(issued.refresh_token, kClient, "x").error().code);
  EXPECT_EQ(ErrorCode::forbidden, store_.create_session(bob.id, kClient, "x").error().code);
  store_.change_user(bob.id, {.active = true}).value();
  EXPECT_NE(nullptr, who(issued.access_token));
}

TEST_F(SessionStoreTest, EndsAllAccessTokensWithTheSession) {
  const auto first = log_in(ann_), other = log_in(ann_);
  const auto second = store_.refresh_session(first.refresh_token, kClient, "192.0.2.1").value();
  const auto identity = who(second.access_token);
  store_.end_session(first.refresh_token).value();
  EXPECT_EQ(nullptr, who(first.access_token));
  EXPECT_EQ(nullptr, who(second.access_token));
  EXPECT_FALSE(authenticator_.still_valid(*identity));
  EXPECT_NE(nullptr, who(other.access_token));
  EXPECT_TRUE(store_.end_session(first.refresh_token));
}

TEST_F(SessionStoreTest, KeepsTheNewestAccessTokensOfASession) {
  const auto first = log_in(ann_);
  std::string last;
  for (int i = 0; i < AccountStore::kMaxAccessTokens; ++i) {
    EXPECT_NE(nullptr, who(first.access_token));
    clock_.advance(1us);
    last = store_.refresh_session(first.refresh_token, kClient, "192.0.2.1")->access_token;
  }
  EXPECT_EQ(nullptr, who(first.access_token));
  EXPECT_NE(nullptr, who(last));
}

TEST_F(SessionStoreTest, IsFoundByIdEvenWithoutAnAccessToken) {
  const auto issued = log_in(ann_);
  clock_.advance(1h);
  store_.purge_expired().value();
  publish();
  ASSERT_NE(nullptr, authenticator_.find(issued.session_id));
  EXPECT_TRUE(authenticator_.still_valid(*authenticator_.find(issued.session_id)));
  clock_.advance(kSessionLife);
  EXPECT_EQ(nullptr, authenticator_.find(issued.session_id));
  store_.purge_expired().value();
  EXPECT_FALSE(store_.refresh_session(issued.refresh_token, kClient, "192.0.2.1"));
}

TEST_F(SessionStoreTest, ListsSessionsAndLongLivedTokens) {
  const auto issued = log_in(ann_);
  clock_.advance(1s);
  store_.create_token("ann", "phone", std::chrono::days(10), "mdi:phone").value();
  const auto list = store_.refresh_tokens(ann_.id).value();
  ASSERT_EQ(2u, list.size());
  EXPECT_EQ(issued.session_id, list[0].id);
  EXPECT_EQ(TokenType::normal, list[0].type);
  EXPECT_EQ(kClient, list[0].client_id);
  EXPECT_EQ(std::nullopt, list[0].client_name);
  EXPECT_EQ("192.0.2.1", list[0].used_from);
  EXPECT_EQ(clock_.now() - 1s + kSessionLife, list[0].expires_at);
  EXPECT_EQ(TokenType::long_lived_access_token, list[1].type);
  EXPECT_EQ(std::nullopt, list[1].client_id);
  EXPECT_EQ("phone", list[1].client_name);
  EXPECT_EQ("mdi:phone", list[1].client_icon);
  EXPECT_EQ(std::nullopt, list[1].used_at);
  EXPECT_EQ(ErrorCode::not_found, store_.refresh_tokens("nobody").error().code);
}

TEST_F(SessionStoreTest, NotesTheUseOfASession) {
  const auto issued = log_in(ann_);
  clock_.advance(1min);
  loader_.note_uses(std::vector<TokenUse>{{issued.session_id, clock_.now(), "198.51.100.3"}}).value();
  const auto list = store_.refresh_tokens(ann_.id).value();
  EXPECT_EQ(clock_.now(), list[0].used_at);
  EXPECT_EQ("198.51.100.3", list[0].used_from);
  ASSERT_EQ(1u, store_.known_places()->size());
  EXPECT_EQ("ann", store_.known_places()->at(0).folded_name);
  EXPECT_EQ("198.51.100.3", store_.known_places()->at(0).address);
}

TEST_F(SessionStoreTest, DeletesOneTokenOfItsUserOnly) {
  const User bob = add("bob");
  const auto issued = log_in(ann_);
  const std::string phone = store_.create_token("ann", "phone").value();
  const std::string phone_id = store_.refresh_tokens(ann_.id)->at(1).id == issued.session_id
                                   ? store_.refresh_tokens(ann_.id)->at(0).id
                                   : store_.refresh_tokens(ann_.id)->at(1).id;
  EXPECT_EQ(ErrorCode::not_found, store_.delete_refresh_token(bob.id, phone_id).error().code);
  EXPECT_EQ(ErrorCode::not_found, store_.delete_refresh_token(bob.id, issued.session_id).error().code);
  store_.delete_refresh_token(ann_.id, phone_id).value();
  EXPECT_EQ(nullptr, who(phone));
  EXPECT_NE(nullptr, who(issued.access_token));
  store_.delete_refresh_token(ann_.id, issued.session_id).value();
  EXPECT_EQ(nullptr, who(issued.access_token));
  EXPECT_EQ(ErrorCode::not_found, store_.delete_refresh_token(ann_.id, issued.session_id).error().code);
}

TEST_F(SessionStoreTest, DeletesTokensByTypeExceptTheOneToKeep) {
  const auto kept = log_in(ann_), other = log_in(ann_);
  const std::string phone = store_.create_token("ann", "phone").value();
  store_.delete_refresh_tokens(ann_.id, TokenType::normal, kept.session_id).value();
  EXPECT_NE(nullptr, who(kept.access_token));
  EXPECT_EQ(nullptr, who(other.access_token));
  EXPECT_NE(nullptr, who(phone));
  store_.delete_refresh_tokens(ann_.id, TokenType::long_lived_access_token).value();
  EXPECT_EQ(nullptr, who(phone));
  EXPECT_NE(nullptr, who(kept.access_token));
  store_.delete_refresh_tokens(ann_.id, std::nullopt).value();
  EXPECT_EQ(nullptr, who(kept.access_token));
}

TEST_F(SessionStoreTest, KeepsNoTokenInTheFile) {
  IssuedTokens issued;
  {
    auto store = AccountStore::open(folder_ / "other.db", clock_).value();
    issued = store.create_session(store.add_user({"ann"})->id, kClient, "192.0.2.1").value();
  }
  std::ifstream file(folder_ / "other.db", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(std::string::npos, bytes.find(kClient));
  EXPECT_EQ(std::string::npos, bytes.find(issued.refresh_token));
  EXPECT_EQ(std::string::npos, bytes.find(issued.access_token));
}

TEST_F(SessionStoreTest, DistinguishesTheOwnerFromOtherAdministrators) {
  clock_.advance(1s);
  const User bob = add("bob", Role::administrator);
  EXPECT_TRUE(store_.find_user("ann")->is_owner);
  EXPECT_FALSE(store_.find_user("bob")->is_owner);
  const auto issued = log_in(ann_);
  EXPECT_TRUE(who(issued.access_token)->user->is_owner);
  store_.change_user(ann_.id, {.role = Role::user}).value();
  EXPECT_TRUE(store_.find_user_by_id(bob.id)->is_owner);
}

TEST_F(SessionStoreTest, ChangesAUserById) {
  const User bob = add("bob");
  const User changed =
      store_.change_user(bob.id, {.name = "Robert", .display_name = "Bob", .role = Role::reader}).value();
  EXPECT_EQ("Robert", changed.name);
  EXPECT_EQ("Bob", changed.display_name);
  EXPECT_EQ(Role::reader, changed.role);
  EXPECT_EQ(bob.id, store_.find_user("robert")->id);
  EXPECT_EQ(ErrorCode::conflict, store_.change_user(bob.id, {.name = "ANN"}).error().code);
  EXPECT_EQ(ErrorCode::invalid, store_.change_user(bob.id, {.display_name = ""}).error().code);
  EXPECT_EQ(ErrorCode::not_found, store_.change_user("nobody", {.active = false}).error().code);
  EXPECT_EQ("Robert", store_.find_user_by_id(bob.id)->name);
}

TEST_F(SessionStoreTest, PublishesANewDisplayName) {
  const auto issued = log_in(ann_);
  EXPECT_EQ("ann", who(issued.access_token)->user->display_name);
  store_.change_user(ann_.id, {.display_name = "Ann B."}).value();
  EXPECT_EQ("Ann B.", who(issued.access_token)->user->display_name);
}

TEST_F(SessionStoreTest, NeverLosesTheLastActiveAdministrator) {
  const User bob = add("bob", Role::administrator);
  store_.change_user(bob.id, {.active = false}).value();
  const auto demoted = store_.change_user(ann_.id, {.role = Role::user});
  ASSERT_FALSE(demoted);
  EXPECT_EQ(ErrorCode::conflict, demoted.error().code);
  EXPECT_EQ("ann is the last active administrator.", demoted.error().message);
  EXPECT_EQ(ErrorCode::conflict, store_.change_user(ann_.id, {.active = false}).error().code);
  EXPECT_EQ(ErrorCode::conflict, store_.delete_user(ann_.id).error().code);
  EXPECT_EQ(Role::administrator, store_.find_user("ann")->role);
  EXPECT_TRUE(store_.change_user(ann_.id, {.display_name = "Ann"}));
  store_.change_user(bob.id, {.active = true}).value();
  EXPECT_TRUE(store_.delete_user(ann_.id));
  EXPECT_EQ(ErrorCode::not_found, store_.delete_user(ann_.id).error().code);
}

TEST_F(SessionStoreTest, DeletesAUserWithAllTheirTokens) {
  const User bob = add("bob");
  const auto issued = log_in(bob);
  const std::string phone = store_.create_token("bob", "phone").value();
  store_.delete_user(bob.id).value();
  EXPECT_EQ(nullptr, who(issued.access_token));
  EXPECT_EQ(nullptr, who(phone));
  EXPECT_FALSE(store_.refresh_session(issued.refresh_token, kClient, "192.0.2.1"));
}

TEST_F(SessionStoreTest, GivesAUserTwoHundredTokens) {
  const User bob = add("bob");
  for (int i = 0; i < 200; ++i) store_.create_token("ann", "token " + std::to_string(i)).value();
  const auto refused = store_.create_token("ann", "one more");
  ASSERT_FALSE(refused);
  EXPECT_EQ(ErrorCode::invalid, refused.error().code);
  EXPECT_EQ("ann has 200 tokens already, the most that a user may have (tokens_per_user); revoke one first.",
            refused.error().message);
  EXPECT_EQ(200u, store_.tokens("ann")->size());
  EXPECT_TRUE(store_.create_token("bob", "one"));
  store_.revoke_token("ann", "token 7").value();
  EXPECT_TRUE(store_.create_token("ann", "one more"));
}

TEST_F(SessionStoreTest, EndsTheLeastRecentlyUsedOfTooManySessions) {
  auto store = AccountStore::open(folder_ / "home.db", clock_, {.sessions = 3}).value();
  const User bob = add("bob");
  const auto of_bob = log_in(bob);
  std::vector<IssuedTokens> issued;
  for (int i = 0; i < 3; ++i) {
    clock_.advance(1s);
    issued.push_back(log_in(ann_));
  }
  clock_.advance(1s);
  store.refresh_session(issued[0].refresh_token, kClient, "192.0.2.1").value();
  clock_.advance(1s);
  const auto newest = store.create_session(ann_.id, kClient, "192.0.2.1").value();
  EXPECT_EQ(nullptr, who(issued[1].access_token));
  for (const auto& session : {issued[0], issued[2], newest, of_bob}) EXPECT_NE(nullptr, who(session.access_token));
}

TEST_F(SessionStoreTest, GivesAUserTwoHundredSessions) {
  for (int i = 0; i < 201; ++i) log_in(ann_);
  EXPECT_EQ(200u, store_.refresh_tokens(ann_.id)->size());
}

TEST_F(SessionStoreTest, LetsNobodyLogInWithoutAPassword) {
  EXPECT_FALSE(store_.verify_password("ann", ""));
  store_.set_password("ann", "small lamps").value();
  EXPECT_TRUE(store_.verify_password("ann", "small lamps"));
  EXPECT_EQ(ErrorCode::unauthorized, store_.change_password(ann_.id, "guess", "other lamps").error().code);
  store_.change_password(ann_.id, "small lamps", "other lamps").value();
  EXPECT_TRUE(store_.verify_password("ann", "other lamps"));
}

TEST_F(SessionStoreTest, MakesAFirstAdministratorOnlyIfThereIsNobody) {
  EXPECT_EQ(ErrorCode::forbidden, store_.add_first_administrator({"bob", {}, Role::user, "small lamps"}).error().code);
  auto empty = AccountStore::open(folder_ / "other.db", clock_).value();
  EXPECT_EQ(ErrorCode::invalid, empty.add_first_administrator({"bob", {}, Role::user, ""}).error().code);
  EXPECT_EQ(ErrorCode::invalid, empty.add_first_administrator({"", {}, Role::user, "small lamps"}).error().code);
  const User bob = empty.add_first_administrator({"bob", "Bob", Role::reader, "small lamps"}).value();
  EXPECT_EQ(Role::administrator, bob.role);
  EXPECT_EQ("Bob", bob.display_name);
  EXPECT_TRUE(bob.is_owner);
  EXPECT_TRUE(empty.verify_password("bob", "small lamps"));
  EXPECT_EQ(ErrorCode::forbidden, empty.add_first_administrator({"eve", {}, Role::user, "small lamps"}).error().code);
}

TEST_F(SessionStoreTest, KeepsWhatTheClientCallsItselfUntilItSaysOtherwise) {
  const auto issued = store_.create_session(ann_.id, kClient, "192.0.2.1", {}, "Firefox\n\xE4").value();
  const auto shown = [&] { return store_.refresh_tokens(ann_.id.str()).value().at(0).user_agent; };
  EXPECT_EQ("Firefox??", shown());
  store_.refresh_session(issued.refresh_token, kClient, "192.0.2.1").value();
  EXPECT_EQ("Firefox??", shown());
  store_.refresh_session(issued.refresh_token, kClient, "192.0.2.1", std::string(300, 'x')).value();
  EXPECT_EQ(std::string(255, 'x'), shown());
}

}  // namespace
}  // namespace hearth::auth
