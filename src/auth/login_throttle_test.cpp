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

  // Sends one wrong password; returns the delay of its answer in milliseconds, or -1 if it is not even checked.
  std::int64_t guess(const std::string& from, std::string_view account) {
    auto attempt = throttle_.begin(address(from), account);
    return attempt ? std::chrono::duration_cast<std::chrono::milliseconds>(attempt->failed()).count() : -1;
  }
  // From so many addresses that none of them is banned.
  void guess_from_everywhere(std::string_view account, std::size_t times = LoginThrottle::kMaxAccountFailures) {
    for (std::size_t i = 0; i < times; ++i) guess(fmt::format("203.0.113.{}", i), account);
  }

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

TEST_F(LoginThrottleTest, StartsCountingAgainAfterASuccess) {
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

TEST_F(LoginThrottleTest, TreatsAnIpv6NetworkAsOneAddress) {
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

TEST_F(LoginThrottleTest, HoldsBackAnswersToPasswordsLongerEachTime) {
  std::vector<std::int64_t> holds;
  for (int i = 0; i < 10; ++i) holds.push_back(guess("192.0.2.1", fmt::format("user{}", i)));
  EXPECT_EQ((std::vector<std::int64_t>{0, 0, 0, 125, 250, 500, 1000, 1000, 1000, 1000}), holds);
  EXPECT_TRUE(throttle_.banned(address("192.0.2.1")));
  EXPECT_EQ(-1, guess("192.0.2.1", "ann"));
}

TEST_F(LoginThrottleTest, HoldsBackAnswersForAnAccountFromEveryAddress) {
  guess_from_everywhere("ann", 3);
  EXPECT_EQ(125, guess("192.0.2.1", "Ann"));
  EXPECT_EQ(0, guess("192.0.2.1", "bob"));
  EXPECT_EQ(250, guess("127.0.0.1", "ANN"));
  clock_.advance(5min);
  EXPECT_EQ(0, guess("192.0.2.1", "ann"));
}

TEST_F(LoginThrottleTest, ClosesAnAccountExceptForPrefixesItWasUsedFrom) {
  throttle_.begin(address("192.0.2.1"), "Ann")->succeeded();
  throttle_.know("ann", address("2001:db8::1"));
  guess_from_everywhere("ann");
  const auto stranger = throttle_.begin(address("192.0.2.9"), "ann");
  ASSERT_FALSE(stranger);
  EXPECT_EQ(300, stranger.error().count());
  EXPECT_TRUE(throttle_.begin(address("192.0.2.9"), "bob"));
  for (const auto from : {"192.0.2.1", "2001:db8::77", "127.0.0.1", "::1", "198.51.100.7"}) {
    EXPECT_TRUE(throttle_.begin(address(from), "ann")) << from;
  }
  clock_.advance(5min);
  EXPECT_TRUE(throttle_.begin(address("192.0.2.9"), "ann"));
}

TEST_F(LoginThrottleTest, DoesNotBanAnAddressForTryingAClosedAccount) {
  guess_from_everywhere("ann");
  for (int i = 0; i < 20; ++i) EXPECT_EQ(-1, guess("192.0.2.9", "ann"));
  EXPECT_FALSE(throttle_.banned(address("192.0.2.9")));
}

TEST_F(LoginThrottleTest, ChecksNoMorePasswordsAtOnceThanAnAddressHasFailuresLeft) {
  guess("192.0.2.1", "ann");
  std::vector<LoginThrottle::Attempt> attempts;
  for (int i = 0; i < 9; ++i) attempts.push_back(throttle_.begin(address("192.0.2.1"), "ann").value());
  EXPECT_EQ(1, throttle_.begin(address("192.0.2.1"), "ann").error().count());
  EXPECT_TRUE(throttle_.begin(address("192.0.2.2"), "ann"));
  attempts.pop_back();  // dropped: it counts as nothing
  EXPECT_TRUE(throttle_.begin(address("192.0.2.1"), "ann"));
  for (auto& attempt : attempts) attempt.failed();
  EXPECT_FALSE(throttle_.banned(address("192.0.2.1")));
  EXPECT_EQ(1000, guess("192.0.2.1", "ann"));
  EXPECT_TRUE(throttle_.banned(address("192.0.2.1")));
}

TEST_F(LoginThrottleTest, ForgetsTheFailuresOfAnAccountWithAGoodLogin) {
  guess_from_everywhere("ann", 19);
  throttle_.begin(address("192.0.2.1"), "ann")->succeeded();
  guess_from_everywhere("ann", 19);
  EXPECT_TRUE(throttle_.begin(address("192.0.2.9"), "ann"));
}

TEST_F(LoginThrottleTest, ListsAndClearsAccounts) {
  guess_from_everywhere("Ann");
  const auto records = throttle_.list();
  ASSERT_EQ(21u, records.size());
  EXPECT_EQ("ann", records.back().subject);
  EXPECT_TRUE(records.back().is_account);
  EXPECT_EQ(clock_.now() + 5min, records.back().banned_until);
  EXPECT_TRUE(throttle_.clear_account("ANN"));
  EXPECT_FALSE(throttle_.clear_account("ann"));
  EXPECT_TRUE(throttle_.begin(address("192.0.2.9"), "ann"));
}

TEST_F(LoginThrottleTest, CountsNoNameThatNoAccountCanHave) {
  for (int i = 0; i < 30; ++i) guess(fmt::format("203.0.113.{}", i), "a\nb");
  EXPECT_EQ(30u, throttle_.list().size());
  EXPECT_EQ(0, guess("192.0.2.1", "a\nb"));
}

}  // namespace
}  // namespace hearth::auth
