// SPDX-License-Identifier: Apache-2.0
#include "base/text/utf8.h"

#include <gtest/gtest.h>

namespace hearth::base {
namespace {

TEST(Utf8, CountsCodePoints) {
  EXPECT_EQ(utf8_length(""), 0u);
  EXPECT_EQ(utf8_length("abc"), 3u);
  EXPECT_EQ(utf8_length("é€\U0001F600"), 3u);
  EXPECT_EQ(utf8_length(std::string_view("a\0b", 3)), 3u);
}

TEST(Utf8, TakesTheFirstAndLastOfEachLength) {
  for (const std::string_view text : {"\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
                                      "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(utf8_length(text), 1u) << text;
  }
}

TEST(Utf8, RefusesWhatRfc3629Refuses) {
  const std::pair<const char*, const char*> bad[] = {{"overlong", "\xC0\x80"},
                                                     {"overlong", "\xC1\xBF"},
                                                     {"overlong", "\xE0\x9F\xBF"},
                                                     {"overlong", "\xF0\x8F\xBF\xBF"},
                                                     {"surrogate", "\xED\xA0\x80"},
                                                     {"surrogate", "\xED\xBF\xBF"},
                                                     {"too great", "\xF4\x90\x80\x80"},
                                                     {"too great", "\xF5\x80\x80\x80"},
                                                     {"no first byte", "\x80"},
                                                     {"no first byte", "\xFF"},
                                                     {"cut", "\xC2"},
                                                     {"cut", "\xE2\x82"},
                                                     {"cut", "\xF0\x9F\x98"},
                                                     {"no second byte", "\xC2x"},
                                                     {"no third byte", "\xE2\x82x"},
                                                     {"no fourth byte", "\xF0\x9F\x98x"}};
  for (const auto& [why, text] : bad) {
    EXPECT_FALSE(utf8_length(text)) << why << ": " << testing::PrintToString(text);
    EXPECT_FALSE(utf8_length(std::string("good ") + text)) << why;
  }
}

TEST(Utf8, CutsAnExcerptBetweenCodePoints) {
  EXPECT_EQ(utf8_excerpt("abc", 3), "abc");
  EXPECT_EQ(utf8_excerpt("abcd", 3), "abc…");
  EXPECT_EQ(utf8_excerpt("aé", 2), "a…");
  EXPECT_EQ(utf8_excerpt("aé", 3), "aé");
  EXPECT_EQ(utf8_excerpt("\U0001F600x", 3), "…");
  EXPECT_EQ(utf8_excerpt("", 0), "");
}

}  // namespace
}  // namespace hearth::base
