// SPDX-License-Identifier: Apache-2.0
#include "auth/password.h"

#include <gtest/gtest.h>

#include "auth/bcrypt.h"

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

// Of "small lamps", made by PyPI's bcrypt.
constexpr const char* kBcrypt = "$2b$04$k9Vwi5xcMAAFEYvHbbzsKuCcOY605RF63MjXi7QEZ5qEcYishg9BW";

TEST(Password, MatchesABcryptHashOfAnotherHub) {
  for (const int highest : {0, 4, 6}) {
    EXPECT_TRUE(password_matches(kBcrypt, "small lamps", highest));
    EXPECT_FALSE(password_matches(kBcrypt, "small lamp", highest));
    EXPECT_FALSE(password_matches(kBcrypt, "", highest));
    EXPECT_FALSE(password_matches("", "small lamps", highest));
  }
  EXPECT_FALSE(password_matches(kBcrypt, "small lamps" + std::string(kMaxPasswordBytes, 'x')));
  const std::string own = hash_password("small lamps").value();
  EXPECT_TRUE(password_matches(own, "small lamps", 4));
  EXPECT_FALSE(password_matches(own, "small lamp", 4));
}

TEST(Password, CostsTheSameWhateverIsWrongWhileThereIsBcrypt) {
  EXPECT_TRUE(further_bcrypt_costs(0, 0).empty());
  for (int highest = kMinBcryptCost; highest <= kMaxBcryptCost; ++highest) {
    for (int own = 0; own <= highest; own == 0 ? own = kMinBcryptCost : ++own) {
      int rounds = own == 0 ? 0 : 1 << own;
      for (const int cost : further_bcrypt_costs(own, highest)) rounds += 1 << cost;
      EXPECT_EQ(1 << highest, rounds) << own;
    }
  }
  EXPECT_TRUE(further_bcrypt_costs(12, 10).empty());
}

TEST(Password, SaysWhichStoredTextsNobodyCanMatch) {
  EXPECT_TRUE(check_password_hash(""));
  EXPECT_TRUE(check_password_hash(kBcrypt));
  EXPECT_TRUE(check_password_hash(hash_password("small lamps").value()));
  for (const char* hash : {"nonsense", "$2x$04$k9Vwi5xcMAAFEYvHbbzsKuCcOY605RF63MjXi7QEZ5qEcYishg9BW",
                           "$2b$15$k9Vwi5xcMAAFEYvHbbzsKuCcOY605RF63MjXi7QEZ5qEcYishg9BW", "$2b$04$short",
                           "$argon2id$v=19$m=65536,t=2,p=1$short"}) {
    EXPECT_FALSE(check_password_hash(hash)) << hash;
    EXPECT_FALSE(password_matches(hash, "small lamps", 4)) << hash;
  }
}

TEST(Password, HashesAKnownOneByNoRule) {
  EXPECT_TRUE(password_matches(hash_known_password("a").value(), "a"));
  EXPECT_TRUE(password_matches(hash_known_password("\xFF").value(), "\xFF"));
}

}  // namespace
}  // namespace hearth::auth
