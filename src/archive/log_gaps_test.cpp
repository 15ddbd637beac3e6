// SPDX-License-Identifier: Apache-2.0
#include "archive/log_gaps.h"

#include <gtest/gtest.h>

#include <string>

namespace hearth::archive {
namespace {

std::string text(const LogGaps& gaps) {
  std::string out;
  for (const Gap& gap : gaps.gaps()) out += "(" + std::to_string(gap.after) + "," + std::to_string(gap.until) + "]";
  return out + " " + std::to_string(gaps.until());
}

TEST(LogGaps, ABatchThatDoesNotBeginWhereTheLastOneEndsLeavesAGap) {
  LogGaps gaps;
  EXPECT_FALSE(gaps.cover(0, 10));
  EXPECT_FALSE(gaps.cover(10, 20));
  EXPECT_EQ(" 20", text(gaps));
  EXPECT_TRUE(gaps.cover(25, 30));
  EXPECT_EQ("(20,25] 30", text(gaps));
  LogGaps fresh;
  EXPECT_TRUE(fresh.cover(5, 6));
  EXPECT_EQ("(0,5] 6", text(fresh));
}

TEST(LogGaps, WhatComesLaterShrinksSplitsAndClosesThem) {
  LogGaps gaps(10);
  gaps.cover(30, 40);
  EXPECT_TRUE(gaps.cover(0, 12));
  EXPECT_EQ("(12,30] 40", text(gaps));
  EXPECT_TRUE(gaps.cover(20, 22));
  EXPECT_EQ("(12,20](22,30] 40", text(gaps));
  EXPECT_TRUE(gaps.cover(28, 50));
  EXPECT_EQ("(12,20](22,28] 50", text(gaps));
  EXPECT_TRUE(gaps.cover(12, 28));
  EXPECT_EQ(" 50", text(gaps));
}

TEST(LogGaps, OverlapsAndWhatIsThereAlreadyChangeNothing) {
  LogGaps gaps(10);
  EXPECT_FALSE(gaps.cover(0, 10));
  EXPECT_FALSE(gaps.cover(5, 15));
  EXPECT_FALSE(gaps.cover(30, 30));  // says nothing
  EXPECT_FALSE(gaps.cover(30, 20));
  EXPECT_EQ(" 15", text(gaps));
}

TEST(LogGaps, TooManyAreJoinedWhereLeastLiesBetween) {
  LogGaps gaps;
  for (std::int64_t i = 0; i <= static_cast<std::int64_t>(LogGaps::kMost); ++i) {
    const std::int64_t size = i == 5 ? 1 : 10;
    gaps.cover(100 * i + 50, 100 * i + 50 + size);
  }
  EXPECT_EQ(LogGaps::kMost, gaps.gaps().size());
  EXPECT_EQ(460, gaps.gaps()[5].after);
  EXPECT_EQ(650, gaps.gaps()[5].until);
}

}  // namespace
}  // namespace hearth::archive
