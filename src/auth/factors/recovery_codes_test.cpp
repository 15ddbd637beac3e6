// SPDX-License-Identifier: Apache-2.0
#include "auth/factors/recovery_codes.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace hearth::auth {
namespace {

TEST(RecoveryCodesTest, AreTenThatDiffer) {
  const auto codes = make_recovery_codes();
  EXPECT_EQ(10u, std::set<std::string>(codes.begin(), codes.end()).size());
  for (const std::string& code : codes) {
    EXPECT_TRUE(std::regex_match(code, std::regex("([a-km-np-z2-9]{4}-){2}[a-km-np-z2-9]{4}"))) << code;
  }
}

TEST(RecoveryCodesTest, AreTheSameHoweverTheyAreTyped) {
  const TokenHash hash = hash_recovery_code("ann", "abcd-efgh-ijkm");
  EXPECT_EQ(hash, hash_recovery_code("ann", "ABCD EFGH IJKM"));
  EXPECT_EQ(hash, hash_recovery_code("ann", "abcdefghijkm"));
  EXPECT_NE(hash, hash_recovery_code("ann", "abcd-efgh-ijkn"));
  EXPECT_NE(hash, hash_recovery_code("bob", "abcd-efgh-ijkm"));
}

}  // namespace
}  // namespace hearth::auth
