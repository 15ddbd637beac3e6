// SPDX-License-Identifier: Apache-2.0
#include "http/messages/target.h"

#include <gtest/gtest.h>

namespace hearth::http {
namespace {

using Texts = std::vector<std::string>;

// The segments, or the single text `error`.
Texts segments(std::string_view text) {
  Target target;
  if (!target.parse(text)) return {"error"};
  Texts all;
  for (std::size_t i = 0; i < target.size(); ++i) all.emplace_back(target.segment(i));
  return all;
}

std::string query(std::string_view text) {
  Target target;
  if (!target.parse(text)) return "error";
  std::string all;
  for (const auto& [name, value] : target.query()) all += "[" + name + "=" + value + "]";
  return all;
}

TEST(Target, SplitsThePathIntoSegments) {
  EXPECT_EQ(segments("/api/states/light.kitchen"), (Texts{"api", "states", "light.kitchen"}));
  EXPECT_EQ(segments("/api"), (Texts{"api"}));
  EXPECT_EQ(segments("/api/"), (Texts{"api", ""}));
  EXPECT_EQ(segments("/"), (Texts{""}));
  EXPECT_EQ(segments("//api"), (Texts{"", "api"}));
  EXPECT_EQ(segments("/api//states"), (Texts{"api", "", "states"}));
}

TEST(Target, SplitsBeforeItDecodes) {
  EXPECT_EQ(segments("/api/a%2Fb/c"), (Texts{"api", "a/b", "c"}));
}

TEST(Target, DecodesOnce) {
  EXPECT_EQ(segments("/a%252Fb"), (Texts{"a%2Fb"}));
  EXPECT_EQ(segments("/%41%6a%6A"), (Texts{"Ajj"}));
  EXPECT_EQ(segments("/caf%C3%A9"), (Texts{"caf\xC3\xA9"}));
}

TEST(Target, DecodesEachSegmentForItself) {
  EXPECT_EQ(segments("/%61/b/%C3%A9%2E/d"), (Texts{"a", "b", "\xC3\xA9.", "d"}));
}

TEST(Target, IsReadAgain) {
  Target target;
  ASSERT_TRUE(target.parse("/a/bcd" + std::string(100, '/') + "?x=1"));
  EXPECT_EQ(target.size(), 102u);
  Target copy = target;
  ASSERT_TRUE(target.parse("/e"));
  EXPECT_EQ(target.size(), 1u);
  EXPECT_EQ(target.segment(0), "e");
  EXPECT_FALSE(target.has_query("x"));
  EXPECT_EQ(copy.segment(1), "bcd");
  EXPECT_EQ(copy.query("x"), "1");
}

TEST(Target, KeepsAPlusInThePath) {
  EXPECT_EQ(segments("/a+b"), (Texts{"a+b"}));
}

class BadTarget : public testing::TestWithParam<std::string> {};

TEST_P(BadTarget, IsRefused) {
  Target target;
  const auto parsed = target.parse(GetParam());
  ASSERT_FALSE(parsed) << GetParam();
  EXPECT_EQ(parsed.error().code, base::ErrorCode::invalid);
  EXPECT_TRUE(parsed.error().message.starts_with("Invalid request target: it has ")) << parsed.error().message;
}

INSTANTIATE_TEST_SUITE_P(Targets, BadTarget,
                         testing::Values("/a%00b", "/a%0Ab", "/a%7F", std::string("/a\x01", 3), "/%", "/a%4", "/%4G",
                                         "/%zz", "/..", "/api/../secret", "/%2e%2e/x", "/.%2E", "/a%FF", "/a%C3",
                                         "/a%C0%AF", "/%ED%A0%80", "/%C3/%A9", "/%C3%A9/%C3", "/a#b", "/a?x=1#b",
                                         "api/", "", "host:8123", "?x=1", "ftp://host/x", "x?y=http://host/z",
                                         "http:///api/config", "http://", "https:///", "http://?x=1", "http://:8123/",
                                         "http://user@/", "http://user@:8123/api/", "http", "/a?x=%00", "/a?x=%FF"));

TEST(Target, KeepsAStrayPercentInTheQuery) {
  Target target;
  ASSERT_TRUE(target.parse("/a?x=100%&%4=%zz"));
  EXPECT_EQ(target.query("x"), "100%");
  EXPECT_EQ(target.query("%4"), "%zz");
}

TEST(Target, AcceptsOtherDots) {
  EXPECT_EQ(segments("/./.../..a"), (Texts{".", "...", "..a"}));
}

TEST(Target, TakesTheAbsoluteForm) {
  EXPECT_EQ(segments("http://home.local:8123/api/states"), (Texts{"api", "states"}));
  EXPECT_EQ(segments("HTTPS://home.local/api/"), (Texts{"api", ""}));
  EXPECT_EQ(segments("http://home.local"), (Texts{""}));
  EXPECT_EQ(query("http://home.local?x=1"), "[x=1]");
  EXPECT_EQ(segments("http://user@[::1]:8123/a@b:c"), (Texts{"a@b:c"}));
}

TEST(Target, HasAnAuthorityInTheAbsoluteFormOnly) {
  const auto authority = [](std::string_view text) {
    Target target;
    EXPECT_TRUE(target.parse("http://before"));
    EXPECT_TRUE(target.parse(text)) << text;
    return std::string(target.authority());
  };
  EXPECT_EQ(authority("http://home.local:8123/api/states"), "home.local:8123");
  EXPECT_EQ(authority("https://home.local"), "home.local");
  EXPECT_EQ(authority("http://[::1]?x=1"), "[::1]");
  EXPECT_EQ(authority("/api/states"), "");
  EXPECT_EQ(authority("*"), "");
}

TEST(Target, TakesTheAsterisk) {
  EXPECT_EQ(segments("*"), (Texts{"*"}));
}

TEST(Target, DecodesTheQuery) {
  EXPECT_EQ(query("/a?x=1&y=two%20words"), "[x=1][y=two words]");
  EXPECT_EQ(query("/a?x=a+b%2Bc"), "[x=a b+c]");
  EXPECT_EQ(query("/a?x=a%26b%3Dc"), "[x=a&b=c]");
  EXPECT_EQ(query("/a?x=a=b"), "[x=a=b]");
  EXPECT_EQ(query("/a?flag&=empty&&"), "[flag=][=empty]");
  EXPECT_EQ(query("/a?x=/../?y"), "[x=/../?y]");
  EXPECT_EQ(query("/a?"), "");
}

TEST(Target, KeepsRepeatedParameters) {
  Target target;
  ASSERT_TRUE(target.parse("/a?x=1&y=2&x=3"));
  EXPECT_EQ(target.query().size(), 3u);
  EXPECT_EQ(target.query("x"), "1");
  EXPECT_TRUE(target.has_query("y"));
  EXPECT_FALSE(target.has_query("z"));
}

TEST(Target, ForgetsThePreviousTarget) {
  Target target;
  ASSERT_TRUE(target.parse("/a/b/c?x=1"));
  ASSERT_TRUE(target.parse("/d"));
  EXPECT_EQ(target.size(), 1u);
  EXPECT_EQ(target.segment(0), "d");
  EXPECT_FALSE(target.has_query("x"));
}

TEST(Target, TakesManySegmentsTwice) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "/x";
  Target target;
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(target.parse(text));
    EXPECT_EQ(target.size(), 1000u);
    EXPECT_EQ(target.segment(999), "x");
    target.clear();
  }
}

}  // namespace
}  // namespace hearth::http
