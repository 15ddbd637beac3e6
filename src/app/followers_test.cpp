// SPDX-License-Identifier: Apache-2.0
#include "app/followers.h"

#include <gtest/gtest.h>

namespace hearth::app {
namespace {

using namespace std::chrono_literals;

TEST(Followers, SayHowFarOneIsBehindAfterTenMinutes) {
  const base::Timestamp now{std::chrono::sys_days(std::chrono::year(2026) / 11 / 21)};
  EXPECT_TRUE(issues_of("archive", {.behind = 7}, now).empty());
  EXPECT_TRUE(issues_of("archive", {.behind = 7, .since = now - 9min, .failure = "It is full."}, now).empty());
  const auto issues = issues_of("archive", {.behind = 7, .since = now - 3h, .failure = "It is full."}, now);
  ASSERT_EQ(1u, issues.size());
  EXPECT_EQ("archive_behind", issues[0].kind);
  EXPECT_EQ("3 h", issues[0].details.at("behind"));
  EXPECT_EQ("It is full.", issues[0].details.at("error"));
}

TEST(Followers, NameTheLargestUnitThatFits) {
  EXPECT_EQ("10 min", in_words(10min));
  EXPECT_EQ("47 h", in_words(47h + 59min));
  EXPECT_EQ("2 days", in_words(48h));
}

}  // namespace
}  // namespace hearth::app
