// SPDX-License-Identifier: Apache-2.0
#include "base/text/optional_text.h"

#include <gtest/gtest.h>

namespace hearth::base {
namespace {

TEST(OptionalText, IsATextOrNone) {
  OptionalText text;
  EXPECT_FALSE(text);
  EXPECT_EQ(text, std::nullopt);
  EXPECT_EQ(text.value_or("none"), "none");
  text = "hall";
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "hall");
  EXPECT_EQ(text->size(), 4u);
  EXPECT_EQ(text.value_or("none"), "hall");
  text.reset();
  EXPECT_EQ(text, OptionalText());
  text = std::optional<std::string>("attic");
  EXPECT_EQ(text, "attic");
  text = std::optional<std::string>();
  EXPECT_FALSE(text);
}

TEST(OptionalText, ComparesTheTextsAndNotWhereTheyAre) {
  const OptionalText one("hall"), same(std::string("hall")), other("attic"), empty(""), none;
  EXPECT_EQ(one, same);
  EXPECT_EQ(one, std::string_view("hall"));
  EXPECT_NE(one, other);
  EXPECT_NE(one, none);
  EXPECT_NE(empty, none);
  EXPECT_NE(none, "");
  EXPECT_EQ(none, OptionalText());
}

TEST(OptionalText, KeepsItsTextWhenACopyGetsAnother) {
  OptionalText text("hall");
  const OptionalText copy = text;
  text = "attic";
  EXPECT_EQ(copy, "hall");
  EXPECT_EQ(text, "attic");
}

}  // namespace
}  // namespace hearth::base
