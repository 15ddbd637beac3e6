// SPDX-License-Identifier: Apache-2.0
#include "domains/lists/ics_writer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text/timestamp.h"
#include "domains/lists/calendar_series.h"
#include "domains/lists/ics.h"

namespace hearth::domains::ics {
namespace {

const std::string kBerlin = "Europe/Berlin";

base::Timestamp some_time() {
  return base::parse_timestamp("2036-01-01T12:00:00Z").value();
}

json::object fields_of(std::string_view text) {
  const auto read = read_events(text, kBerlin);
  if (!read || read->entries.size() != 1 || !read->losses.empty()) return {{"wrong", text}};
  return read->entries.front().fields;
}

std::string text_of(const json::object& fields) {
  return base::to_json(fields);
}

json::object weekly() {
  return series::changed({},
                         {{"summary", "Piano; scales, chords"},
                          {"description", "Bring:\nbooks \\ pencil"},
                          {"start", "2036-01-07T16:00:00+01:00"},
                          {"end", "2036-01-07T17:00:00+01:00"},
                          {"rrule", "FREQ=WEEKLY;UNTIL=20360218"}},
                         kBerlin)
      .value();
}

TEST(IcsWriterTest, WritesWhatItReads) {
  const json::object day{{"summary", "Holiday"}, {"start", "2036-01-05"}, {"end", "2036-01-07"}, {"location", "Öland"}};
  EXPECT_EQ(write_event("a", day, some_time()),
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Hearth//Hearth//EN\r\nBEGIN:VEVENT\r\nUID:a\r\n"
            "DTSTAMP:20360101T120000Z\r\nLAST-MODIFIED:20360101T120000Z\r\nSEQUENCE:0\r\nSUMMARY:Holiday\r\n"
            "LOCATION:Öland\r\nDTSTART;VALUE=DATE:20360105\r\nDTEND;VALUE=DATE:20360107\r\nEND:VEVENT\r\n"
            "END:VCALENDAR\r\n");
  EXPECT_EQ(text_of(fields_of(write_event("a", day, some_time()))),
            R"({"summary":"Holiday","location":"Öland","start":"2036-01-05","end":"2036-01-07"})");
}

TEST(IcsWriterTest, WritesEventsThatRecurWithTheirClocks) {
  json::object fields = series::without(weekly(), "20360121T160000");
  fields = series::with(
      fields, "20360128T160000",
      {{"summary", "Later"}, {"start", "2036-01-28T18:00:00+01:00"}, {"end", "2036-01-28T19:00:00+01:00"}});
  const std::string text = write_event("a", fields, some_time());
  EXPECT_TRUE(
      text.contains("BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nBEGIN:DAYLIGHT\r\nDTSTART:20350325T020000\r\n"
                    "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\n"
                    "TZNAME:CEST\r\nEND:DAYLIGHT\r\nBEGIN:STANDARD\r\nDTSTART:20351028T030000\r\n"))
      << text;
  EXPECT_TRUE(text.contains("RRULE:FREQ=WEEKLY;UNTIL=20360218T225959Z\r\n")) << text;
  json::object again = fields_of(text);
  fields["rrule"] = again["rrule"] = "";  // says the same in other words
  EXPECT_EQ(again, fields) << text_of(again) << "\n" << text_of(fields);
}

TEST(IcsWriterTest, FoldsLongLinesBetweenCodePoints) {
  std::string summary;
  for (int i = 0; i < 200; ++i) summary += "ä";
  const json::object fields{{"summary", summary}, {"start", "2036-01-05"}, {"end", "2036-01-06"}};
  const std::string text = write_event("a", fields, some_time());
  std::size_t start = 0;
  for (std::size_t end; (end = text.find("\r\n", start)) != std::string::npos; start = end + 2)
    EXPECT_LE(end - start, 75);
  EXPECT_EQ(fields_of(text)["summary"], json::value(summary));
}

constexpr std::string_view kForeign =
    "BEGIN:VCALENDAR\r\nX-NAME:Family\r\nBEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\n"
    "UID:p\r\nDTSTAMP:20350101T000000Z\r\nSEQUENCE:4\r\nSUMMARY;LANGUAGE=en:Piano\r\nDESCRIPTION:Long\r\n er\r\n"
    "DTSTART;TZID=Europe/Berlin:20360107T160000\r\nDURATION:PT1H\r\nRRULE:FREQ=WEEKLY;COUNT=4\r\nCOLOR:red\r\n"
    "ATTENDEE:mailto:ann@example.org\r\nBEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:Piano\r\nTRIGGER:-PT15M\r\n"
    "END:VALARM\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:p\r\nRECURRENCE-ID:20360114T150000Z\r\nSUMMARY:Moved\r\n"
    "DTSTART:20360115T150000Z\r\nDTEND:20360115T160000Z\r\nX-ROOM:2\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

TEST(IcsWriterTest, LeavesWhatDidNotChangeAsItStands) {
  const json::object before = fields_of(kForeign);
  json::object after = before;
  after["summary"] = "Organ";
  const auto made = rewrite_event(kForeign, "p", before, after, some_time());
  ASSERT_TRUE(made) << made.error().message;
  for (const char* const kept :
       {"X-NAME:Family\r\n", "DESCRIPTION:Longer\r\n", "DTSTART;TZID=Europe/Berlin:20360107T160000\r\n",
        "DURATION:PT1H\r\n", "RRULE:FREQ=WEEKLY;COUNT=4\r\n", "COLOR:red\r\n", "ATTENDEE:mailto:ann@example.org\r\n",
        "BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:Piano\r\nTRIGGER:-PT15M\r\nEND:VALARM\r\n", "X-ROOM:2\r\n",
        "SUMMARY:Moved\r\n", "SUMMARY:Organ\r\n", "SEQUENCE:5\r\n", "DTSTAMP:20360101T120000Z\r\n"})
    EXPECT_TRUE(made->contains(kept)) << kept << "\n" << *made;
  EXPECT_FALSE(made->contains("LANGUAGE"));
  EXPECT_EQ(made->find("BEGIN:VTIMEZONE"), made->rfind("BEGIN:VTIMEZONE"));
  EXPECT_EQ(fields_of(*made), after);
}

TEST(IcsWriterTest, ChangesPartsOfAnEvent) {
  const json::object before = fields_of(kForeign);
  const auto changed = [&](const json::object& after) {
    const auto made = rewrite_event(kForeign, "p", before, after, some_time());
    return made ? fields_of(*made) : json::object{{"wrong", made.error().message}};
  };
  for (const json::object& after :
       {series::without(before, "20360121T160000"), series::without(before, "20360114T160000"),
        series::with(
            before, "20360121T160000",
            {{"summary", "Away"}, {"start", "2036-01-22T10:00:00+01:00"}, {"end", "2036-01-22T11:00:00+01:00"}})})
    EXPECT_EQ(changed(after), after) << text_of(after);
  const auto moved =
      series::plan_update(before, {{"start", "2036-02-02"}, {"end", "2036-02-03"}, {"rrule", ""}}, kBerlin).value();
  EXPECT_EQ(changed(*moved.update), *moved.update);
}

TEST(IcsWriterTest, SaysThatTheEventIsGone) {
  const auto made = rewrite_event("BEGIN:VCALENDAR\nEND:VCALENDAR\n", "p", {}, {{"summary", "x"}}, some_time());
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, "uid: the server has no event p any more.");
}

TEST(IcsWriterTest, LetsNoTextEndALine) {
  const json::object fields{{"summary", "a\r\nEND:VEVENT\nX"}, {"start", "2036-01-05"}, {"end", "2036-01-06"}};
  const std::string text = write_event("u\r\nBEGIN:VEVENT", fields, some_time());
  EXPECT_EQ(text.find("\r\nEND:VEVENT"), text.rfind("\r\nEND:VEVENT"));
  EXPECT_EQ(text.find("\r\nBEGIN:VEVENT"), text.rfind("\r\nBEGIN:VEVENT"));
}

}  // namespace
}  // namespace hearth::domains::ics
