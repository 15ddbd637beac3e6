// SPDX-License-Identifier: Apache-2.0
#include "base/net/ip_network.h"

#include <gtest/gtest.h>

namespace hearth::base {
namespace {

bool contains(std::string_view network, const char* address) {
  return IpNetwork::parse(network)->contains(boost::asio::ip::make_address(address));
}

TEST(IpNetwork, ContainsTheAddressesUnderItsPrefix) {
  EXPECT_TRUE(contains("192.168.1.0/24", "192.168.1.0"));
  EXPECT_TRUE(contains("192.168.1.0/24", "192.168.1.255"));
  EXPECT_FALSE(contains("192.168.1.0/24", "192.168.2.0"));
  EXPECT_TRUE(contains("0.0.0.0/0", "203.0.113.9"));
  EXPECT_TRUE(contains("fd00::/8", "fd12:3456::1"));
  EXPECT_FALSE(contains("fd00::/8", "fe80::1"));
}

TEST(IpNetwork, IsOneAddressWithoutPrefix) {
  EXPECT_TRUE(contains("10.0.0.7", "10.0.0.7"));
  EXPECT_FALSE(contains("10.0.0.7", "10.0.0.8"));
  EXPECT_TRUE(contains("::1", "::1"));
  EXPECT_EQ(IpNetwork::parse("10.0.0.7")->str(), "10.0.0.7/32");
}

TEST(IpNetwork, TakesAMappedIpv4AddressAsIpv4) {
  EXPECT_TRUE(contains("10.0.0.0/8", "::ffff:10.1.2.3"));
  EXPECT_FALSE(contains("10.0.0.0/8", "::ffff:11.1.2.3"));
}

TEST(IpNetwork, KeepsTheFamiliesApart) {
  EXPECT_FALSE(contains("::/0", "10.0.0.1"));
  EXPECT_FALSE(contains("0.0.0.0/0", "fd00::1"));
}

TEST(IpNetwork, RefusesWhatIsNoNetwork) {
  for (const char* text : {"", "home", "10.0.0", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8x", "10.0.0.1/8",
                           "fd00::/129", "fe80::1%eth0", " 10.0.0.1"}) {
    EXPECT_FALSE(IpNetwork::parse(text)) << text;
  }
}

}  // namespace
}  // namespace hearth::base
