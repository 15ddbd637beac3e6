// SPDX-License-Identifier: Apache-2.0
#include "http/client_address.h"

#include <gtest/gtest.h>

namespace hearth::http {
namespace {

std::string client(const std::string& peer, std::string_view forwarded) {
  const std::vector<base::IpNetwork> trusted = {
      *base::IpNetwork::parse("10.0.0.0/8"), *base::IpNetwork::parse("fd00::/8"), *base::IpNetwork::parse("127.0.0.1")};
  return client_address(boost::asio::ip::make_address(peer), forwarded, trusted).to_string();
}

TEST(ClientAddress, IsThePeerWithoutProxies) {
  EXPECT_EQ(client("192.0.2.1", ""), "192.0.2.1");
  EXPECT_EQ(client("10.0.0.1", ""), "10.0.0.1");
  EXPECT_EQ(client("2001:db8::1", ""), "2001:db8::1");
}

TEST(ClientAddress, IgnoresWhatAStrangerSays) {
  EXPECT_EQ(client("192.0.2.1", "10.0.0.1, 127.0.0.1"), "192.0.2.1");
}

TEST(ClientAddress, IsWhomATrustedProxyNames) {
  EXPECT_EQ(client("10.0.0.1", "192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(client("fd00::1", " 2001:db8::7\t"), "2001:db8::7");
}

TEST(ClientAddress, GoesBackThroughAChainOfTrustedProxies) {
  EXPECT_EQ(client("10.0.0.1", "192.0.2.7, 10.0.0.3,10.0.0.2"), "192.0.2.7");
  EXPECT_EQ(client("10.0.0.1", "10.0.0.3, 10.0.0.2"), "10.0.0.3");
}

TEST(ClientAddress, StopsAtTheFirstStrangerFromTheEnd) {
  EXPECT_EQ(client("10.0.0.1", "127.0.0.1, 192.0.2.7, 10.0.0.2"), "192.0.2.7");
  EXPECT_EQ(client("10.0.0.1", "1.1.1.1, 192.0.2.7"), "192.0.2.7");
}

TEST(ClientAddress, StopsAtWhatIsNoAddress) {
  EXPECT_EQ(client("10.0.0.1", "unknown"), "10.0.0.1");
  EXPECT_EQ(client("10.0.0.1", "192.0.2.7, _hidden, 10.0.0.2"), "10.0.0.2");
  EXPECT_EQ(client("10.0.0.1", ",,,"), "10.0.0.1");
  EXPECT_EQ(client("10.0.0.1", "192.0.2.7,"), "10.0.0.1");
  EXPECT_EQ(client("10.0.0.1", "999.1.1.1"), "10.0.0.1");
  EXPECT_EQ(client("10.0.0.1", "192.0.2.7:4711"), "10.0.0.1");
}

TEST(ClientAddress, ShowsIpv4InsideIpv6AsItself) {
  EXPECT_EQ(client("::ffff:192.0.2.1", ""), "192.0.2.1");
  EXPECT_EQ(client("::ffff:10.0.0.1", "::ffff:192.0.2.7"), "192.0.2.7");
}

}  // namespace
}  // namespace hearth::http
