// SPDX-License-Identifier: Apache-2.0
#include "auth/usage.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace hearth::auth {
namespace {

using namespace std::chrono_literals;

class UsageTest : public testing::Test {
 protected:
  // Requests that go through until one does not.
  std::size_t burst(const std::shared_ptr<Usage>& usage) {
    std::size_t count = 0;
    while (Usage::take_request(usage, limits_, clock_).count() == 0 && count < 100'000) ++count;
    return count;
  }

  base::ManualClock clock_;
  UseLimits limits_{.requests_per_second = 100, .sockets = 2, .template_time = 500ms};
  const std::shared_ptr<Usage> user_ = std::make_shared<Usage>(nullptr);
  const std::shared_ptr<Usage> one_ = std::make_shared<Usage>(user_);
  const std::shared_ptr<Usage> other_ = std::make_shared<Usage>(user_);
};

TEST_F(UsageTest, TakesRequestsOfTenSecondsAtOnceAndThenAtTheRate) {
  EXPECT_EQ(burst(one_), 1'000u);
  EXPECT_EQ(Usage::take_request(one_, limits_, clock_), 1s);
  clock_.advance(1s);
  EXPECT_EQ(burst(one_), 100u);
  clock_.advance(1h);
  EXPECT_EQ(burst(one_), 1'000u);
}

TEST_F(UsageTest, SaysHowLongToWait) {
  limits_.requests_per_second = 1;
  EXPECT_EQ(burst(one_), 10u);
  clock_.advance(400ms);
  EXPECT_EQ(Usage::take_request(one_, limits_, clock_), 1s);
  clock_.advance(600ms);
  EXPECT_EQ(Usage::take_request(one_, limits_, clock_), 0s);
}

TEST_F(UsageTest, OneTokenTakesNothingFromAnother) {
  EXPECT_EQ(burst(one_), 1'000u);
  EXPECT_EQ(burst(other_), 1'000u);
}

TEST_F(UsageTest, AllOfAUserHaveFourTimesAsMuch) {
  std::vector<std::shared_ptr<Usage>> tokens;
  std::size_t all = 0;
  for (int i = 0; i < 6; ++i) all += burst(tokens.emplace_back(std::make_shared<Usage>(user_)));
  EXPECT_EQ(all, 4'000u);
  EXPECT_EQ(Usage::take_request(tokens.back(), limits_, clock_), 1s);
  EXPECT_EQ(burst(std::make_shared<Usage>(std::make_shared<Usage>(nullptr))), 1'000u);
}

// Of many more tokens than a thread remembers, each in turn.
TEST_F(UsageTest, ManyTokensInTurnLoseNothing) {
  limits_.requests_per_second = 64;  // two in advance
  std::vector<std::shared_ptr<Usage>> tokens;
  for (int i = 0; i < 500; ++i) tokens.push_back(std::make_shared<Usage>(std::make_shared<Usage>(nullptr)));
  std::size_t all = 0;
  for (int i = 0; i < 700; ++i) {
    for (const auto& token : tokens) all += Usage::take_request(token, limits_, clock_).count() == 0;
  }
  EXPECT_EQ(all, 500u * 640);
}

TEST_F(UsageTest, ThreadsTogetherHaveNoMore) {
  std::atomic<std::size_t> all = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&] { all += burst(one_); });
  }
  EXPECT_LE(all.load(), 1'000u);
  EXPECT_GE(all.load(), 1'000u - 4 * Usage::kLease);
}

TEST_F(UsageTest, PlacesAreFreeAgainWhenTheyEnd) {
  UsePlace first(one_, Use::socket);
  EXPECT_FALSE(one_->full(Use::socket, limits_));
  {
    const UsePlace second(one_, Use::socket);
    EXPECT_TRUE(one_->full(Use::socket, limits_));
    EXPECT_FALSE(other_->full(Use::socket, limits_));
    EXPECT_FALSE(one_->full(Use::stream, limits_));
  }
  EXPECT_FALSE(one_->full(Use::socket, limits_));
  UsePlace moved = std::move(first);
  const UsePlace second(one_, Use::socket);
  EXPECT_TRUE(one_->full(Use::socket, limits_));
  moved = UsePlace();
  EXPECT_FALSE(one_->full(Use::socket, limits_));
}

TEST_F(UsageTest, AUserIsFullWithFourTokensThatAre) {
  std::vector<UsePlace> places;
  for (int i = 0; i < 4; ++i) {
    const auto token = std::make_shared<Usage>(user_);
    for (int j = 0; j < 2; ++j) {
      EXPECT_FALSE(token->full(Use::socket, limits_));
      places.emplace_back(token, Use::socket);
    }
  }
  EXPECT_TRUE(one_->full(Use::socket, limits_));
  places.pop_back();
  EXPECT_FALSE(one_->full(Use::socket, limits_));
}

TEST_F(UsageTest, TemplatesMayTakeTheirShareOfTenSeconds) {
  one_->charge_template(4'999ms, limits_, clock_);
  EXPECT_EQ(one_->template_wait(limits_, clock_), 0s);
  one_->charge_template(600ms, limits_, clock_);  // what began is charged whole
  EXPECT_EQ(one_->template_wait(limits_, clock_), 2s);
  EXPECT_EQ(other_->template_wait(limits_, clock_), 0s);
  clock_.advance(1s);
  EXPECT_EQ(one_->template_wait(limits_, clock_), 1s);
  clock_.advance(1s);
  EXPECT_EQ(one_->template_wait(limits_, clock_), 0s);
}

}  // namespace
}  // namespace hearth::auth
