// SPDX-License-Identifier: Apache-2.0
#include "storage/home_uuid.h"

#include <gtest/gtest.h>

#include "storage/temporary_folder.h"

namespace hearth::storage {
namespace {

TEST(HomeUuid, IsMadeOnceAndKept) {
  TemporaryFolder folder;
  std::string first;
  {
    auto database = Database::open(folder / "home.db").value();
    first = home_uuid(database).value();
    EXPECT_EQ(first, home_uuid(database).value());
  }
  auto again = Database::open(folder / "home.db").value();
  EXPECT_EQ(first, home_uuid(again).value());
}

TEST(HomeUuid, HasThirtyTwoHexadecimalDigitsInLowerCase) {
  TemporaryFolder folder;
  auto database = Database::open(folder / "home.db").value();
  const std::string uuid = home_uuid(database).value();
  EXPECT_EQ(32u, uuid.size());
  EXPECT_EQ(std::string::npos, uuid.find_first_not_of("0123456789abcdef")) << uuid;
}

TEST(HomeUuid, DiffersBetweenHomes) {
  TemporaryFolder folder;
  auto one = Database::open(folder / "one.db").value();
  auto other = Database::open(folder / "other.db").value();
  EXPECT_NE(home_uuid(one).value(), home_uuid(other).value());
}

}  // namespace
}  // namespace hearth::storage
