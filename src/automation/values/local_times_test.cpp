// SPDX-License-Identifier: Apache-2.0
#include "automation/values/local_times.h"

#include <gtest/gtest.h>

#include "automation/values/duration.h"
#include "base/text/timestamp.h"

namespace hearth::automation {
namespace {

using templates::Zone;

std::string next_after(std::string_view zone, std::string_view after, std::string_view time,
                       Weekdays days = Weekdays::all()) {
  const auto next = next_time_of_day(base::parse_timestamp(after).value(), parse_time_of_day(time).value(), days,
                                     Zone::of(std::string(zone)));
  return next ? base::to_string(next->at).substr(0, 19) : "never";
}

std::string pattern_after(std::string_view zone, std::string_view after, TimePattern pattern) {
  const auto next = pattern.next(base::parse_timestamp(after).value(), Zone::of(std::string(zone)));
  return next ? base::to_string(next->at).substr(0, 19) : "never";
}

TEST(LocalTimes, ComeOnceADay) {
  EXPECT_EQ(next_after("Europe/Berlin", "2026-06-01T04:59:59Z", "07:00"), "2026-06-01T05:00:00");
  EXPECT_EQ(next_after("Europe/Berlin", "2026-06-01T05:00:00Z", "07:00"), "2026-06-02T05:00:00");
}

TEST(LocalTimes, ThatAreSkippedComeAtTheFirstInstantAfter) {
  EXPECT_EQ(next_after("Europe/Berlin", "2026-03-28T22:00:00Z", "02:30"), "2026-03-29T01:00:00");
  EXPECT_EQ(next_after("Europe/Berlin", "2026-03-29T01:00:00Z", "02:30"), "2026-03-30T00:30:00");
  EXPECT_EQ(next_after("Australia/Lord_Howe", "2026-10-03T12:00:00Z", "02:15"), "2026-10-03T15:30:00");
  EXPECT_EQ(next_after("America/Sao_Paulo", "2018-11-03T20:00:00Z", "00:30"), "2018-11-04T03:00:00");
}

TEST(LocalTimes, ThatAreSkippedAreInTheOrderOfTheirWallTime) {
  const Zone berlin = Zone::of("Europe/Berlin");
  const auto next = [&](std::string_view time) {
    return next_time_of_day(base::parse_timestamp("2026-03-28T22:00:00Z").value(), parse_time_of_day(time).value(),
                            Weekdays::all(), berlin)
        .value();
  };
  EXPECT_EQ(next("02:10").at, next("03:00").at);
  EXPECT_LT(next("01:59:59"), next("02:00"));
  EXPECT_LT(next("02:00"), next("02:10"));
  EXPECT_LT(next("02:10"), next("02:30"));
  EXPECT_LT(next("02:30"), next("03:00"));
  EXPECT_EQ(next("03:00").skipped, base::Duration(0));
  EXPECT_EQ(next("02:10").skipped, -std::chrono::minutes(50));
  EXPECT_LT(next("03:00"), next("03:00:01"));
  const TimePattern fixed{{1, 2}, {1, 5}, {1, 0}};
  EXPECT_EQ(fixed.next(base::parse_timestamp("2026-03-28T22:00:00Z").value(), berlin), next("02:05"));
}

TEST(LocalTimes, ThatComeTwiceCountAtTheFirst) {
  EXPECT_EQ(next_after("Europe/Berlin", "2026-10-24T22:00:00Z", "02:30"), "2026-10-25T00:30:00");
  EXPECT_EQ(next_after("Europe/Berlin", "2026-10-25T00:30:00Z", "02:30"), "2026-10-26T01:30:00");
  EXPECT_EQ(next_after("America/New_York", "2026-11-01T05:30:00Z", "01:30"), "2026-11-02T06:30:00");
}

TEST(LocalTimes, OfADayThatThePlaceSkipsDoNotCome) {
  EXPECT_EQ(next_after("Pacific/Apia", "2011-12-29T20:00:00Z", "09:00"), "2011-12-30T19:00:00");
}

TEST(LocalTimes, KeepToTheirWeekdays) {
  Weekdays days = Weekdays::none();
  EXPECT_EQ(next_after("UTC", "2026-11-25T12:00:00Z", "09:00", days), "never");
  days.add(*parse_weekday("mon"));
  EXPECT_EQ(next_after("UTC", "2026-11-25T12:00:00Z", "09:00", days), "2026-11-30T09:00:00");
}

TEST(TimePattern, DividesOrIsExact) {
  const TimePattern quarter{{}, {15, -1}, {1, 0}};
  EXPECT_EQ(pattern_after("UTC", "2026-11-25T12:00:00Z", quarter), "2026-11-25T12:15:00");
  EXPECT_EQ(pattern_after("UTC", "2026-11-25T12:50:10Z", quarter), "2026-11-25T13:00:00");
  const TimePattern fixed{{1, 7}, {1, 5}, {1, 0}};
  EXPECT_EQ(pattern_after("Europe/Berlin", "2026-11-25T12:00:00Z", fixed), "2026-11-26T06:05:00");
  const TimePattern at_seven{{1, 7}, {}, {20, -1}};
  EXPECT_EQ(pattern_after("UTC", "2026-11-25T07:59:40Z", at_seven), "2026-11-26T07:00:00");
}

TEST(TimePattern, GoesOnInRealTimeThroughClockChanges) {
  const TimePattern half{{}, {30, -1}, {1, 0}};
  EXPECT_EQ(pattern_after("Europe/Berlin", "2026-10-25T00:30:00Z", half), "2026-10-25T01:00:00");
  EXPECT_EQ(pattern_after("Europe/Berlin", "2026-10-25T01:00:00Z", half), "2026-10-25T01:30:00");
  // With a fixed hour the hour that comes twice counts once.
  const TimePattern at_two{{1, 2}, {30, -1}, {1, 0}};
  EXPECT_EQ(pattern_after("Europe/Berlin", "2026-10-25T00:30:00Z", at_two), "2026-10-26T01:00:00");
  const TimePattern hourly{{}, {1, 0}, {1, 0}};
  EXPECT_EQ(pattern_after("Australia/Lord_Howe", "2026-10-03T14:30:00Z", hourly), "2026-10-03T16:00:00");
}

}  // namespace
}  // namespace hearth::automation
