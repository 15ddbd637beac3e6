// SPDX-License-Identifier: Apache-2.0
#include "base/config/duration.h"

#include <gtest/gtest.h>

namespace hearth::base {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::optional<Duration> of(std::string_view text) {
  return duration_of(parse_json(text).value());
}

TEST(Duration, IsReadFromNumbersTextsAndObjects) {
  EXPECT_EQ(of("90"), seconds(90));
  EXPECT_EQ(of("0.25"), milliseconds(250));
  EXPECT_EQ(of(R"("90")"), seconds(90));
  EXPECT_EQ(of(R"("01:30")"), seconds(5'400));
  EXPECT_EQ(of(R"("0:75")"), seconds(4'500));
  EXPECT_EQ(of(R"("00:00:90")"), seconds(90));
  EXPECT_EQ(of(R"("-0:00:30.5")"), milliseconds(-30'500));
  EXPECT_EQ(of(R"({"days": 1, "minutes": "2", "milliseconds": 1})"), milliseconds(86'520'001));
}

TEST(Duration, IsNothingElse) {
  for (const char* const text : {"true", "null", "[]", "{}", R"("")", R"("x")", R"("1:2:3:4")", R"({"weeks": 1})",
                                 R"({"hours": true})", "1e12", R"("--1")"})
    EXPECT_EQ(of(text), std::nullopt) << text;
}

TEST(Duration, IsShownInWholeSecondsRoundedUp) {
  EXPECT_EQ(clock_text(seconds(0)), "0:00:00");
  EXPECT_EQ(clock_text(milliseconds(1'001)), "0:00:02");
  EXPECT_EQ(clock_text(seconds(26 * 3'600 + 61)), "26:01:01");
}

}  // namespace
}  // namespace hearth::base
