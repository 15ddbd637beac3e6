// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/local_time.h"

#include <gtest/gtest.h>

#include "base/text/timestamp.h"

namespace hearth::domains {
namespace {

const std::string kBerlinZone = "Europe/Berlin";

std::string utc(std::string_view text, const std::string& zone = kBerlinZone) {
  const auto time = parse_local_time(text, zone);
  return time ? base::to_string(*time).substr(0, 19) : time.error().message;
}

TEST(LocalTime, IsInTheZoneUnlessItHasAnOffset) {
  EXPECT_EQ(utc("2026-07-01 12:00"), "2026-07-01T10:00:00");
  EXPECT_EQ(utc("2026-12-01T12:00:00"), "2026-12-01T11:00:00");
  EXPECT_EQ(utc("2026-12-01T12:00:00Z"), "2026-12-01T12:00:00");
  EXPECT_EQ(utc("2026-12-01T12:00:00-05:00"), "2026-12-01T17:00:00");
  EXPECT_EQ(utc("2026-12-01 12:00", "Nowhere/None"), "2026-12-01T12:00:00");
  EXPECT_FALSE(parse_local_time("noon", kBerlinZone));
}

TEST(LocalTime, IsTheEarlierIfAClockChangeSkipsOrRepeatsIt) {
  EXPECT_EQ(utc("2026-03-29 02:30"), "2026-03-29T01:00:00");
  EXPECT_EQ(utc("2026-10-25 02:30"), "2026-10-25T00:30:00");
}

TEST(LocalTime, HasTheOffsetOfItsMoment) {
  const auto text = [](std::string_view time, const std::string& zone = kBerlinZone) {
    return local_time_text(base::parse_timestamp(time).value(), zone);
  };
  EXPECT_EQ(text("2026-07-01T10:00:00Z"), "2026-07-01T12:00:00+02:00");
  EXPECT_EQ(text("2026-12-01T11:00:00.25Z"), "2026-12-01T12:00:00.250000+01:00");
  EXPECT_EQ(text("2026-12-01T11:00:00Z", "Nowhere/None"), "2026-12-01T11:00:00+00:00");
}

TEST(LocalTime, DaysBeginWhenTheyBeginThere) {
  EXPECT_EQ(base::to_string(start_of_day("2026-07-01", kBerlinZone)).substr(0, 19), "2026-06-30T22:00:00");
  // Clocks skip from 24:00 to 01:00.
  EXPECT_EQ(base::to_string(start_of_day("2026-09-06", "America/Santiago")).substr(0, 19), "2026-09-06T04:00:00");
  EXPECT_EQ(next_day("2028-02-28"), "2028-02-29");
  EXPECT_EQ(next_day("2026-12-30", 3), "2027-01-02");
}

}  // namespace
}  // namespace hearth::domains
