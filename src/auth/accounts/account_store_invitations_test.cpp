// SPDX-License-Identifier: Apache-2.0
// Invitations, and accounts that end.
#include <gtest/gtest.h>

#include "auth/accounts/account_loader.h"
#include "auth/accounts/account_store.h"
#include "auth/authenticator.h"
#include "storage/temporary_folder.h"

namespace hearth::auth {
namespace {

using base::ErrorCode;
using std::chrono::hours;

class InvitationsTest : public testing::Test {
 protected:
  IdentityPtr who(const std::string& token) {
    if (auto loaded = loader_.load_if_changed().value()) authenticator_.publish(std::move(*loaded));
    return authenticator_.authenticate(token);
  }
  base::Result<User> accept(const std::string& text, const std::string& name) {
    return store_.accept_invitation(text, {.name = name, .password = "small lamps"});
  }
  std::string refusal(const std::string& text) { return store_.find_invitation(text).error().message; }

  storage::TemporaryFolder folder_;
  base::ManualClock clock_;
  AccountStore store_ = AccountStore::open(folder_ / "home.db", clock_).value();
  AccountLoader loader_ = AccountLoader::open(folder_ / "home.db").value();
  Authenticator authenticator_{clock_};
  const User ann_ = store_.add_user({"ann", {}, Role::administrator}).value();
};

TEST_F(InvitationsTest, BringRoleRightsAndEndOnce) {
  core::Policy kitchen;
  kitchen.read.areas = {"kitchen"};
  const base::Timestamp end = clock_.now() + hours(100);
  const NewInvitation guest{.name = "Grandma",
                            .role = Role::reader,
                            .policy = std::make_shared<const core::Policy>(kitchen),
                            .ends_at = end,
                            .inviter_id = std::string(ann_.id.str())};
  const std::string text = store_.invite(guest).value();
  const Invitation found = store_.find_invitation(text).value();
  EXPECT_EQ("Grandma", found.given.name);
  EXPECT_EQ("ann", found.inviter);
  EXPECT_EQ(clock_.now() + AccountStore::kInvitationLife, found.expires_at);
  const User user = accept(text, "oma").value();
  EXPECT_EQ("Grandma", user.display_name);
  EXPECT_EQ(Role::reader, user.role);
  EXPECT_EQ(kitchen, *user.policy);
  EXPECT_EQ(end, user.ends_at);
  EXPECT_EQ(ErrorCode::conflict, accept(text, "opa").error().code);
  EXPECT_EQ("This invitation was used on 2026-11-21 00:00 UTC; it is good once.", refusal(text));
  const Invitation used = store_.invitations().value().at(0);
  EXPECT_EQ(clock_.now(), used.used_at);
  EXPECT_EQ("oma", used.used_by);
}

TEST_F(InvitationsTest, EndByThemselvesAndWithTheirInviter) {
  const std::string old = store_.invite({.name = "Old", .inviter_id = std::string(ann_.id.str())}).value();
  clock_.advance(AccountStore::kInvitationLife);
  EXPECT_EQ("This invitation ended on 2026-11-23 00:00 UTC. Ask for another.", refusal(old));
  const User eve = store_.add_user({"eve", {}, Role::administrator}).value();
  const std::string text = store_.invite({.name = "X", .inviter_id = std::string(eve.id.str())}).value();
  ASSERT_TRUE(store_.set_active("eve", false));
  EXPECT_EQ(ErrorCode::not_found, store_.find_invitation(text).error().code);
  ASSERT_TRUE(store_.set_active("eve", true));
  EXPECT_TRUE(store_.find_invitation(text));
  ASSERT_TRUE(store_.delete_user(eve.id.str()));
  EXPECT_EQ(ErrorCode::not_found, store_.find_invitation(text).error().code);
  clock_.advance(AccountStore::kInvitationKept);
  EXPECT_EQ(1u, store_.invitations()->size());
  EXPECT_TRUE(store_.purge_expired());
  EXPECT_EQ(0u, store_.invitations()->size());
}

TEST_F(InvitationsTest, AWrongAnswerUsesNothingUp) {
  const std::string text = store_.invite({.name = "X"}).value();
  EXPECT_EQ("There is a user named ann already.", accept(text, "ANN").error().message);
  EXPECT_EQ(ErrorCode::invalid, store_.accept_invitation(text, {.name = "bob", .password = "short"}).error().code);
  EXPECT_EQ(ErrorCode::invalid, accept(text, std::string(640, 'x')).error().code);
  EXPECT_EQ(ErrorCode::not_found, accept("nonsense", "bob").error().code);
  EXPECT_TRUE(accept(text, "bob"));
}

TEST_F(InvitationsTest, AnAccountEndsWithItsTokensAndSessions) {
  const User bob = store_.add_user("bob", Role::user, "small lamps").value();
  const std::string token = store_.create_token("bob", "phone", std::nullopt).value();
  const auto session = store_.create_session(bob.id, "http://panel.example/", "192.0.2.1").value();
  ASSERT_TRUE(store_.set_end("bob", clock_.now() + std::chrono::minutes(10)));
  const auto before = who(token);
  ASSERT_TRUE(before && who(session.access_token));
  clock_.advance(std::chrono::minutes(10));
  EXPECT_EQ(nullptr, who(token));
  EXPECT_EQ(nullptr, who(session.access_token));
  EXPECT_FALSE(authenticator_.still_valid(*before));
  EXPECT_EQ(ErrorCode::forbidden,
            store_.refresh_session(session.refresh_token, "http://panel.example/", "192.0.2.1").error().code);
  EXPECT_EQ(ErrorCode::unauthorized, store_.verify_password("bob", "small lamps").error().code);
  EXPECT_EQ(ErrorCode::forbidden, store_.create_view_token(ann_.id.str(), bob.id.str()).error().code);
  ASSERT_TRUE(store_.set_end("bob", std::nullopt));
  EXPECT_TRUE(who(token));
  EXPECT_TRUE(store_.verify_password("bob", "small lamps"));
}

TEST_F(InvitationsTest, AnAdministratorHasNoEndAndNoLimits) {
  const auto later = clock_.now() + hours(1);
  EXPECT_EQ(ErrorCode::conflict, store_.set_end("ann", later).error().code);
  EXPECT_EQ(ErrorCode::conflict, store_.change_user(ann_.id.str(), {.ends_at = later}).error().code);
  EXPECT_EQ(ErrorCode::conflict,
            store_.invite({.name = "X", .role = Role::administrator, .ends_at = later}).error().code);
  EXPECT_EQ("The end of an account must be a time to come.",
            store_.invite({.name = "X", .ends_at = clock_.now()}).error().message);
  // An end from before does not count for who became one.
  const User bob = store_.add_user("bob", Role::user, "small lamps").value();
  const std::string token = store_.create_token("bob", "phone", std::nullopt).value();
  ASSERT_TRUE(store_.set_end("bob", later));
  ASSERT_TRUE(store_.set_role("bob", Role::administrator));
  clock_.advance(hours(2));
  EXPECT_TRUE(who(token));
  EXPECT_EQ(std::nullopt, store_.find_user_by_id(bob.id)->ends_at);
  EXPECT_TRUE(store_.verify_password("bob", "small lamps"));
}

}  // namespace
}  // namespace hearth::auth
