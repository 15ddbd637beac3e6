// SPDX-License-Identifier: Apache-2.0
#include "base/net/address_prefix.h"

#include <gtest/gtest.h>

namespace hearth::base {
namespace {

std::string prefix(const char* address) {
  return AddressPrefix(boost::asio::ip::make_address(address)).str();
}

TEST(AddressPrefix, IsTheWholeOfAnIpv4Address) {
  EXPECT_EQ("192.0.2.1", prefix("192.0.2.1"));
}

TEST(AddressPrefix, TakesMappedIpv4AsIpv4) {
  EXPECT_EQ("192.0.2.1", prefix("::ffff:192.0.2.1"));
}

TEST(AddressPrefix, IsTheFirstHalfOfAnIpv6Address) {
  EXPECT_EQ("2001:db8:1:2::/64", prefix("2001:db8:1:2:ffff:4:5:6"));
  EXPECT_EQ("fe80::/64", prefix("fe80::1%1"));
}

}  // namespace
}  // namespace hearth::base
