// SPDX-License-Identifier: Apache-2.0
#include "base/ulid.h"

#include <gtest/gtest.h>

#include <set>

namespace hearth::base {
namespace {

constexpr Timestamp kStart{std::chrono::sys_days(std::chrono::year(2026) / 11 / 21)};

TEST(Ulid, HasTwentySixCharactersOfCrockfordsBase32) {
  for (int i = 0; i < 1'000; ++i) {
    const Id id = make_ulid(kStart);
    ASSERT_EQ(id.str().size(), 26u);
    ASSERT_EQ(id.str().find_first_not_of("0123456789ABCDEFGHJKMNPQRSTVWXYZ"), std::string::npos) << id;
  }
}

TEST(Ulid, BeginsWithTheMilliseconds) {
  EXPECT_EQ(make_ulid(Timestamp(std::chrono::milliseconds(0))).str().substr(0, 10), "0000000000");
  EXPECT_EQ(make_ulid(Timestamp(std::chrono::microseconds(1'999))).str().substr(0, 10), "0000000001");
  // The example of the ULID specification.
  EXPECT_EQ(make_ulid(Timestamp(std::chrono::milliseconds(1'469'922'850'259))).str().substr(0, 10), "01ARZ3NDEK");
}

TEST(Ulid, SortsByTime) {
  Id last;
  for (int i = 0; i < 2'000; ++i) {
    const Id id = make_ulid(kStart + std::chrono::milliseconds(i));
    ASSERT_LT(last, id);
    last = id;
  }
}

TEST(Ulid, IsUniqueWithinAMillisecond) {
  std::set<Id> ids;
  for (int i = 0; i < 10'000; ++i) ids.insert(make_ulid(kStart));
  EXPECT_EQ(ids.size(), 10'000u);
}

TEST(Ulid, VariesInEveryRandomCharacter) {
  std::array<std::set<char>, 16> seen;
  for (int i = 0; i < 2'000; ++i) {
    const Id id = make_ulid(kStart);
    for (std::size_t k = 0; k < seen.size(); ++k) seen[k].insert(id.str()[10 + k]);
  }
  for (const auto& characters : seen) EXPECT_EQ(characters.size(), 32u);
}

}  // namespace
}  // namespace hearth::base
