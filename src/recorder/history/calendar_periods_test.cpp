// SPDX-License-Identifier: Apache-2.0
#include "recorder/history/calendar_periods.h"

#include <gtest/gtest.h>

#include "base/text/timestamp.h"

namespace hearth::recorder {
namespace {

using namespace std::chrono_literals;

base::Timestamp moment(std::string_view text) {
  return base::parse_timestamp(text).value();
}

TEST(CalendarPeriods, BeginAndEndAtTheMidnightOfTheHome) {
  const struct {
    Period period;
    const char *zone, *time, *start, *end;
  } cases[] = {
      {Period::day, "Europe/Berlin", "2026-10-24T22:00Z", "2026-10-25T00:00+02:00", "2026-10-26T00:00+01:00"},
      {Period::day, "Europe/Berlin", "2026-10-25T22:59Z", "2026-10-25T00:00+02:00", "2026-10-26T00:00+01:00"},
      {Period::day, "Europe/Berlin", "2026-03-29T12:00Z", "2026-03-29T00:00+01:00", "2026-03-30T00:00+02:00"},
      {Period::day, "America/Sao_Paulo", "2018-11-04T12:00Z", "2018-11-04T03:00Z", "2018-11-05T02:00Z"},
      {Period::day, "Asia/Kolkata", "2026-01-01T18:30Z", "2026-01-01T18:30Z", "2026-01-02T18:30Z"},
      {Period::week, "Europe/Berlin", "2026-11-01T23:00Z", "2026-11-02T00:00+01:00", "2026-11-09T00:00+01:00"},
      {Period::month, "Europe/Berlin", "2026-10-31T22:59Z", "2026-10-01T00:00+02:00", "2026-11-01T00:00+01:00"},
      {Period::month, "Pacific/Auckland", "2026-12-31T12:00Z", "2027-01-01T00:00+13:00", "2027-02-01T00:00+13:00"},
      {Period::hour, "Asia/Kolkata", "2026-01-01T18:30Z", "2026-01-01T18:00Z", "2026-01-01T19:00Z"},
      {Period::day, "No/Where", "2026-10-24T22:00Z", "2026-10-24T00:00Z", "2026-10-25T00:00Z"},
      {Period::day, "", "2026-10-24T22:00Z", "2026-10-24T00:00Z", "2026-10-25T00:00Z"},
  };
  for (const auto& one : cases) {
    CalendarPeriods periods(one.period, one.zone);
    EXPECT_EQ(moment(one.start), periods.start_of(moment(one.time))) << one.zone << one.time;
    EXPECT_EQ(moment(one.end), periods.end_of(moment(one.time))) << one.zone << one.time;
    EXPECT_EQ(moment(one.start), periods.start_of(moment(one.end) - 1us)) << one.zone << one.time;
    EXPECT_EQ(moment(one.end), periods.start_of(moment(one.end))) << one.zone << one.time;
  }
}

TEST(CalendarPeriods, KnowYearsAndQuartersOfAnHour) {
  auto years = CalendarPeriods::years("Europe/Berlin");
  EXPECT_EQ(moment("2026-01-01T00:00+01:00"), years.start_of(moment("2026-12-31T22:59Z")));
  EXPECT_EQ(moment("2027-01-01T00:00+01:00"), years.end_of(moment("2026-06-01T00:00Z")));
  EXPECT_EQ(moment("2024-01-01T00:00Z"), CalendarPeriods::years("UTC").start_of(moment("2024-12-31T23:59Z")));
  auto quarters = CalendarPeriods::quarters();
  EXPECT_EQ(moment("2026-01-01T18:45Z"), quarters.start_of(moment("2026-01-01T18:59Z")));
  EXPECT_EQ(moment("2026-01-01T19:00Z"), quarters.end_of(moment("2026-01-01T18:45Z")));
}

}  // namespace
}  // namespace hearth::recorder
