// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <gtest/gtest.h>

namespace hearth::base {
namespace {

TEST(TrimBlanks, TakesThemFromTheEndsOnly) {
  EXPECT_EQ(trim_blanks(" \ta b\tc\t "), "a b\tc");
  EXPECT_EQ(trim_blanks("a"), "a");
  EXPECT_EQ(trim_blanks("\r\n "), "\r\n");
}

TEST(TrimBlanks, LeavesNothingOfBlanks) {
  EXPECT_EQ(trim_blanks(""), "");
  EXPECT_EQ(trim_blanks("\t \t"), "");
}

TEST(Append, PutsAllTextsBehindWhatIsThere) {
  std::string text = "a";
  append(text, "b", std::string("cd"), std::string_view(), std::string(100, 'e'), "");
  EXPECT_EQ(text, "abcd" + std::string(100, 'e'));
  append(text, "f");
  EXPECT_EQ(text, "abcd" + std::string(100, 'e') + "f");
}

}  // namespace
}  // namespace hearth::base
