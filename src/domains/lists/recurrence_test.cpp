// SPDX-License-Identifier: Apache-2.0
#include "domains/lists/recurrence.h"

#include <gtest/gtest.h>

namespace hearth::domains {
namespace {

constexpr const char* kZoneOfRules = "Europe/Berlin";

// "20310107 20310114 …"; an error if it is none.
std::string expanded(std::string_view rule, std::string_view start, std::string_view from = "", std::size_t most = 4) {
  const auto made = Recurrence::parse(rule, start, kZoneOfRules);
  if (!made) return made.error().message;
  std::string all;
  std::size_t count = 0;
  made->each(from.empty() ? start : from, [&](const std::string& next) {
    all += (all.empty() ? "" : " ") + recurrence_id_of(next);
    return ++count < most;
  });
  return all;
}

TEST(RecurrenceTest, ExpandsDaysAndTimes) {
  EXPECT_EQ(expanded("FREQ=WEEKLY;BYDAY=TU", "2031-01-07"), "20310107 20310114 20310121 20310128");
  EXPECT_EQ(expanded("RRULE:FREQ=DAILY;INTERVAL=2", "2031-01-30T08:00:00"),
            "20310130T080000 20310201T080000 20310203T080000 20310205T080000");
  EXPECT_EQ(expanded("FREQ=MONTHLY;BYDAY=-1FR", "2031-01-31"), "20310131 20310228 20310328 20310425");
  EXPECT_EQ(expanded("FREQ=MONTHLY;BYMONTHDAY=31", "2031-01-31"), "20310131 20310331 20310531 20310731");
  EXPECT_EQ(expanded("FREQ=YEARLY", "2024-02-29"), "20240229 20280229 20320229 20360229");
  EXPECT_EQ(expanded("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "2031-06-13", "", 2), "20310613 20320213");
  EXPECT_EQ(expanded("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2031-01-31", "", 2), "20310131 20310228");
}

TEST(RecurrenceTest, BeginsWhereItIsAsked) {
  EXPECT_EQ(expanded("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", "1901-01-01", "2031-01-01", 2), "20310107 20310121");
  EXPECT_EQ(expanded("FREQ=DAILY", "2031-01-07T10:00:00", "2031-02-01T10:00:01", 1), "20310202T100000");
  EXPECT_EQ(expanded("FREQ=DAILY;COUNT=5", "2031-01-07", "2031-01-10"), "20310110 20310111");
}

TEST(RecurrenceTest, Ends) {
  EXPECT_EQ(expanded("FREQ=DAILY;COUNT=2", "2031-01-07"), "20310107 20310108");
  EXPECT_EQ(expanded("FREQ=DAILY;UNTIL=20310108", "2031-01-07"), "20310107 20310108");
  EXPECT_EQ(expanded("FREQ=DAILY;UNTIL=20310108", "2031-01-07T22:00:00"), "20310107T220000 20310108T220000");
  // A moment: 22:00 in Berlin is 21:00 in UTC.
  EXPECT_EQ(expanded("FREQ=DAILY;UNTIL=20310108T205959Z", "2031-01-07T22:00:00"), "20310107T220000");
  EXPECT_EQ(expanded("FREQ=DAILY;UNTIL=20310108T210000Z", "2031-01-07T22:00:00"), "20310107T220000 20310108T220000");
  EXPECT_EQ(Recurrence::parse("FREQ=WEEKLY;COUNT=3", "2031-01-07", kZoneOfRules)->last(), "2031-01-21");
  EXPECT_EQ(Recurrence::parse("FREQ=WEEKLY", "2031-01-07", kZoneOfRules)->last(), "");
}

TEST(RecurrenceTest, IsCutInTwo) {
  const auto counted = Recurrence::parse("FREQ=WEEKLY;COUNT=5", "2031-01-07T10:00:00", kZoneOfRules).value();
  EXPECT_TRUE(counted.has("2031-01-21T10:00:00"));
  EXPECT_FALSE(counted.has("2031-01-22T10:00:00"));
  EXPECT_FALSE(counted.has("2031-01-21"));
  EXPECT_EQ(counted.before("2031-01-21T10:00:00"), "FREQ=WEEKLY;UNTIL=20310121T095959");
  EXPECT_EQ(counted.from("2031-01-21T10:00:00"), "FREQ=WEEKLY;COUNT=3");
  const auto days = Recurrence::parse("FREQ=WEEKLY;UNTIL=20310301", "2031-01-07", kZoneOfRules).value();
  EXPECT_EQ(days.before("2031-01-21"), "FREQ=WEEKLY;UNTIL=20310120");
  EXPECT_EQ(days.from("2031-01-21"), "FREQ=WEEKLY;UNTIL=20310301");
}

TEST(RecurrenceTest, RefusesWhatIsNoRule) {
  for (const char* const rule : {"", "WEEKLY", "FREQ", "FREQ=", "INTERVAL=2", ";", "=", "FREQ=WEEKLY;;", "\xff=\xff"})
    EXPECT_TRUE(expanded(rule, "2031-01-07").starts_with("rrule: expected a rule")) << rule;
  for (const char* const rule : {"FREQ=DAILY;BYDAY=XX", "FREQ=DAILY;INTERVAL=0", "FREQ=DAILY;INTERVAL=-1",
                                 "FREQ=YEARLY;BYMONTH=13", "FREQ=WEEKLY;BYDAY=TU;BYDAY=WE", "FREQ=DAILY;COUNT=x"})
    EXPECT_TRUE(expanded(rule, "2031-01-07").starts_with("rrule: ")) << rule;
  EXPECT_EQ(expanded("FREQ=DAILY;RSCALE=CHINESE", "2031-01-07"), "rrule: RSCALE is not a part that is known here.");
  EXPECT_EQ(expanded("FREQ=DAILY;COUNT=1;UNTIL=20320101", "2031-01-07"), "rrule: COUNT, UNTIL: only one of them.");
  EXPECT_TRUE(expanded("FREQ=DAILY;UNTIL=soon", "2031-01-07").starts_with("rrule: UNTIL: expected"));
  EXPECT_EQ(expanded("FREQ=DAILY;UNTIL=20310106", "2031-01-07"), "rrule: it ends before it begins.");
  EXPECT_TRUE(expanded(std::string(Recurrence::kMaxRuleBytes + 1, 'x'), "2031-01-07").ends_with("512 bytes."));
  EXPECT_TRUE(expanded("FREQ=DAILY", "1803-01-07").ends_with("begins in 1901 to 2099."));
}

TEST(RecurrenceTest, RefusesWhatIsTooDense) {
  for (const char* const freq : {"SECONDLY", "MINUTELY", "HOURLY"}) {
    EXPECT_EQ(expanded(std::string("FREQ=") + freq, "2031-01-07T10:00:00"),
              std::string("rrule: FREQ: expected YEARLY, MONTHLY, WEEKLY or DAILY, got ") + freq + ".");
  }
  for (const char* const part : {"BYHOUR", "BYMINUTE", "BYSECOND"}) {
    EXPECT_EQ(expanded(std::string("FREQ=DAILY;") + part + "=1,2,3", "2031-01-07T10:00:00"),
              std::string("rrule: ") + part + " is not a part that is known here.");
  }
  EXPECT_EQ(expanded("FREQ=DAILY;COUNT=10001", "2031-01-07"), "rrule: COUNT: expected at most 10000.");
  EXPECT_EQ(expanded("FREQ=DAILY;INTERVAL=1001", "2031-01-07"), "rrule: INTERVAL: expected at most 1000.");
}

// For each of these the library would search through centuries, some for seconds.
TEST(RecurrenceTest, RefusesWhatNeverComes) {
  for (const char* const rule :
       {"FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYDAY=2FR;BYMONTHDAY=1", "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6",
        "FREQ=DAILY;INTERVAL=7;BYDAY=MO", "FREQ=YEARLY;BYDAY=MO;BYSETPOS=366", "FREQ=YEARLY;BYMONTHDAY=31;BYMONTH=2",
        "FREQ=MONTHLY;INTERVAL=12;BYMONTH=5", "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30,31", "FREQ=YEARLY;BYDAY=54MO",
        "FREQ=MONTHLY;BYDAY=5MO;INTERVAL=12", "FREQ=WEEKLY;INTERVAL=5;BYMONTH=2", "FREQ=YEARLY;BYWEEKNO=10;BYSETPOS=9",
        "FREQ=YEARLY;BYYEARDAY=5;BYMONTHDAY=7", "FREQ=MONTHLY;BYYEARDAY=5", "FREQ=WEEKLY;BYDAY=2MO"})
    EXPECT_TRUE(expanded(rule, "2031-01-07").starts_with("rrule: ")) << rule << ": " << expanded(rule, "2031-01-07");
}

TEST(RecurrenceTest, NamesOccurrences) {
  EXPECT_EQ(wall_of_recurrence_id("20310107"), "2031-01-07");
  EXPECT_EQ(wall_of_recurrence_id("20310107T093000"), "2031-01-07T09:30:00");
  for (const char* const id : {"", "2031010", "20311301", "20310107T0930", "20310107T093000Z", "2031-01-07", "x"})
    EXPECT_EQ(wall_of_recurrence_id(id), "") << id;
}

}  // namespace
}  // namespace hearth::domains
