// SPDX-License-Identifier: Apache-2.0
#include "http/connection_table.h"

#include <gtest/gtest.h>
#include <malloc.h>

namespace hearth::http {
namespace {

class ConnectionTableTest : public testing::Test {
 protected:
  std::optional<ConnectionTable::Place> take(const char* peer) {
    return table_.take(boost::asio::ip::make_address(peer));
  }
  // Takes up to 10 places and keeps them.
  int take_all(const char* peer) {
    int taken = 0;
    for (int i = 0; i < 10; ++i) {
      auto place = take(peer);
      if (!place) continue;
      kept_.push_back(std::move(*place));
      ++taken;
    }
    return taken;
  }

  const std::vector<base::IpNetwork> trusted_ = {*base::IpNetwork::parse("10.0.0.0/8")};
  ConnectionTable table_{3, trusted_};
  std::vector<ConnectionTable::Place> kept_;
};

TEST_F(ConnectionTableTest, LimitsEachPrefix) {
  EXPECT_EQ(take_all("203.0.113.1"), 3);
  EXPECT_EQ(take_all("::ffff:203.0.113.1"), 0);
  EXPECT_EQ(take_all("203.0.113.2"), 3);
  EXPECT_EQ(take_all("2001:db8::1"), 3);
  EXPECT_EQ(take_all("2001:db8::2"), 0);
  EXPECT_EQ(take_all("2001:db8:0:1::1"), 3);
}

TEST_F(ConnectionTableTest, HasNoLimitForLoopbackAndTrustedProxies) {
  for (const char* peer : {"127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.1", "::ffff:10.0.0.1"}) {
    EXPECT_EQ(take_all(peer), 10) << peer;
  }
}

TEST_F(ConnectionTableTest, TakesPlacesBack) {
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(take("203.0.113.1"));
  ASSERT_EQ(take_all("203.0.113.1"), 3);
  kept_.pop_back();
  EXPECT_EQ(take_all("203.0.113.1"), 1);
  kept_.clear();
  EXPECT_EQ(take_all("203.0.113.1"), 3);
}

TEST_F(ConnectionTableTest, TakesBackAPlaceThatAnotherReplaces) {
  {
    auto place = take("203.0.113.1").value();
    place = take("203.0.113.2").value();
    EXPECT_EQ(take_all("203.0.113.1"), 3);
    EXPECT_EQ(take_all("203.0.113.2"), 2);
  }
  EXPECT_EQ(take_all("203.0.113.2"), 1);
}

TEST_F(ConnectionTableTest, ForgetsPrefixesWithoutConnections) {
  const auto before = ::mallinfo2().uordblks;
  for (int i = 0; i < 10'000; ++i) EXPECT_TRUE(table_.take(boost::asio::ip::address_v4(0xCB007100U + i)));
  EXPECT_LT(::mallinfo2().uordblks, before + 64 * 1024);
}

}  // namespace
}  // namespace hearth::http
