// SPDX-License-Identifier: Apache-2.0
// Tokens that may do a part of what their users may, and those to see the home as another user.
#include <gtest/gtest.h>

#include "auth/accounts/account_loader.h"
#include "auth/accounts/account_store.h"
#include "auth/authenticator.h"
#include "storage/temporary_folder.h"

namespace hearth::auth {
namespace {

using base::ErrorCode;

class TokenRightsTest : public testing::Test {
 protected:
  // Without passwords, which take long to hash.
  User add(std::string name, Role role = Role::user) { return store_.add_user({std::move(name), {}, role}).value(); }
  IdentityPtr who(const std::string& token) {
    if (auto loaded = loader_.load_if_changed().value()) authenticator_.publish(std::move(*loaded));
    return authenticator_.authenticate(token);
  }

  storage::TemporaryFolder folder_;
  base::ManualClock clock_;
  AccountStore store_ = AccountStore::open(folder_ / "home.db", clock_).value();
  AccountLoader loader_ = AccountLoader::open(folder_ / "home.db").value();
  Authenticator authenticator_{clock_};
  const User ann_ = add("ann", Role::administrator);
};

TEST_F(TokenRightsTest, KeepsScopesAndRightsOfTokens) {
  const std::vector<std::string> words{"control"};
  core::Policy kitchen;
  kitchen.read.areas = kitchen.control.areas = {"kitchen"};
  const core::TokenRights rights{core::Scopes::parse(words).value(), std::make_shared<const core::Policy>(kitchen)};
  const std::string tablet = store_.create_token("ann", "tablet", std::chrono::days(30), {}, rights).value();
  const std::string phone = store_.create_token("ann", "phone").value();
  const auto identity = who(tablet);
  ASSERT_TRUE(identity && identity->rights.policy);
  EXPECT_EQ("read,control", identity->rights.scopes.text());
  EXPECT_EQ(kitchen, *identity->rights.policy);
  EXPECT_FALSE(who(phone)->rights.limited());
  EXPECT_TRUE(identity->rights.limited());
  const auto tokens = store_.tokens("ann").value();
  for (const auto& token : tokens) EXPECT_EQ(token.name == "tablet", token.rights.limited());
  const auto listed = store_.refresh_tokens(ann_.id).value();
  for (const auto& token : listed) EXPECT_EQ(token.client_name == "tablet", token.rights.limited());
}

TEST_F(TokenRightsTest, LetsAnAdministratorSeeAsAnotherUserForAWhile) {
  const User bob = add("bob");
  const User eve = add("eve", Role::administrator);
  const std::string view = store_.create_view_token(eve.id.str(), bob.id.str()).value();
  const auto identity = who(view);
  ASSERT_NE(nullptr, identity);
  EXPECT_EQ(bob.id, identity->user->id);
  EXPECT_EQ("read,history,template", identity->rights.scopes.text());
  EXPECT_TRUE(store_.tokens("bob").value().front().name.starts_with("Seen by eve ("));
  // One at a time.
  const std::string next = store_.create_view_token(eve.id.str(), ann_.id.str()).value();
  EXPECT_EQ(nullptr, who(view));
  EXPECT_NE(nullptr, who(next));
  clock_.advance(kViewLife);
  EXPECT_EQ(nullptr, who(next));
  EXPECT_TRUE(store_.purge_expired());
  EXPECT_TRUE(store_.tokens("ann").value().empty());
}

TEST_F(TokenRightsTest, EndsTheViewOfWhoIsNoAdministratorAnyMore) {
  const User bob = add("bob");
  const User eve = add("eve", Role::administrator);
  const std::string view = store_.create_view_token(eve.id.str(), bob.id.str()).value();
  EXPECT_NE(nullptr, who(view));
  ASSERT_TRUE(store_.set_role("eve", Role::user));
  EXPECT_EQ(nullptr, who(view));
  ASSERT_TRUE(store_.set_role("eve", Role::administrator));
  EXPECT_NE(nullptr, who(view));
  ASSERT_TRUE(store_.set_active("bob", false));
  EXPECT_EQ(nullptr, who(view));
  EXPECT_EQ(ErrorCode::forbidden, store_.create_view_token(eve.id.str(), bob.id.str()).error().code);
  ASSERT_TRUE(store_.delete_user(eve.id.str()));
  EXPECT_TRUE(store_.tokens("bob").value().empty());
}

TEST_F(TokenRightsTest, RefusesTheScopeAdminToWhoIsNone) {
  add("bob");
  const std::vector<std::string> words{"admin"};
  core::TokenRights rights{core::Scopes::parse(words).value(), nullptr};
  EXPECT_TRUE(store_.create_token("ann", "all", {}, {}, rights));
  EXPECT_EQ("Only an administrator's token can have the scope admin; bob is none.",
            store_.create_token("bob", "all", {}, {}, rights).error().message);
  rights.policy = std::make_shared<const core::Policy>();
  EXPECT_EQ("A token for a part of the home cannot have the scope admin, which reaches all of it.",
            store_.create_token("ann", "part", {}, {}, rights).error().message);
}

// A change of the accounts gives nobody new requests.
TEST_F(TokenRightsTest, KeepsTheUseOfATokenWhenAccountsChange) {
  const std::string phone = store_.create_token("ann", "phone").value();
  const std::string tablet = store_.create_token("ann", "tablet").value();
  const auto before = who(phone)->usage;
  const UsePlace place(before, Use::stream);
  ASSERT_TRUE(store_.change_user(ann_.id.str(), {.display_name = "Anna"}));
  EXPECT_EQ(before, who(phone)->usage);
  EXPECT_NE(before, who(tablet)->usage);
  const auto session = store_.create_session(ann_.id, "http://panel.example/", "192.0.2.1").value();
  const auto usage = who(session.access_token)->usage;
  const auto refreshed = store_.refresh_session(session.refresh_token, "http://panel.example/", "192.0.2.1").value();
  EXPECT_EQ(usage, who(refreshed.access_token)->usage);
  // All of them are of one user.
  const UseLimits limits{.streams = 2};
  std::vector<UsePlace> places;
  for (int i = 0; i < 7; ++i) places.emplace_back(i % 2 == 0 ? usage : before, Use::stream);
  EXPECT_TRUE(who(tablet)->usage->full(Use::stream, limits));
}

}  // namespace
}  // namespace hearth::auth
