// SPDX-License-Identifier: Apache-2.0
#include "import_ha/steps/old_tokens.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/text/timestamp.h"

namespace hearth::import_ha {
namespace {

// Made by another program from the same facts: the claims of the second 1700000000, with either order of the head.
constexpr std::string_view kId = "0123456789abcdef0123456789abcdef", kKey = "6b6579206f6620746865206c616d70";
constexpr double kLifetime = 315'360'000;
constexpr std::string_view kTokens[] = {
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
    "eyJpc3MiOiIwMTIzNDU2Nzg5YWJjZGVmMDEyMzQ1Njc4OWFiY2RlZiIsImlhdCI6MTcwMDAwMDAwMC"
    "wiZXhwIjoyMDE1MzYwMDAwfQ.wswKgWUCOFnuMfcvGGzE5kEAgWe_2WHb8zzlQiczxmA",
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9."
    "eyJpc3MiOiIwMTIzNDU2Nzg5YWJjZGVmMDEyMzQ1Njc4OWFiY2RlZiIsImlhdCI6MTcwMDAwMDAwMC"
    "wiZXhwIjoyMDE1MzYwMDAwfQ.TC5_gOrdatQP7l1BJJetfjD4C3gRsjJ-wLgZnk7pnds",
};

TEST(OldTokensTest, AreComputedAgain) {
  for (const std::string_view created : {"2023-11-14T22:13:20.000000+00:00", "2023-11-14T22:13:20.999999+00:00",
                                         "2023-11-14T22:13:21.500000+00:00", "2023-11-14T22:13:19.000001+00:00"}) {
    const auto hashes = hashes_of_token(kId, kKey, base::parse_timestamp(created).value(), kLifetime);
    EXPECT_EQ(hashes.size(), 6u);
    for (const std::string_view token : kTokens)
      EXPECT_NE(std::ranges::find(hashes, auth::hash_token(token)), hashes.end()) << created;
  }
  const auto later = hashes_of_token(kId, kKey, base::parse_timestamp("2023-11-14T22:13:23+00:00").value(), kLifetime);
  EXPECT_EQ(std::ranges::find(later, auth::hash_token(kTokens[0])), later.end());
}

}  // namespace
}  // namespace hearth::import_ha
