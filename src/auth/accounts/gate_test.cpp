// SPDX-License-Identifier: Apache-2.0
#include "auth/accounts/gate.h"

#include <gtest/gtest.h>

#include <future>

#include "base/testing/wait_until.h"
#include "storage/temporary_folder.h"

namespace hearth::auth {
namespace {

class GateTest : public testing::Test {
 protected:
  GateTest() {
    AccountStore::open(folder_ / "home.db", clock_)->add_user("ann", Role::user, "small lamps").value();
    gate_.open(folder_ / "home.db").value();
  }
  LoginResult log_in(const std::string& from, const std::string& name, const std::string& password) {
    std::promise<LoginResult> done;
    gate_.log_in(boost::asio::ip::make_address(from), name, password,
                 [&](LoginResult result) { done.set_value(std::move(result)); });
    return base::wait_for(done.get_future());
  }

  storage::TemporaryFolder folder_;
  base::SystemClock clock_;
  Gate gate_{clock_};
};

TEST_F(GateTest, ReturnsTheUserWhoLoggedIn) {
  gate_.accounts.start().value();
  EXPECT_EQ("ann", log_in("192.0.2.1", "Ann", "small lamps")->name);
  const auto wrong = log_in("192.0.2.1", "ann", "guess");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(base::ErrorCode::unauthorized, wrong.error().error.code);
  EXPECT_EQ("The user name or the password is wrong.", wrong.error().error.message);
  EXPECT_EQ(2u, gate_.throttle.list().size());  // the address and the account
}

TEST_F(GateTest, ChecksNoPasswordOfABannedAddress) {
  for (std::size_t i = 0; i < LoginThrottle::kMaxFailures; ++i) {
    gate_.throttle.failed(boost::asio::ip::make_address("192.0.2.1"));
  }
  const auto banned = log_in("192.0.2.1", "ann", "small lamps");
  ASSERT_FALSE(banned);
  EXPECT_EQ(base::ErrorCode::throttled, banned.error().error.code);
  EXPECT_GT(banned.error().retry_after.count(), 290);
}

TEST_F(GateTest, FailsWithUnavailableIfItCannotCheckNow) {
  const auto refused = log_in("192.0.2.1", "ann", "small lamps");
  ASSERT_FALSE(refused);
  EXPECT_EQ(base::ErrorCode::unavailable, refused.error().error.code);
  EXPECT_TRUE(gate_.throttle.list().empty());
}

TEST_F(GateTest, CountsCodesAsGuessesWhichARightPasswordDoesNotForget) {
  auto store = AccountStore::open(folder_ / "home.db", clock_).value();
  const auto codes = store.set_totp(store.find_user("ann")->id, "12345678901234567890", 0).value();
  gate_.accounts.start().value();
  const auto try_code = [&](const std::string& from, const std::string& code) {
    const auto user = log_in(from, "ann", "small lamps");
    EXPECT_TRUE(user) << user.error().error.message;
    const auto owed = gate_.owed_factor(*user);
    EXPECT_TRUE(owed && owed->secret.empty());
    std::promise<LoginResult> done;
    gate_.check_second_factor(boost::asio::ip::make_address(from), *owed, code,
                              [&](LoginResult result) { done.set_value(std::move(result)); });
    return base::wait_for(done.get_future());
  };
  for (std::size_t i = 0; i < LoginThrottle::kMaxFailures; ++i) {
    const auto wrong = try_code("192.0.2.1", "guess");
    ASSERT_FALSE(wrong);
    EXPECT_EQ(base::ErrorCode::unauthorized, wrong.error().error.code);
  }
  EXPECT_EQ(base::ErrorCode::throttled, log_in("192.0.2.1", "ann", "small lamps").error().error.code);
  EXPECT_TRUE(try_code("192.0.2.2", codes[0]));
}

TEST_F(GateTest, DemandsAFactorOfThoseOfWhomTheHomeSaysSo) {
  const User ann{.id = "ann", .name = "ann", .role = Role::user, .active = true, .created_at = {}};
  User admin = ann;
  admin.role = Role::administrator;
  EXPECT_FALSE(gate_.owed_factor(admin));
  gate_.second_factor_demand = SecondFactorDemand::administrators;
  EXPECT_TRUE(gate_.owed_factor(admin));
  EXPECT_EQ(20u, gate_.owed_factor(admin)->secret.size());
  EXPECT_FALSE(gate_.owed_factor(ann));
  gate_.second_factor_demand = SecondFactorDemand::all;
  EXPECT_TRUE(gate_.owed_factor(ann));
}

TEST_F(GateTest, KnowsWhereAnAccountWasUsedInEarlierRuns) {
  const base::Id id = AccountStore::open(folder_ / "home.db", clock_)->find_user("ann")->id;
  AccountStore::open(folder_ / "home.db", clock_)->create_session(id, "http://a/", "192.0.2.7").value();
  Gate next(clock_);
  next.open(folder_ / "home.db").value();
  for (std::size_t i = 0; i < LoginThrottle::kMaxAccountFailures; ++i) {
    next.throttle.begin(boost::asio::ip::make_address("10.0.0." + std::to_string(i)), "ann")->failed();
  }
  EXPECT_FALSE(next.throttle.begin(boost::asio::ip::make_address("192.0.2.8"), "ann"));
  EXPECT_TRUE(next.throttle.begin(boost::asio::ip::make_address("192.0.2.7"), "ann"));
}

}  // namespace
}  // namespace hearth::auth
