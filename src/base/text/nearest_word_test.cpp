// SPDX-License-Identifier: Apache-2.0
#include "base/text/nearest_word.h"

#include <gtest/gtest.h>

#include <array>

namespace hearth::base {
namespace {

constexpr std::array<std::string_view, 4> kWords = {"latitude", "longitude", "elevation", "name"};

TEST(NearestWord, FindsTheWordThatWasMistyped) {
  EXPECT_EQ(nearest_word("latitud", kWords), "latitude");
  EXPECT_EQ(nearest_word("longitute", kWords), "longitude");
  EXPECT_EQ(nearest_word("elevaiton", kWords), "elevation");
  EXPECT_EQ(nearest_word("nmae", kWords), "name");
  EXPECT_EQ(nearest_word("Name", kWords), "name");
}

TEST(NearestWord, FindsNothingIfNoWordIsNear) {
  EXPECT_FALSE(nearest_word("currency", kWords));
  EXPECT_FALSE(nearest_word("", kWords));
  EXPECT_FALSE(nearest_word("x", kWords));
  EXPECT_FALSE(nearest_word("name", {}));
  EXPECT_FALSE(nearest_word(std::string(1'000'000, 'a'), kWords));
}

}  // namespace
}  // namespace hearth::base
