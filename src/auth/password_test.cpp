// SPDX-License-Identifier: Apache-2.0
#include "auth/password.h"

#include <gtest/gtest.h>

namespace hearth::auth {
namespace {

TEST(Password, MatchesItsOwnHashOnly) {
  const std::string hash = hash_password("correct horse").value();
  EXPECT_TRUE(hash.starts_with("$argon2id$")) << hash;
  EXPECT_TRUE(password_matches(hash, "correct horse"));
  EXPECT_FALSE(password_matches(hash, "correct hors"));
  EXPECT_FALSE(password_matches(hash, ""));
}

TEST(Password, IsSalted) {
  EXPECT_NE(hash_password("the same").value(), hash_password("the same").value());
}

TEST(Password, MatchesNoEmptyOrBrokenHash) {
  EXPECT_FALSE(password_matches("", "a"));
  EXPECT_FALSE(password_matches("", ""));
  EXPECT_FALSE(password_matches("nonsense", "nonsense"));
}

TEST(Password, HasEightCodePointsAtLeast) {
  const std::string rule = "A password has at least 8 characters.";
  for (const auto& shorter : {"", "a", "1234567", "öäüßöäü"}) {
    ASSERT_FALSE(hash_password(shorter)) << shorter;
    EXPECT_EQ(base::ErrorCode::invalid, hash_password(shorter).error().code);
    EXPECT_EQ(rule, hash_password(shorter).error().message);
  }
  EXPECT_TRUE(hash_password("12345678"));
  EXPECT_TRUE(hash_password("öäüßöäüß"));
  EXPECT_TRUE(hash_password(std::string(kMaxPasswordBytes, 'a')));
}

TEST(Password, IsUtf8ThatIsNotTooLong) {
  EXPECT_EQ("The password is not UTF-8.", hash_password("12345678\xff").error().message);
  EXPECT_EQ("The password is too long.", hash_password(std::string(kMaxPasswordBytes + 1, 'a')).error().message);
}

}  // namespace
}  // namespace hearth::auth
