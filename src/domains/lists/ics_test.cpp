// SPDX-License-Identifier: Apache-2.0
#include "domains/lists/ics.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/registry/collection.h"

namespace hearth::domains::ics {
namespace {

const std::string kHomeZone = "Europe/Berlin";

// Lines to a text as another hub keeps it.
std::string calendar_of(std::string_view lines) {
  return fmt::format("BEGIN:VCALENDAR\nPRODID:-//x//EN\nVERSION:2.0\n{}\nEND:VCALENDAR", lines);
}

std::string event_of(std::string_view lines, std::string_view uid = "1") {
  return calendar_of(fmt::format("BEGIN:VEVENT\nUID:{}\nSUMMARY:X\n{}\nEND:VEVENT", uid, lines));
}

// The JSON of the only entry's fields.
std::string only(const base::Result<Entries>& read) {
  if (!read) return read.error().message;
  if (read->entries.size() != 1) return fmt::format("{} entries, {}", read->entries.size(), read->losses.size());
  return base::to_json(read->entries.front().fields);
}

std::string field(const base::Result<Entries>& read, std::string_view key, std::size_t index = 0) {
  if (!read || read->entries.size() <= index) return only(read);
  const json::value* const value = read->entries[index].fields.if_contains(key);
  return value ? base::to_json(*value) : "none";
}

TEST(IcsTest, ReadsToDos) {
  const auto read = read_todos(calendar_of("BEGIN:VTODO\nUID:a-1\nDESCRIPTION:The yard\\, too\nDTSTART:20310102\n"
                                           "DUE:20310103\nSTATUS:NEEDS-ACTION\nSUMMARY:Sweep\nEND:VTODO\n"
                                           "BEGIN:VTODO\nUID:a-2\nSTATUS:COMPLETED\nSUMMARY:Done\n already\n"
                                           "DUE;TZID=America/New_York:20310103T120000\nEND:VTODO"),
                               kHomeZone);
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->entries.size(), 2);
  EXPECT_EQ(read->entries[0].uid, "a-1");
  EXPECT_EQ(base::to_json(read->entries[0].fields),
            R"({"summary":"Sweep","description":"The yard, too","status":"needs_action","due":"2031-01-03"})");
  EXPECT_EQ(base::to_json(read->entries[1].fields),
            R"({"summary":"Donealready","status":"completed","due":"2031-01-03T18:00:00+01:00"})");
  EXPECT_TRUE(read->losses.empty());
}

// As two versions of another hub write them.
TEST(IcsTest, ReadsWhatAnotherHubKeeps) {
  for (const char* const stamp : {"20261130T044844", "20261130T044844Z"}) {
    const auto read =
        read_events(calendar_of(fmt::format(
                        "BEGIN:VEVENT\nDTSTAMP:{0}\nUID:528e3252\nDTSTART:20310107\nDTEND:20310108\nSUMMARY:Bins\n"
                        "CREATED:{0}\nRRULE:FREQ=WEEKLY;BYDAY=TU\nSEQUENCE:0\nEND:VEVENT\nBEGIN:VEVENT\n"
                        "DTSTAMP:{0}\nUID:528ee8be\nDTSTART:20310109T100000\nDTEND:20310109T103000\n"
                        "SUMMARY:Doctor\nLOCATION:Upstairs\nEND:VEVENT",
                        stamp)),
                    kHomeZone);
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->entries.size(), 2);
    EXPECT_EQ(base::to_json(read->entries[0].fields),
              R"({"summary":"Bins","start":"2031-01-07","end":"2031-01-08","rrule":"FREQ=WEEKLY;BYDAY=TU",)"
              R"("time_zone":"Europe/Berlin"})");
    EXPECT_EQ(base::to_json(read->entries[1].fields),
              R"({"summary":"Doctor","location":"Upstairs","start":"2031-01-09T10:00:00+01:00",)"
              R"("end":"2031-01-09T10:30:00+01:00"})");
    EXPECT_TRUE(read->losses.empty());
  }
}

TEST(IcsTest, ReadsEveryWayToSayWhen) {
  const auto end = [](std::string_view lines) { return field(read_events(event_of(lines), kHomeZone), "end"); };
  EXPECT_EQ(end("DTSTART:20310109T100000\nDURATION:PT1H30M"), R"("2031-01-09T11:30:00+01:00")");
  EXPECT_EQ(end("DTSTART;VALUE=DATE:20310109\nDURATION:P2D"), R"("2031-01-11")");
  EXPECT_EQ(end("DTSTART;VALUE=DATE:20310109"), R"("2031-01-10")");
  EXPECT_EQ(end("DTSTART:20310109T100000Z"), R"("2031-01-09T11:30:00+01:00")");
  EXPECT_EQ(end("DTSTART:20310109T100000\nDTEND:20310109T090000"), R"("2031-01-09T10:30:00+01:00")");
  EXPECT_EQ(end("DTSTART;TZID=Asia/Tokyo:20310709T100000\nDTEND;TZID=Asia/Tokyo:20310709T120000"),
            R"("2031-07-09T05:00:00+02:00")");
  EXPECT_EQ(end("DTSTART;TZID=Nowhere:20310709T100000"), R"("2031-07-09T10:30:00+02:00")");
  EXPECT_EQ(end("DTSTART:soon"), "0 entries, 1");
}

