// SPDX-License-Identifier: Apache-2.0
#include "base/net/authority.h"

#include <gtest/gtest.h>

namespace hearth::base {
namespace {

TEST(Authority, HasAHostAndAPort) {
  EXPECT_EQ(parse_authority("Hub.Local", 80), (Authority{"hub.local", 80}));
  EXPECT_EQ(parse_authority("hub.local:8123", 80), (Authority{"hub.local", 8123}));
  EXPECT_EQ(parse_authority("192.168.1.5:80", 443), (Authority{"192.168.1.5", 80}));
  EXPECT_EQ(parse_authority("[FD00::5]:8123", 80), (Authority{"[fd00::5]", 8123}));
  EXPECT_EQ(parse_authority("[::1]", 80), (Authority{"[::1]", 80}));
  // Names, although they begin as an IPv4 address does.
  for (const char* name : {"127.0.0.1.nip.io", "1.2.3.4x", "127.0.0.1."})
    EXPECT_EQ(parse_authority(name, 80), (Authority{name, 80}));
}

TEST(Authority, IsNothingElse) {
  for (const char* text :
       {"",         ":80",        "hub:",   "hub:0", "hub:65536", "hub:80x",   "hub/",
        "user@hub", "http://hub", "[::1",   "[x]",   "[::1]80",   "hub:73659", "hub:99999999999999999999",
        "%68ub",    "(hub)",      "[v1.x]", "-hub",  ".hub",      "a b",       "hüb"}) {
    EXPECT_FALSE(parse_authority(text, 80)) << text;
  }
}

TEST(Authority, IsANameOfTheHomeIfNobodyElseCanHaveIt) {
  for (const char* host : {"192.168.1.5", "8.8.8.8", "[::1]", "localhost", "hub", "hub.", "hub.local", "hub.local.",
                           "a.b.home.arpa", "hub.lan", "hub.internal"}) {
    EXPECT_TRUE(is_home_name(host)) << host;
  }
  for (const char* host : {"", ".", "evil.example", "evil.example.", "local.example", "hub.local.example",
                           "home.arpa.x", "1.2.3.4.example", "lan.co", "xlocal.org"}) {
    EXPECT_FALSE(is_home_name(host)) << host;
  }
}

TEST(Authority, IsThisMachinesByLoopback) {
  for (const char* host : {"localhost", "localhost.", "hub.localhost", "127.0.0.1", "127.8.9.10", "[::1]"}) {
    EXPECT_TRUE(is_own_machine(host)) << host;
  }
  for (const char* host : {"", ".", "hub", "xlocalhost", "localhost.example", "127.0.0.1.example", "192.168.1.5",
                           "128.0.0.1", "[::2]", "[fd00::1]"}) {
    EXPECT_FALSE(is_own_machine(host)) << host;
  }
}

}  // namespace
}  // namespace hearth::base
