// SPDX-License-Identifier: Apache-2.0
#include "app/network/local_address.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include <string>

namespace hearth::app {
namespace {

TEST(LocalAddress, IsTheHostThatIsListenedOn) {
  EXPECT_EQ(reachable_host({"192.0.2.7", "10.0.0.1"}), "192.0.2.7");
  EXPECT_EQ(reachable_host({"localhost"}), "localhost");
}

TEST(LocalAddress, WritesIpv6AsAUrlHasIt) {
  EXPECT_EQ(reachable_host({"::1"}), "[::1]");
  EXPECT_EQ(reachable_host({"fe80::2"}), "[fe80::2]");
}

TEST(LocalAddress, IsAnAddressOfThisMachineIfAllAreListenedOn) {
  const std::string found = reachable_host({});
  in_addr address{};
  EXPECT_EQ(inet_pton(AF_INET, found.c_str(), &address), 1) << found;
  EXPECT_NE(address.s_addr, INADDR_ANY);
  EXPECT_EQ(reachable_host({"0.0.0.0"}), found);
  EXPECT_EQ(reachable_host({"::", "192.0.2.7"}), found);
}

}  // namespace
}  // namespace hearth::app
