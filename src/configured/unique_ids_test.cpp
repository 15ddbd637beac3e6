// SPDX-License-Identifier: Apache-2.0
#include "configured/unique_ids.h"

#include <gtest/gtest.h>

namespace hearth::configured {
namespace {

TEST(UniqueIds, NumberThoseThatAreMade) {
  UniqueIds ids;
  EXPECT_EQ(ids.claim("x.", "hall", "f.yaml:1"), "hall");
  EXPECT_EQ(ids.claim("x.", "hall", "f.yaml:2"), "hall_2");
  EXPECT_EQ(ids.claim("x.", "hall", "f.yaml:3"), "hall_3");
  EXPECT_EQ(ids.claim("y.", "hall", "f.yaml:4"), "hall");
  ASSERT_NE(ids.place_of("x.hall_2"), nullptr);
  EXPECT_EQ(*ids.place_of("x.hall_2"), "f.yaml:2");
  EXPECT_EQ(ids.place_of("hall"), nullptr);
}

TEST(UniqueIds, RefuseOneThatIsGivenTwice) {
  UniqueIds ids;
  const base::ConfigNode given({std::make_shared<const std::string>("f.yaml"), 7, "unique_id"}, std::string("hall"));
  std::string error;
  EXPECT_EQ(ids.claim("x ", "hall", "f.yaml:3", &given, error), "hall");
  EXPECT_EQ(error, "");
  EXPECT_EQ(ids.claim("x ", "hall", "f.yaml:6", &given, error), "hall f.yaml:6");
  EXPECT_EQ(error, "f.yaml:7: unique_id: is there twice, also at f.yaml:3");
  error.clear();
  EXPECT_EQ(ids.claim("x ", "hall", "f.yaml:9", nullptr, error), "hall_2");
  EXPECT_EQ(error, "");
}

}  // namespace
}  // namespace hearth::configured