TEST(IcsTest, ReadsWhatIsDifferentAboutOccurrences) {
  const auto read = read_events(
      calendar_of(
          "BEGIN:VEVENT\nUID:1\nSUMMARY:Moved\nRECURRENCE-ID;TZID=Europe/Berlin:20310121T180000\n"
          "DTSTART:20310122T190000\nDTEND:20310122T200000\nEND:VEVENT\n"
          "BEGIN:VEVENT\nUID:1\nSUMMARY:Choir\nDTSTART:20310107T180000\nDTEND:20310107T200000\n"
          "RRULE:FREQ=WEEKLY;COUNT=5\nEXDATE:20310114T180000\nEXDATE:20310204T170000Z,20310204T170000Z\nEND:VEVENT\n"
          "BEGIN:VEVENT\nUID:1\nSTATUS:CANCELLED\nRECURRENCE-ID:20310128T170000Z\nDTSTART:20310128T180000\n"
          "END:VEVENT\n"
          "BEGIN:VEVENT\nUID:1\nSUMMARY:Stray\nRECURRENCE-ID:20310130T180000\nDTSTART:20310130T180000\nEND:VEVENT"),
      kHomeZone);
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->entries.size(), 2);
  EXPECT_EQ(field(read, "last"), R"("2031-02-04T18:00:00")");
  EXPECT_EQ(field(read, "exdates"), R"(["20310114T180000","20310204T180000","20310128T180000"])");
  EXPECT_EQ(field(read, "exceptions"), R"({"20310121T180000":{"summary":"Moved","start":"2031-01-22T19:00:00+01:00",)"
                                       R"("end":"2031-01-22T20:00:00+01:00"}})");
  EXPECT_EQ(read->entries[1].uid, "1-20310130T180000");
  EXPECT_EQ(field(read, "summary", 1), R"("Stray")");
}

TEST(IcsTest, SaysWhatIsLost) {
  const auto lost = [](std::string_view text) {
    const auto read = read_events(text, kHomeZone);
    return read ? fmt::format("{}", fmt::join(read->losses, ", ")) : read.error().message;
  };
  EXPECT_EQ(
      lost(event_of("DTSTART:20310107\nRRULE:FREQ=SECONDLY")),
      "VEVENT 1: rrule: FREQ: expected YEARLY, MONTHLY, WEEKLY or DAILY, got SECONDLY. Only its first time is read.");
  EXPECT_EQ(lost(event_of("DTSTART:20310107\nRDATE:20310109")), "VEVENT 1: RDATE: such single times are not read");
  EXPECT_EQ(lost(event_of("DTSTART:20310107\nDESCRIPTION:" + std::string(5'000, 'x'))),
            "VEVENT 1: DESCRIPTION is cut off after 4096 bytes");
  EXPECT_EQ(lost(event_of("DTSTART:20310107", "")), "VEVENT without a UID: expected a UID of 1 to 255 bytes");
  std::string many;
  for (std::size_t i = 0; i <= core::kMaxItems; ++i)
    many += fmt::format("BEGIN:VEVENT\nUID:{}\nDTSTART:20310107\nEND:VEVENT\n", i);
  EXPECT_EQ(lost(calendar_of(many)), "VEVENT 1000: there are more than 1000 of them");
}

TEST(IcsTest, RefusesWhatIsNoCalendarAndNeverFalls) {
  for (const std::string& text :
       {std::string(), std::string("x"), std::string("BEGIN:VCALENDAR"), std::string("END:VCALENDAR"),
        std::string("BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR"), std::string("BEGIN:VEVENT\n\0END", 17),
        std::string("\xff\xfe") + calendar_of(""), std::string(kMaxBytes + 1, '\n')})
    EXPECT_TRUE(only(read_events(text, kHomeZone)).starts_with("expected an iCalendar: ")) << text.substr(0, 40);
  // Depth, parts that are not read, and long lines.
  std::string deep, ends;
  for (int i = 0; i < 100'000; ++i) {
    deep += "BEGIN:X\n";
    ends += "END:X\n";
  }
  EXPECT_EQ(only(read_events(calendar_of(deep + ends), kHomeZone)), "0 entries, 0");
  const std::string zone =
      "BEGIN:VTIMEZONE\nTZID:Z\nBEGIN:STANDARD\nDTSTART:20101031T030000\nTZOFFSETTO:0100\n"
      "RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30\nEND:STANDARD\nEND:VTIMEZONE\n";
  EXPECT_EQ(field(read_events(calendar_of(zone + "BEGIN:VEVENT\nUID:1\nDTSTART;TZID=Z:20310107T100000\nBEGIN:VALARM\n"
                                                 "SUMMARY:No\nEND:VALARM\nEND:VEVENT"),
                              kHomeZone),
                  "start"),
            R"("2031-01-07T10:00:00+01:00")");
  EXPECT_EQ(
      only(read_events(event_of("DTSTART:20310107\nX-LONG:" + std::string(1'000'000, ';')), kHomeZone)).substr(0, 14),
      R"({"summary":"X")");
  // Each cut and each broken byte of a good one.
  const std::string good = event_of(
      "DTSTART;TZID=Europe/Berlin:20310107T100000\nDTEND:20310107T110000\n"
      "RRULE:FREQ=MONTHLY;BYDAY=1TU;COUNT=3\nEXDATE:20310204T100000");
  for (std::size_t i = 0; i < good.size(); ++i) {
    static_cast<void>(read_events(good.substr(0, i), kHomeZone));
    for (const char byte : {'\0', ';', ':', '\n', '9', '\x80'}) {
      std::string broken = good;
      broken[i] = byte;
      static_cast<void>(read_events(broken, kHomeZone));
      static_cast<void>(read_todos(broken, kHomeZone));
    }
  }
}

}  // namespace
}  // namespace hearth::domains::ics
