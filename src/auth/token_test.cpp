// SPDX-License-Identifier: Apache-2.0
#include "auth/token.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace hearth::auth {
namespace {

TEST(Token, HasFortyThreeUrlSafeCharacters) {
  constexpr auto allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  for (int i = 0; i < 100; ++i) {
    const std::string text = make_token();
    EXPECT_EQ(kTokenLength, text.size());
    EXPECT_EQ(std::string::npos, text.find_first_not_of(allowed)) << text;
  }
}

TEST(Token, DiffersEachTime) {
  EXPECT_NE(make_token(), make_token());
  EXPECT_NE(make_id(), make_id());
}

TEST(Token, IsHashedBySha256) {
  // FIPS 180-2, appendix B.1.
  EXPECT_EQ("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            fmt::format("{:02x}", fmt::join(hash_token("abc"), "")));
}

TEST(Token, IdsAreThirtyTwoHexadecimalDigits) {
  EXPECT_EQ(32u, make_id().size());
  EXPECT_EQ(std::string::npos, make_id().find_first_not_of("0123456789abcdef"));
}

}  // namespace
}  // namespace hearth::auth
