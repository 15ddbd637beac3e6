// SPDX-License-Identifier: Apache-2.0
#include "base/text/timestamp.h"

#include <gtest/gtest.h>

#include <random>

namespace hearth::base {
namespace {

using std::chrono::microseconds;
using std::chrono::sys_days;

constexpr sys_days kDay{std::chrono::year(2026) / 11 / 21};
constexpr Timestamp kEight = Timestamp(kDay) + std::chrono::hours(8);

void expect_reads(std::string_view text, Timestamp time) {
  const auto parsed = parse_timestamp(text);
  ASSERT_TRUE(parsed) << text;
  EXPECT_EQ(to_string(*parsed), to_string(time)) << text;
}

TEST(Timestamp, IsWrittenWithSixDigitsAndOffset) {
  EXPECT_EQ(to_string(kEight), "2026-11-21T08:00:00.000000+00:00");
  EXPECT_EQ(to_string(kEight + microseconds(1'234'567)), "2026-11-21T08:00:01.234567+00:00");
  EXPECT_EQ(to_string(kEight - microseconds(1)), "2026-11-21T07:59:59.999999+00:00");
}

TEST(Timestamp, IsWrittenBeforeTheEpochAndAtBothEnds) {
  EXPECT_EQ(to_string(Timestamp(microseconds(-1))), "1969-12-31T23:59:59.999999+00:00");
  EXPECT_EQ(to_string(sys_days(std::chrono::year(0) / 1 / 1)), "0000-01-01T00:00:00.000000+00:00");
  EXPECT_EQ(to_string(sys_days(std::chrono::year(2024) / 2 / 29)), "2024-02-29T00:00:00.000000+00:00");
  EXPECT_EQ(to_string(Timestamp(sys_days(std::chrono::year(9999) / 12 / 31)) + std::chrono::days(1) - microseconds(1)),
            "9999-12-31T23:59:59.999999+00:00");
}

TEST(Timestamp, ReadsBackWhatItWrites) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<std::int64_t> any(-62'000'000'000'000'000, 253'000'000'000'000'000);
  for (int i = 0; i < 1'000; ++i) {
    const Timestamp time{microseconds(any(random))};
    const auto parsed = parse_timestamp(to_string(time));
    ASSERT_TRUE(parsed) << to_string(time);
    ASSERT_EQ(*parsed, time);
  }
}

TEST(Timestamp, ReadsEveryWayToWriteTheZone) {
  for (const std::string_view zone : {"Z", "z", "+00:00", "-00:00", "+0000", "+00", "", " 00:00"}) {
    expect_reads("2026-11-21T08:00:00" + std::string(zone), kEight);
  }
  expect_reads("2026-11-21T10:00:00+02:00", kEight);
  expect_reads("2026-11-21T10:00:00 02:00", kEight);
  expect_reads("2026-11-21T10:00:00+02", kEight);
  expect_reads("2026-11-21T13:30:00+0530", kEight);
  expect_reads("2026-11-20T23:30:00-08:30", kEight);
}

TEST(Timestamp, ReadsATOrASpaceBetweenDateAndTime) {
  expect_reads("2026-11-21t08:00:00Z", kEight);
  expect_reads("2026-11-21 08:00:00Z", kEight);
  expect_reads("2026-11-21 08:00:00 00:00", kEight);
}

TEST(Timestamp, ReadsShorterForms) {
  expect_reads("2026-11-21", kDay);
  expect_reads("2026-11-21T08:00", kEight);
  expect_reads("2026-11-21T08:00+01:00", kEight - std::chrono::hours(1));
}

TEST(Timestamp, CutsFractionsToSixDigits) {
  expect_reads("2026-11-21T08:00:00.5Z", kEight + microseconds(500'000));
  expect_reads("2026-11-21T08:00:00.000001Z", kEight + microseconds(1));
  expect_reads("2026-11-21T08:00:00.1234569Z", kEight + microseconds(123'456));
  expect_reads("2026-11-21T08:00:00.123456789+00:00", kEight + microseconds(123'456));
}

TEST(Timestamp, RefusesTextThatIsNoTimestamp) {
  for (const std::string_view text : {"",
                                      " ",
                                      "now",
                                      "2026",
                                      "2026-11",
                                      "2026-13-01",
                                      "2026-00-01",
                                      "2026-02-30",
                                      "2025-02-29",
                                      "2026-11-32",
                                      "26-11-21",
                                      "2026-1-1",
                                      "-2026-11-21",
                                      "2026/11/21",
                                      "2026-11-21T",
                                      "2026-11-21T08",
                                      "2026-11-21T24:00:00",
                                      "2026-11-21T08:60:00",
                                      "2026-11-21T08:00:60",
                                      "2026-11-21T08:00:00.",
                                      "2026-11-21T08:00:00.1234567890",
                                      "2026-11-21T08:00.5",
                                      "2026-11-21T08:00:00+",
                                      "2026-11-21T08:00:00+2",
                                      "2026-11-21T08:00:00+02:",
                                      "2026-11-21T08:00:00+24:00",
                                      "2026-11-21T08:00:00+00:60",
                                      "2026-11-21T08:00:00Zx",
                                      "2026-11-21T08:00:00+00:00 ",
                                      " 2026-11-21",
                                      "2026-11-21T8:00:00",
                                      "20261121T080000Z",
                                      "2026-11-21Z",
                                      "1795248000"}) {
    const auto parsed = parse_timestamp(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::invalid);
  }
}

TEST(Timestamp, RefusesTimesThatTheOffsetMovesOutOfYears0To9999) {
  EXPECT_FALSE(parse_timestamp("0000-01-01T00:00:00+00:01"));
  EXPECT_FALSE(parse_timestamp("9999-12-31T23:59:00-00:01"));
  EXPECT_TRUE(parse_timestamp("0000-01-01T00:00:00-00:01"));
  EXPECT_TRUE(parse_timestamp("9999-12-31T23:59:00+00:01"));
}

}  // namespace
}  // namespace hearth::base
