// SPDX-License-Identifier: Apache-2.0
#include "auth/login_flows.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hearth::auth {
namespace {

using namespace std::chrono_literals;

class LoginFlowsTest : public testing::Test {
 protected:
  std::string begin(const std::string& from) {
    return flows_.begin({"http://a/", "http://a/back", "challenge"}, boost::asio::ip::make_address(from));
  }

  base::ManualClock clock_;
  LoginFlows flows_{clock_};
};

TEST_F(LoginFlowsTest, AreThereUntilTheyEnd) {
  const std::string id = begin("192.0.2.1");
  EXPECT_EQ(32u, id.size());
  ASSERT_TRUE(flows_.find(id));
  EXPECT_EQ("http://a/", flows_.find(id)->client_id);
  EXPECT_EQ("http://a/back", flows_.find(id)->redirect_uri);
  EXPECT_EQ("challenge", flows_.find(id)->challenge);
  EXPECT_FALSE(flows_.find("nonsense"));
  EXPECT_TRUE(flows_.end(id));
  EXPECT_FALSE(flows_.end(id));
  EXPECT_FALSE(flows_.find(id));
}

TEST_F(LoginFlowsTest, LiveForTenMinutes) {
  const std::string id = begin("192.0.2.1");
  clock_.advance(10min - 1us);
  EXPECT_TRUE(flows_.find(id));
  clock_.advance(1us);
  EXPECT_FALSE(flows_.find(id));
  EXPECT_FALSE(flows_.end(id));
}

TEST_F(LoginFlowsTest, OfOnePrefixPushOutTheirOwnOldestOnly) {
  const std::string other = begin("198.51.100.1"), first = begin("2001:db8::1"), second = begin("2001:db8::2");
  for (int i = 0; i < 31; ++i) begin("2001:db8::3");
  EXPECT_FALSE(flows_.find(first));
  EXPECT_TRUE(flows_.find(second));
  EXPECT_TRUE(flows_.find(other));
}

TEST_F(LoginFlowsTest, EndWithTheOldestBeyondAThousand) {
  const std::string first = begin("192.0.2.1"), second = begin("192.0.2.1");
  for (int i = 0; i < 999; ++i) begin(fmt::format("10.0.{}.{}", i / 250, i % 250));
  EXPECT_FALSE(flows_.find(first));
  EXPECT_TRUE(flows_.find(second));
}

}  // namespace
}  // namespace hearth::auth
