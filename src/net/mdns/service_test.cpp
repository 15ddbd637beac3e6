// SPDX-License-Identifier: Apache-2.0
#include "net/mdns/service.h"

#include <gtest/gtest.h>

#include "net/mdns/machine_addresses.h"

namespace hearth::net {
namespace {

TEST(MdnsService, HasANameThatFitsALabel) {
  EXPECT_EQ("Home of Ann", service_name(" Home.of\nAnn "));
  EXPECT_EQ(std::string(63, 'a'), service_name(std::string(64, 'a')));
  const std::string sixty_two(62, 'a');
  EXPECT_EQ(sixty_two, service_name(sixty_two + "ü"));  // no half letter
  EXPECT_EQ("", service_name("..."));
  EXPECT_EQ("", service_name("\xff"));
}

TEST(MdnsService, LeavesOutAValueThatDoesNotFit) {
  EXPECT_EQ("version=1", service_text("version", "1"));
  EXPECT_EQ("a=" + std::string(253, 'x'), service_text("a", std::string(253, 'x')));
  EXPECT_EQ("a=", service_text("a", std::string(254, 'x')));
}

TEST(MachineAddresses, AreNeverLoopback) {
  for (const MachineAddress& each : machine_addresses({})) EXPECT_FALSE(each.address.starts_with("127."));
  const std::vector<std::string> loopback{"127.0.0.1", "::1"};
  EXPECT_TRUE(machine_addresses(loopback).empty());
}

}  // namespace
}  // namespace hearth::net
