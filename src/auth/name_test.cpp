// SPDX-License-Identifier: Apache-2.0
#include "auth/name.h"

#include <gtest/gtest.h>

namespace hearth::auth {
namespace {

std::string refusal(std::string_view name) {
  const auto checked = check_name("A user name", name);
  return checked ? "" : checked.error().message;
}

TEST(Name, HasOneToSixtyFourCodePoints) {
  EXPECT_EQ("", refusal("a"));
  EXPECT_EQ("", refusal("Zoë von Müller-Lüdenscheidt"));
  std::string longest;
  for (int i = 0; i < 64; ++i) longest += "家";
  EXPECT_EQ("", refusal(longest));
  EXPECT_EQ("A user name has 1 to 64 characters.", refusal(longest + "a"));
  EXPECT_EQ("A user name has 1 to 64 characters.", refusal(""));
}

TEST(Name, HasNoControlCharacters) {
  for (const std::string_view name : {"a\nb", "\x1B[2J", "a\x7F", "\xC2\x85"}) {
    EXPECT_EQ("A user name has no control characters.", refusal(name));
  }
  EXPECT_EQ("A user name has no control characters.", refusal(std::string_view("a\0b", 3)));
  EXPECT_EQ("", refusal("\xC2\xA0"));
}

TEST(Name, IsUtf8) {
  EXPECT_EQ("A user name must be UTF-8 text.", refusal("a\xFF"));
}

TEST(Name, FoldsCaseInAllScripts) {
  EXPECT_EQ("ann", fold_case("ANN"));
  EXPECT_EQ(fold_case("zoë"), fold_case("ZOË"));
  EXPECT_EQ(fold_case("ἀνδρέας"), fold_case("ἈΝΔΡΈΑΣ"));
  EXPECT_EQ(fold_case("олег"), fold_case("ОЛЕГ"));
  EXPECT_EQ("家𝄞", fold_case("家𝄞"));
  EXPECT_NE(fold_case("zoë"), fold_case("zoe"));
}

}  // namespace
}  // namespace hearth::auth
