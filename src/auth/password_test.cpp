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
  EXPECT_NE(hash_password("a").value(), hash_password("a").value());
}

TEST(Password, MatchesNoEmptyOrBrokenHash) {
  EXPECT_FALSE(password_matches("", "a"));
  EXPECT_FALSE(password_matches("", ""));
  EXPECT_FALSE(password_matches("nonsense", "nonsense"));
}

TEST(Password, IsNotEmpty) {
  EXPECT_EQ("The password is empty.", hash_password("").error().message);
}

}  // namespace
}  // namespace hearth::auth
