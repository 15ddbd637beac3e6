// SPDX-License-Identifier: Apache-2.0
// Refresh tokens that are replaced with each use.
#include <gtest/gtest.h>

#include "auth/accounts/account_loader.h"
#include "auth/accounts/account_store.h"
#include "auth/authenticator.h"
#include "storage/temporary_folder.h"

namespace hearth::auth {
namespace {

using namespace std::chrono_literals;
using base::ErrorCode;

constexpr std::string_view kTablet = "http://tablet.example/";

class RotationTest : public testing::Test {
 protected:
  IssuedTokens log_in() { return store_.create_session(ann_.id, kTablet, "192.0.2.1").value(); }
  base::Result<IssuedTokens> refresh(std::string_view token, bool rotate = true) {
    return store_.refresh_session(token, kTablet, "192.0.2.1", {}, rotate, &reused_);
  }
  std::string rotated(std::string_view token) { return refresh(token).value().refresh_token; }

  storage::TemporaryFolder folder_;
  base::ManualClock clock_;
  AccountStore store_ = AccountStore::open(folder_ / "home.db", clock_).value();
  AccountLoader loader_ = AccountLoader::open(folder_ / "home.db").value();
  Authenticator authenticator_{clock_};
  const User ann_ = store_.add_user({"ann", {}, Role::administrator}).value();
  std::optional<AccountStore::EndedSession> reused_;
};

TEST_F(RotationTest, IsForWhoAsks) {
  const auto first = log_in();
  EXPECT_EQ("", refresh(first.refresh_token, false)->refresh_token);
  const auto second = refresh(first.refresh_token).value(), third = refresh(second.refresh_token).value();
  EXPECT_EQ(kTokenLength, second.refresh_token.size());
  EXPECT_NE(first.refresh_token, second.refresh_token);
  EXPECT_NE(second.refresh_token, third.refresh_token);
  EXPECT_EQ(first.session_id, third.session_id);
  authenticator_.publish(loader_.load_if_changed().value().value());
  for (const auto* token : {&first, &second, &third}) {
    EXPECT_NE(nullptr, authenticator_.authenticate(token->access_token));
    EXPECT_TRUE(authenticator_.knows_refresh_token(token->refresh_token));
  }
}

TEST_F(RotationTest, GivesTheSameNewTokenForAReplacedOneForAMinute) {
  const std::string first = log_in().refresh_token, second = rotated(first);
  clock_.advance(30s);
  const std::string third = rotated(second);
  clock_.advance(30s);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(third, rotated(first));
    EXPECT_EQ(third, rotated(second));
  }
  EXPECT_TRUE(refresh(third));
  EXPECT_FALSE(reused_);
}

TEST_F(RotationTest, EndsTheSessionIfAReplacedTokenIsUsedLater) {
  for (const int replaced : {1, 3}) {
    const auto first = log_in(), other = log_in();
    std::string last = first.refresh_token;
    for (int i = 0; i < replaced; ++i) last = rotated(last);
    clock_.advance(60s + 1us);
    const auto refused = refresh(first.refresh_token, false);
    ASSERT_FALSE(refused);
    EXPECT_EQ(ErrorCode::invalid, refused.error().code);
    EXPECT_EQ(first.session_id, reused_.value().id);
    EXPECT_EQ(ann_.id.str(), reused_->user_id);
    EXPECT_FALSE(refresh(last));
    EXPECT_TRUE(refresh(other.refresh_token));
  }
}

TEST_F(RotationTest, RemembersSoManyReplacedTokens) {
  const std::string first = log_in().refresh_token;
  std::string second, last = first;
  for (int i = 0; i <= AccountStore::kMaxFormerTokens; ++i) {
    clock_.advance(1min);
    last = rotated(last);
    if (i == 0) second = last;
  }
  clock_.advance(2min);
  EXPECT_FALSE(refresh(first, false));
  EXPECT_TRUE(refresh(last, false)) << "the first is forgotten";
  EXPECT_FALSE(refresh(second, false));
  EXPECT_FALSE(refresh(last, false));
}

TEST_F(RotationTest, ASessionEndsByAReplacedTokenToo) {
  const std::string first = log_in().refresh_token, second = rotated(first);
  EXPECT_TRUE(store_.end_session(first).value());
  EXPECT_FALSE(refresh(second));
}

}  // namespace
}  // namespace hearth::auth
