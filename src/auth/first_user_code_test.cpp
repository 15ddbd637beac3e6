// SPDX-License-Identifier: Apache-2.0
#include "auth/first_user_code.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace hearth::auth {
namespace {

TEST(FirstUserCode, IsAnotherEachTime) {
  const FirstUserCode code, other;
  EXPECT_EQ(code.text().size(), 9u);
  EXPECT_EQ(code.text()[4], '-');
  EXPECT_NE(code.text(), other.text());
  EXPECT_FALSE(code.matches(other.text()));
}

TEST(FirstUserCode, IsReadAsPeopleTypeIt) {
  const FirstUserCode code;
  std::string typed = code.text();
  EXPECT_TRUE(code.matches(typed));
  EXPECT_TRUE(code.matches(" " + typed + " "));
  std::ranges::transform(typed, typed.begin(), [](unsigned char c) { return std::tolower(c); });
  std::ranges::replace(typed, '0', 'o');
  std::ranges::replace(typed, '1', 'l');
  EXPECT_TRUE(code.matches(typed));
  std::erase(typed, '-');
  EXPECT_TRUE(code.matches(typed));
}

TEST(FirstUserCode, RefusesAnythingElse) {
  const FirstUserCode code;
  for (const std::string& typed :
       {std::string(), std::string("-"), code.text().substr(1), code.text() + "0", code.text() + std::string(1, '\0'),
        std::string(1'000'000, '0'), std::string("ÄÄÄÄ")}) {
    EXPECT_FALSE(code.matches(typed));
  }
}

}  // namespace
}  // namespace hearth::auth
