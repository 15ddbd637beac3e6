// SPDX-License-Identifier: Apache-2.0
#include "base/net/web_origin.h"

#include <gtest/gtest.h>

namespace hearth::base {
namespace {

TEST(WebOrigin, IsWrittenAsBrowsersSendIt) {
  EXPECT_EQ(parse_web_origin("https://home.example.org"), "https://home.example.org");
  EXPECT_EQ(parse_web_origin("HTTP://Home.local:8123/"), "http://home.local:8123");
  EXPECT_EQ(parse_web_origin("http://192.168.1.5:8123"), "http://192.168.1.5:8123");
  EXPECT_EQ(parse_web_origin("http://[fd00::5]:8123"), "http://[fd00::5]:8123");
  EXPECT_EQ(parse_web_origin("https://a:443"), "https://a");
  EXPECT_EQ(parse_web_origin("http://a:80"), "http://a");
  EXPECT_EQ(parse_web_origin("http://a:443"), "http://a:443");
}

TEST(WebOrigin, IsNothingElse) {
  for (const char* text :
       {"",           "*",          "null",       "home.local",     "ftp://a",         "http:/a",    "http://",
        "http://:80", "http://a:",  "http://a:0", "http://a:65536", "http://a:80x",    "http://a/b", "http://a?b",
        "http://a//", "http://u@a", "http://a b", " http://a",      "http://[fd00::5", "http://[x]", "http://-a",
        "http://ü"}) {
    EXPECT_FALSE(parse_web_origin(text)) << text;
  }
}

}  // namespace
}  // namespace hearth::base
