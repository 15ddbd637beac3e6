// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "auth/accounts/account_loader.h"
#include "auth/accounts/account_store.h"
#include "auth/factors/totp.h"
#include "storage/temporary_folder.h"

namespace hearth::auth {
namespace {

using namespace std::chrono_literals;

class AccountStoreFactorsTest : public testing::Test {
 protected:
  std::string code(std::int64_t later = 0) const { return totp_code(kSecret, totp_step(clock_.now()) + later); }
  bool takes(std::string_view text) { return store_.verify_second_factor(ann_.id, text).has_value(); }

  static constexpr std::string_view kSecret = "12345678901234567890";
  storage::TemporaryFolder folder_;
  base::ManualClock clock_;
  AccountStore store_ = AccountStore::open(folder_ / "home.db", clock_).value();
  User ann_ = store_.add_user("ann", Role::user, "small lamps").value();
};

TEST_F(AccountStoreFactorsTest, TakesEachCodeOfTheAppOnce) {
  EXPECT_FALSE(takes(code()));
  store_.set_totp(ann_.id, kSecret, totp_step(clock_.now())).value();
  EXPECT_TRUE(store_.find_user("ann")->has_totp);
  EXPECT_FALSE(takes(code())) << "it has set the app up";
  EXPECT_TRUE(takes(code(1)));
  EXPECT_FALSE(takes(code(1)));
  clock_.advance(60s);
  EXPECT_TRUE(takes(code()));
  EXPECT_EQ(base::ErrorCode::unauthorized, store_.verify_second_factor(ann_.id, "000000").error().code);
}

TEST_F(AccountStoreFactorsTest, TakesEachRecoveryCodeOnce) {
  const auto codes = store_.set_totp(ann_.id, kSecret, 0).value();
  EXPECT_EQ(10, store_.recovery_codes_left(ann_.id));
  for (const std::string& each : codes) {
    EXPECT_TRUE(takes(each));
    EXPECT_FALSE(takes(each));
  }
  EXPECT_EQ(0, store_.recovery_codes_left(ann_.id));
  const auto others = store_.renew_recovery_codes(ann_.id).value();
  EXPECT_FALSE(takes(codes[0]));
  store_.renew_recovery_codes(ann_.id).value();
  EXPECT_FALSE(takes(others[0]));
  EXPECT_EQ(10, store_.recovery_codes_left(ann_.id));
}

TEST_F(AccountStoreFactorsTest, CodesOfOneUserAreNotThoseOfAnother) {
  const auto codes = store_.set_totp(ann_.id, kSecret, 0).value();
  const User bob = store_.add_user("bob", Role::user, "small lamps").value();
  store_.set_totp(bob.id, "another secret......", 0).value();
  EXPECT_FALSE(store_.verify_second_factor(bob.id, codes[0]));
  EXPECT_FALSE(store_.verify_second_factor(bob.id, code()));
  EXPECT_TRUE(takes(codes[0]));
}

TEST_F(AccountStoreFactorsTest, AClockThatWasWrongLocksNobodyOut) {
  const base::Timestamp now = clock_.now();
  store_.set_totp(ann_.id, kSecret, 0).value();
  clock_.set(now + std::chrono::years(10));
  EXPECT_TRUE(takes(code()));
  clock_.set(now);
  EXPECT_TRUE(takes(code()));
  EXPECT_FALSE(takes(code()));
}

TEST_F(AccountStoreFactorsTest, OfInactiveUsersTakesNothing) {
  store_.add_user("admin", Role::administrator, "small lamps").value();
  const auto codes = store_.set_totp(ann_.id, kSecret, 0).value();
  store_.set_active("ann", false).value();
  EXPECT_FALSE(takes(code()));
  EXPECT_FALSE(takes(codes[0]));
  store_.set_active("ann", true).value();
  EXPECT_TRUE(takes(codes[0]));
}

TEST_F(AccountStoreFactorsTest, LeavesNothingOfARemovedApp) {
  const auto codes = store_.set_totp(ann_.id, kSecret, 0).value();
  store_.remove_totp(ann_.id).value();
  EXPECT_FALSE(store_.find_user("ann")->has_totp);
  EXPECT_EQ(0, store_.recovery_codes_left(ann_.id));
  EXPECT_EQ(base::ErrorCode::not_found, store_.remove_totp(ann_.id).error().code);
  EXPECT_EQ(base::ErrorCode::not_found, store_.renew_recovery_codes(ann_.id).error().code);
  EXPECT_EQ(base::ErrorCode::not_found, store_.set_totp("none", kSecret, 0).error().code);
  store_.set_totp(ann_.id, kSecret, 0).value();
  EXPECT_FALSE(takes(codes[0]));
  EXPECT_TRUE(store_.delete_user(ann_.id));
}

TEST_F(AccountStoreFactorsTest, IsSeenByTheRunningHub) {
  auto loader = AccountLoader::open(folder_ / "home.db").value();
  store_.create_token("ann", "panel").value();
  EXPECT_FALSE(loader.load_if_changed().value()->tokens.at(0).identity.user->has_totp);
  store_.set_totp(ann_.id, kSecret, 0).value();
  EXPECT_TRUE(loader.load_if_changed().value()->tokens.at(0).identity.user->has_totp);
  store_.remove_totp(ann_.id).value();
  EXPECT_FALSE(loader.load_if_changed().value()->tokens.at(0).identity.user->has_totp);
}

}  // namespace
}  // namespace hearth::auth
