// SPDX-License-Identifier: Apache-2.0
#include "base/text/pattern.h"

#include <gtest/gtest.h>

namespace hearth::base {
namespace {

bool matches(std::string_view pattern, std::string_view text) {
  return Pattern::parse(pattern).value().matches(text);
}

TEST(Pattern, MatchesTheWholeTextOnly) {
  EXPECT_TRUE(matches("[a-z]{3}", "abc"));
  EXPECT_FALSE(matches("[a-z]{3}", "abcd"));
  EXPECT_FALSE(matches("[a-z]{3}", "1abc"));
  EXPECT_FALSE(matches("[a-z]{3}", "abc\n"));
  EXPECT_TRUE(matches("a|ab", "ab"));
  EXPECT_TRUE(matches("\\w+", "Küche"));
  EXPECT_FALSE(matches(".*", "\xff"));
}

TEST(Pattern, SaysWhereItIsWrong) {
  EXPECT_EQ(Pattern::parse("a(b").error().message, "the regular expression is wrong at 3: missing closing parenthesis");
}

TEST(Pattern, GivesUpIfItTakesTooLong) {
  EXPECT_FALSE(matches("(a+)+b", std::string(60, 'a') + "b!"));
}

}  // namespace
}  // namespace hearth::base
