// SPDX-License-Identifier: Apache-2.0
#include "auth/failed_login.h"

#include <gtest/gtest.h>

#include "auth/accounts/account_store.h"
#include "auth/login_throttle.h"
#include "storage/temporary_folder.h"

namespace hearth::auth {
namespace {

using namespace std::chrono_literals;

Address address(std::string_view text) {
  return boost::asio::ip::make_address(text);
}

class FailedLoginTest : public testing::Test {
 protected:
  void fail(std::string_view from, std::string_view account, LoginPurpose purpose = LoginPurpose::login) {
    waiting_.note(address(from), account, purpose, clock_.now());
    store_.note_failed_logins(waiting_.drain()).value();
  }
  std::vector<FailedLogin> kept() { return store_.failed_logins().value(); }

  storage::TemporaryFolder folder_;
  base::ManualClock clock_;
  AccountStore store_ = AccountStore::open(folder_ / "home.db", clock_).value();
  FailedLogins waiting_;
};

TEST_F(FailedLoginTest, CountsTheSameFailureTogetherForTenMinutesAfterTheLast) {
  fail("192.0.2.1", "ann");
  clock_.advance(9min);
  fail("192.0.2.1", "ann");
  clock_.advance(9min);
  fail("192.0.2.1", "ann");
  ASSERT_EQ(1u, kept().size());
  EXPECT_EQ(3, kept()[0].failures);
  EXPECT_EQ(18min, kept()[0].last - kept()[0].first);
  clock_.advance(11min);
  fail("192.0.2.1", "ann");
  ASSERT_EQ(2u, kept().size());
  EXPECT_EQ(1, kept()[0].failures);
}

TEST_F(FailedLoginTest, CountsTogetherForAnHourAtMost) {
  for (int i = 0; i < 8; ++i) {
    fail("192.0.2.1", "ann");
    clock_.advance(9min);
  }
  ASSERT_EQ(2u, kept().size());
  EXPECT_EQ(7, kept()[1].failures);
}

TEST_F(FailedLoginTest, KeepsOtherAddressesAccountsAndPurposesApart) {
  fail("192.0.2.1", "ann");
  fail("::ffff:192.0.2.1", "ann");  // the same address
  fail("192.0.2.2", "ann");
  fail("192.0.2.1", "bob");
  fail("192.0.2.1", "", LoginPurpose::api);
  fail("192.0.2.1", "", LoginPurpose::websocket);
  EXPECT_EQ(5u, kept().size());
}

TEST_F(FailedLoginTest, BeginsAnewAfterAGoodLogin) {
  fail("192.0.2.1", "ann");
  store_.close_failed_logins("Ann").value();
  fail("192.0.2.1", "ann");
  EXPECT_EQ(2u, kept().size());
}

TEST_F(FailedLoginTest, KeepsTheLastThousand) {
  for (int i = 0; i < 1'010; ++i) {
    waiting_.note(address("10.0." + std::to_string(i / 256) + "." + std::to_string(i % 256)), "", LoginPurpose::api,
                  clock_.now());
    if (i % 100 == 99) store_.note_failed_logins(waiting_.drain()).value();
    clock_.advance(1ms);
  }
  store_.note_failed_logins(waiting_.drain()).value();
  ASSERT_EQ(1'000u, kept().size());
  EXPECT_EQ("10.0.3.241", kept().front().address);
  EXPECT_EQ("10.0.0.10", kept().back().address);
}

TEST_F(FailedLoginTest, LetsAFewHundredWaitAndCountsThoseThatWait) {
  for (int i = 0; i < 300; ++i) {
    waiting_.note(address("10.0.1." + std::to_string(i % 256)), "", LoginPurpose::api, clock_.now());
    waiting_.note(address("10.0.2." + std::to_string(i % 256)), "", LoginPurpose::api, clock_.now());
  }
  const auto taken = waiting_.drain();
  EXPECT_EQ(FailedLogins::kMaxWaiting, taken.size());
  EXPECT_EQ(2, taken[0].failures);
  EXPECT_TRUE(waiting_.drain().empty());
}

TEST_F(FailedLoginTest, ShowsAUserWhatFailedSinceTheLoginBeforeTheLast) {
  const User ann = store_.add_user({"Ann"}).value();
  const auto log_in = [&] { store_.create_session(ann.id.str(), "http://a/", "192.0.2.1").value(); };
  fail("192.0.2.1", "ann");
  fail("192.0.2.1", "bob");
  auto own = store_.failed_logins_of(ann.id.str()).value();
  EXPECT_FALSE(own.since);
  EXPECT_EQ(1u, own.list.size());
  clock_.advance(1min);
  log_in();
  const base::Timestamp first = clock_.now();
  EXPECT_EQ(1u, store_.failed_logins_of(ann.id.str())->list.size());
  clock_.advance(1min);
  fail("192.0.2.2", "ann");
  clock_.advance(1min);
  log_in();
  own = store_.failed_logins_of(ann.id.str()).value();
  EXPECT_EQ(first, own.since);
  ASSERT_EQ(1u, own.list.size());
  EXPECT_EQ("192.0.2.2", own.list[0].address);
}

TEST_F(FailedLoginTest, ForgetsOneOrAll) {
  fail("192.0.2.1", "ann");
  fail("192.0.2.2", "ann");
  fail("192.0.2.3", "ann");
  const std::int64_t id = kept()[1].id;
  store_.forget_failed_logins(id).value();
  EXPECT_EQ(2u, kept().size());
  EXPECT_EQ(base::ErrorCode::not_found, store_.forget_failed_logins(id).error().code);
  store_.forget_failed_logins({}).value();
  EXPECT_TRUE(kept().empty());
}

TEST_F(FailedLoginTest, TheThrottleRemembersWhatSuccessForgets) {
  LoginThrottle throttle(clock_);
  throttle.begin(address("192.0.2.1"), "Ann")->failed();
  throttle.begin(address("127.0.0.1"), "Ann", LoginPurpose::password_change)->failed();
  throttle.failed(address("127.0.0.1"));
  throttle.begin(address("192.0.2.1"), "Ann")->succeeded();
  EXPECT_EQ(0u, std::ranges::count_if(throttle.list(), [](const auto& one) { return one.is_account; }));
  const auto failed = throttle.drain_failures();
  ASSERT_EQ(3u, failed.size());
  EXPECT_EQ("ann", failed[2].account);
  EXPECT_EQ("login", failed[2].purpose);
  EXPECT_EQ("api", failed[0].purpose);
}

}  // namespace
}  // namespace hearth::auth
