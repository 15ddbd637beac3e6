// SPDX-License-Identifier: Apache-2.0
#include "auth/login_flows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace hearth::auth {
namespace {

using namespace std::chrono_literals;

class LoginFlowsTest : public testing::Test {
 protected:
  std::string begin() const { return flows_.begin({"http://a/", "http://a/back?x=1", "challenge"}); }

  base::ManualClock clock_;
  LoginFlows flows_{clock_};
};

TEST_F(LoginFlowsTest, LiveUntilTheyEnd) {
  const std::string id = begin();
  const auto safe = [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; };
  EXPECT_TRUE(std::ranges::all_of(id, safe)) << id;
  ASSERT_TRUE(flows_.find(id));
  EXPECT_EQ("http://a/", flows_.find(id)->client_id);
  EXPECT_EQ("http://a/back?x=1", flows_.find(id)->redirect_uri);
  EXPECT_EQ("challenge", flows_.find(id)->challenge);
  EXPECT_TRUE(flows_.end(id));
  EXPECT_FALSE(flows_.end(id));
  EXPECT_FALSE(flows_.find(id));
}

TEST_F(LoginFlowsTest, CarryAnEmptyChallenge) {
  const std::string id = flows_.begin({"http://a/", "http://a/back", ""});
  ASSERT_TRUE(flows_.find(id));
  EXPECT_EQ("http://a/back", flows_.find(id)->redirect_uri);
  EXPECT_EQ("", flows_.find(id)->challenge);
}

TEST_F(LoginFlowsTest, LiveForTenMinutes) {
  const std::string id = begin();
  clock_.advance(10min - 1us);
  EXPECT_TRUE(flows_.find(id));
  clock_.advance(1us);
  EXPECT_FALSE(flows_.find(id));
  EXPECT_FALSE(flows_.end(id));
}

TEST_F(LoginFlowsTest, EndNoOtherFlowHoweverManyBegin) {
  const std::string first = begin();
  for (int i = 0; i < 10'000; ++i) begin();
  EXPECT_TRUE(flows_.end(first));
}

TEST_F(LoginFlowsTest, RememberWhoHasShownThePassword) {
  const std::string id = begin(), other = begin();
  EXPECT_FALSE(flows_.passed(id));
  EXPECT_TRUE(flows_.pass(id, {"ann's id", "ann", 7, "secret"}));
  ASSERT_TRUE(flows_.passed(id));
  EXPECT_EQ("ann's id", flows_.passed(id)->user_id);
  EXPECT_EQ(7, flows_.passed(id)->password_version);
  EXPECT_EQ("secret", flows_.passed(id)->secret);
  EXPECT_FALSE(flows_.passed(other));
  EXPECT_TRUE(flows_.end(id));
  EXPECT_FALSE(flows_.passed(id));
  EXPECT_FALSE(flows_.pass(id, {"ann's id", "ann", 7}));
  EXPECT_FALSE(flows_.pass("none", {"ann's id", "ann", 7}));
  EXPECT_TRUE(flows_.pass(other, {"ann's id", "ann", 7}));
  clock_.advance(10min);
  EXPECT_FALSE(flows_.passed(other));
}

TEST_F(LoginFlowsTest, EndWithTheThirdWrongCode) {
  const std::string id = begin();
  flows_.pass(id, {"ann's id", "ann", 7});
  EXPECT_TRUE(flows_.count_wrong_code(id));
  EXPECT_TRUE(flows_.count_wrong_code(id));
  EXPECT_FALSE(flows_.count_wrong_code(id));
  EXPECT_FALSE(flows_.find(id));
  EXPECT_FALSE(flows_.passed(id));
  EXPECT_FALSE(flows_.count_wrong_code(begin()));
}

TEST_F(LoginFlowsTest, RememberAtMostSoManyPasswords) {
  const std::string first = begin();
  flows_.pass(first, {"ann's id", "ann", 7});
  for (std::size_t i = 0; i < LoginFlows::kMaxPassed; ++i) {
    clock_.advance(1us);
    flows_.pass(begin(), {"ann's id", "ann", 7});
  }
  EXPECT_FALSE(flows_.passed(first));
}

TEST_F(LoginFlowsTest, OfTheSameClientEndOneByOne) {
  const std::string one = begin(), other = begin();
  EXPECT_NE(one, other);
  EXPECT_TRUE(flows_.end(one));
  EXPECT_TRUE(flows_.find(other));
}

TEST_F(LoginFlowsTest, AreRefusedIfAnotherObjectBeganThem) {
  const std::string id = begin();
  for (std::size_t i = 0; i < id.size(); ++i) {
    std::string other = id;
    other[i] = other[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(flows_.find(other)) << i;
  }
  for (std::size_t length = 0; length < id.size(); ++length) EXPECT_FALSE(flows_.find(id.substr(0, length)));
  for (const std::string& nonsense : {std::string("nonsense"), id + "A", id + "=", std::string(100'000, 'A')}) {
    EXPECT_FALSE(flows_.find(nonsense));
    EXPECT_FALSE(flows_.end(nonsense));
  }
  LoginFlows others(clock_);
  EXPECT_FALSE(others.find(id));
}

TEST_F(LoginFlowsTest, AreRememberedAfterTheirEndUpToAThousand) {
  const std::string oldest = begin();
  clock_.advance(1us);
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < LoginFlows::kMaxEnded; ++i) ids.push_back(begin());
  EXPECT_TRUE(flows_.end(oldest));
  for (const std::string& id : ids) EXPECT_TRUE(flows_.end(id));
  for (const std::string& id : ids) EXPECT_FALSE(flows_.end(id));
  EXPECT_TRUE(flows_.find(oldest));
}

}  // namespace
}  // namespace hearth::auth
