// SPDX-License-Identifier: Apache-2.0
#include "auth/login_throttle.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hearth::auth {
namespace {

using namespace std::chrono_literals;

class LoginThrottleTest : public testing::Test {
 protected:
  static Address address(const std::string& text) { return boost::asio::ip::make_address(text); }
  void fail(const std::string& from, std::size_t times = LoginThrottle::kMaxFailures) {
    for (std::size_t i = 0; i < times; ++i) throttle_.failed(address(from));
  }
  std::int64_t left(const std::string& from) const { return throttle_.retry_after(address(from)).count(); }

  base::ManualClock clock_;
  LoginThrottle throttle_{clock_, [](const Address& candidate) { return candidate == address("198.51.100.7"); }};
};

TEST_F(LoginThrottleTest, BansAfterTenFailuresForFiveMinutes) {
  fail("192.0.2.1", 9);
  EXPECT_FALSE(throttle_.banned(address("192.0.2.1")));
  fail("192.0.2.1", 1);
  EXPECT_TRUE(throttle_.banned(address("192.0.2.1")));
  EXPECT_FALSE(throttle_.banned(address("192.0.2.2")));
  EXPECT_EQ(300, left("192.0.2.1"));
  clock_.advance(299s + 1us);
  EXPECT_EQ(1, left("192.0.2.1"));
  clock_.advance(1s);
  EXPECT_EQ(0, left("192.0.2.1"));
}

TEST_F(LoginThrottleTest, CountsOnlyFailuresWithinFiveMinutes) {
  fail("192.0.2.1", 1);
  clock_.advance(1min);
  fail("192.0.2.1", 8);
  clock_.advance(4min);
  fail("192.0.2.1", 1);
  EXPECT_FALSE(throttle_.banned(address("192.0.2.1")));
  fail("192.0.2.1", 1);
  EXPECT_TRUE(throttle_.banned(address("192.0.2.1")));
}

TEST_F(LoginThrottleTest, DoublesTheBanUpToAnHour) {
  for (const int minutes : {5, 10, 20, 40, 60, 60}) {
    fail("192.0.2.1");
    EXPECT_EQ(minutes * 60, left("192.0.2.1"));
    clock_.advance(std::chrono::minutes(minutes));
  }
}

TEST_F(LoginThrottleTest, ForgetsEarlierBansAfterAnHourWithoutFailures) {
  fail("192.0.2.1");
  clock_.advance(5min + 60min);
  fail("192.0.2.1");
  EXPECT_EQ(300, left("192.0.2.1"));
}

TEST_F(LoginThrottleTest, ForgetsEarlierBansEvenWhileAnotherIsLonger) {
  for (const int minutes : {5, 10, 20, 40}) {
    fail("192.0.2.1");
    clock_.advance(std::chrono::minutes(minutes));
  }
  fail("192.0.2.1");
  fail("192.0.2.2");
  clock_.advance(5min + 60min);
  fail("192.0.2.2");
  EXPECT_EQ(300, left("192.0.2.2"));
}

TEST_F(LoginThrottleTest, RemembersEarlierBansForAnHour) {
  fail("192.0.2.1");
  clock_.advance(5min + 59min);
  fail("192.0.2.1");
  EXPECT_EQ(600, left("192.0.2.1"));
}

TEST_F(LoginThrottleTest, DoesNotLengthenABanByFailuresDuringIt) {
  fail("192.0.2.1");
  clock_.advance(1min);
  fail("192.0.2.1", 25);
  EXPECT_EQ(240, left("192.0.2.1"));
  clock_.advance(4min);
  fail("192.0.2.1", 9);
  EXPECT_EQ(0, left("192.0.2.1"));
}

TEST_F(LoginThrottleTest, StartsCountingAnewAfterASuccess) {
  fail("192.0.2.1", 9);
  throttle_.succeeded(address("192.0.2.1"));
  fail("192.0.2.1", 9);
  EXPECT_FALSE(throttle_.banned(address("192.0.2.1")));
}

TEST_F(LoginThrottleTest, KeepsTheLengthOfTheNextBanOverASuccess) {
  fail("192.0.2.1");
  clock_.advance(5min);
  throttle_.succeeded(address("192.0.2.1"));
  fail("192.0.2.1");
  EXPECT_EQ(600, left("192.0.2.1"));
}

TEST_F(LoginThrottleTest, DoesNotLiftABanByASuccess) {
  fail("192.0.2.1");
  throttle_.succeeded(address("192.0.2.1"));
  EXPECT_TRUE(throttle_.banned(address("192.0.2.1")));
}

TEST_F(LoginThrottleTest, TakesAnIpv6NetworkForOnePlace) {
  for (int i = 0; i < 10; ++i) throttle_.failed(address(fmt::format("2001:db8::{}", i + 1)));
  EXPECT_TRUE(throttle_.banned(address("2001:db8::ffff:1")));
  EXPECT_FALSE(throttle_.banned(address("2001:db8:0:1::1")));
}

TEST_F(LoginThrottleTest, NeverBansLoopbackOrExemptAddresses) {
  for (const auto from :
       {"127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1", "198.51.100.7", "::ffff:198.51.100.7"}) {
    fail(from, 100);
    EXPECT_FALSE(throttle_.banned(address(from))) << from;
  }
  EXPECT_TRUE(throttle_.list().empty());
}

TEST_F(LoginThrottleTest, ListsAndLiftsBans) {
  fail("192.0.2.1");
  fail("2001:db8::5");
  fail("192.0.2.9", 3);
  clock_.advance(1min);
  const auto records = throttle_.list();
  ASSERT_EQ(3u, records.size());
  EXPECT_EQ("192.0.2.1", records[0].subject);
  EXPECT_FALSE(records[0].is_account);
  EXPECT_EQ(clock_.now() + 4min, records[0].banned_until);
  EXPECT_EQ(clock_.now() - 1min, records[0].last_attempt);
  EXPECT_EQ("192.0.2.9", records[1].subject);
  EXPECT_EQ(3u, records[1].failures);
  EXPECT_EQ(std::nullopt, records[1].banned_until);
  EXPECT_EQ("2001:db8::/64", records[2].subject);

  EXPECT_TRUE(throttle_.clear_address("192.0.2.1"));
  EXPECT_TRUE(throttle_.clear_address("2001:db8::/64"));
  EXPECT_FALSE(throttle_.clear_address("192.0.2.1"));
  EXPECT_FALSE(throttle_.clear_address("nonsense"));
  EXPECT_FALSE(throttle_.banned(address("192.0.2.1")));
  EXPECT_EQ(1u, throttle_.list().size());
}

TEST_F(LoginThrottleTest, ForgetsTheOldestBeyondTenThousandPrefixes) {
  fail("192.0.2.1");
  fail("192.0.2.2", 9);
  for (int i = 0; i < 9'998; ++i) fail(fmt::format("10.1.{}.{}", i / 256, i % 256), 1);
  EXPECT_TRUE(throttle_.banned(address("192.0.2.1")));
  fail("192.0.2.2", 1);
  fail("10.9.9.9", 1);
  EXPECT_FALSE(throttle_.banned(address("192.0.2.1")));
  fail("10.9.9.10", 1);
  EXPECT_TRUE(throttle_.banned(address("192.0.2.2")));
}

}  // namespace
}  // namespace hearth::auth
