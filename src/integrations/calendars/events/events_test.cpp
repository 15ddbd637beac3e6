// SPDX-License-Identifier: Apache-2.0
#include "integrations/calendars/events/events.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text/timestamp.h"

namespace hearth::integrations::calendars {
namespace {

const std::string kZone = "Europe/Berlin";

base::Timestamp at(std::string_view text) {
  return base::parse_timestamp(text).value();
}

std::string vevent(std::string_view uid, std::string_view lines) {
  return fmt::format("BEGIN:VEVENT\r\nUID:{}\r\nSUMMARY:{}\r\n{}\r\nEND:VEVENT\r\n", uid, uid, lines);
}

Events made(const std::string& events, std::string_view now = "2036-01-01T00:00:00Z") {
  const auto part = Events::read("BEGIN:VCALENDAR\r\n" + events + "END:VCALENDAR\r\n", kZone, [] { return true; });
  EXPECT_TRUE(part) << part.error().message;
  return Events({part.value_or(std::make_shared<Part>())}, kZone, at(now));
}

// "a 2036-01-05, b 2036-01-05T10:00:00+01:00".
std::string listed(const std::vector<Events::Found>& found) {
  std::string text;
  for (const Events::Found& each : found)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", each.event->entry.uid, each.occurrence.start_text);
  return text;
}

constexpr std::string_view kTimes = "DTSTART:20360105T090000Z\r\nDTEND:20360105T100000Z";

TEST(EventsTest, TellsTheEventsBetweenTwoTimesInTheirOrder) {
  const Events events = made(vevent("late", "DTSTART;VALUE=DATE:20360201") + vevent("first", kTimes) +
                             vevent("weekly", "DTSTART:20351225T080000Z\r\nRRULE:FREQ=WEEKLY;COUNT=4"));
  const auto found = events.between(at("2036-01-01T00:00:00Z"), at("2036-02-01T00:00:00Z"));
  ASSERT_TRUE(found);
  EXPECT_EQ(listed(*found),
            "weekly 2036-01-01T09:00:00+01:00, first 2036-01-05T10:00:00+01:00, weekly 2036-01-08T09:00:00+01:00, "
            "weekly 2036-01-15T09:00:00+01:00, late 2036-02-01");
}

TEST(EventsTest, KnowsWhatIsUnderWayAndWhatComesNext) {
  const Events events = made(vevent("over", "DTSTART:20350105T090000Z") + vevent("first", kTimes) +
                             vevent("second", "DTSTART:20360106T090000Z") +
                             vevent("daily", "DTSTART:20360101T080000Z\r\nRRULE:FREQ=DAILY"));
  EXPECT_EQ(listed(events.coming(at("2036-01-05T09:30:00Z"))),
            "first 2036-01-05T10:00:00+01:00, daily 2036-01-06T09:00:00+01:00, second 2036-01-06T10:00:00+01:00");
}

TEST(EventsTest, FindsAnOccurrenceThatWasMovedFarAway) {
  const Events events = made(vevent("a", "DTSTART:20360101T080000Z\r\nRRULE:FREQ=DAILY;COUNT=3") +
                             vevent("a", "DTSTART:20380101T080000Z\r\nRECURRENCE-ID:20360102T080000Z"));
  EXPECT_EQ(listed(events.between(at("2037-01-01T00:00:00Z"), at("2039-01-01T00:00:00Z")).value()),
            "a 2038-01-01T09:00:00+01:00");
}

TEST(EventsTest, HasBoundsAndSaysWhatIsBeyond) {
  std::string many, recurring;
  for (std::size_t i = 0; i < Events::kMaxEvents + 5; ++i) many += vevent(fmt::format("e{}", i), kTimes);
  const Events full = made(many);
  EXPECT_EQ(full.size(), Events::kMaxEvents);
  EXPECT_TRUE(full.losses().at(0).contains("there are more than 10000 of them")) << full.losses().at(0);
  for (std::size_t i = 0; i < Events::kMaxRecurring + 7; ++i)
    recurring += vevent(fmt::format("r{}", i), "DTSTART:20200101T080000Z\r\nRRULE:FREQ=DAILY");
  const Events events = made(recurring);
  EXPECT_EQ(events.size(), Events::kMaxRecurring);
  EXPECT_EQ(events.losses().back(), "there are 7 recurring events more than 1000; they are left out");
  const auto found = events.between(at("2036-01-01T00:00:00Z"), at("2036-02-01T00:00:00Z"));
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, "end_date_time: there are more than 10000 events in this time.");
}

TEST(EventsTest, EndsAReadingThatTakesTooLong) {
  int asked = 0;
  const auto part = Events::read(
      "BEGIN:VCALENDAR\r\n" + vevent("a", kTimes) + vevent("b", kTimes) + vevent("c", kTimes) + "END:VCALENDAR\r\n",
      kZone, [&] { return ++asked < 2; });
  ASSERT_FALSE(part);
  EXPECT_EQ(part.error().message, "expected an iCalendar: reading it takes too long.");
  EXPECT_EQ(asked, 2);
}

TEST(EventsTest, TakesAByteOrderMark) {
  EXPECT_TRUE(
      Events::read("\xEF\xBB\xBF"
                   "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n",
                   kZone, [] { return true; }));
}

}  // namespace
}  // namespace hearth::integrations::calendars
