// SPDX-License-Identifier: Apache-2.0
#include "base/pin.h"

#include <gtest/gtest.h>

namespace hearth::base {
namespace {

TEST(Pin, HasFourToTwelveDigits) {
  for (const char* good : {"0000", "1234", "123456789012"}) EXPECT_TRUE(is_pin(good)) << good;
  for (const char* bad : {"", "123", "1234567890123", "12a4", "12 4", "-123", "１２３４"})
    EXPECT_FALSE(is_pin(bad)) << bad;
}

TEST(Pin, MatchesItsHashOnly) {
  const std::string hash = hash_pin("4711").value();
  EXPECT_FALSE(hash.contains("4711"));
  EXPECT_NE(hash, hash_pin("4711").value());
  EXPECT_TRUE(pin_matches(hash, "4711"));
  for (const char* wrong : {"", "4712", "47110", "471"}) EXPECT_FALSE(pin_matches(hash, wrong)) << wrong;
  EXPECT_FALSE(pin_matches("", "4711"));
  EXPECT_FALSE(pin_matches("nonsense", "4711"));
}

}  // namespace
}  // namespace hearth::base
