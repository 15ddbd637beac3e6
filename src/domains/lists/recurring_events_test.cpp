// SPDX-License-Identifier: Apache-2.0
// Events of the hub's calendars that recur.
#include "domains/lists/test_calendar.h"

namespace hearth::domains {
namespace {

using namespace std::chrono_literals;

class RecurringEventsTest : public FamilyCalendarTest {
 protected:
  // A weekly event on Tuesdays at 18:00, the first on 2026-12-01.
  void weekly(std::string_view rule = "FREQ=WEEKLY;BYDAY=TU") {
    call("create_event", {{"summary", "Choir"},
                          {"start_date_time", "2026-12-01 18:00"},
                          {"end_date_time", "2026-12-01 20:00"},
                          {"rrule", rule}});
  }
  void daily() {
    call("create_event", {{"summary", "Pill"},
                          {"start_date", "2026-12-01"},
                          {"end_date", "2026-12-02"},
                          {"rrule", "FREQ=DAILY;COUNT=4"}});
  }
  json::array events(const char* start = "2026-12-01 00:00", const char* end = "2027-01-01 00:00") {
    const auto asked = home_.begin("calendar.get_events", base::to_json(json::object{{"entity_id", "calendar.family"},
                                                                                     {"start_date_time", start},
                                                                                     {"end_date_time", end}}));
    if (!asked->outcome || !*asked->outcome) return {asked->text()};
    return (*asked->outcome)->response.at("calendar.family").at("events").as_array();
  }
  // "Choir 2026-12-01T18:00:00+01:00, …"
  std::string listed(const char* start = "2026-12-01 00:00", const char* end = "2027-01-01 00:00") {
    std::string text;
    for (const json::value& event : events(start, end)) {
      if (event.is_string()) return std::string(event.get_string());
      text += std::string(event.at("summary").as_string()) + ' ' + std::string(event.at("start").as_string()) + ", ";
    }
    return text;
  }
  std::string uid(std::size_t index = 0) { return std::string(events().at(index).at("uid").as_string()); }
  std::size_t items() const {
    std::size_t count = 0;
    const auto registry = home_.hub.registry.snapshot();
    for (const auto& [key, item] : registry->items) count += item.collection.starts_with("calendar.");
    return count;
  }
};

TEST_F(RecurringEventsTest, HaveOccurrencesWithTheirIds) {
  weekly();
  const json::array found = events();
  ASSERT_EQ(found.size(), 5);
  EXPECT_EQ(found[1].at("start"), "2026-12-08T18:00:00+01:00");
  EXPECT_EQ(found[1].at("end"), "2026-12-08T20:00:00+01:00");
  EXPECT_EQ(found[1].at("recurrence_id"), "20261208T180000");
  EXPECT_EQ(found[1].at("rrule"), "FREQ=WEEKLY;BYDAY=TU");
  EXPECT_EQ(found[1].at("uid"), found[0].at("uid"));
  daily();
  EXPECT_EQ(listed("2026-12-02 12:00", "2026-12-06 00:00"), "Pill 2026-12-02, Pill 2026-12-03, Pill 2026-12-04, ");
  EXPECT_EQ(events("2026-12-03 00:00", "2026-12-04 00:00").at(0).at("recurrence_id"), "20261203");
  EXPECT_EQ(items(), 2);
}

TEST_F(RecurringEventsTest, KeepTheTimeOfTheClocks) {
  weekly();
  EXPECT_EQ(listed("2027-03-22 00:00", "2027-04-01 00:00"),
            "Choir 2027-03-23T18:00:00+01:00, Choir 2027-03-30T18:00:00+02:00, ");
  // 02:30 is skipped on 2027-03-28, and the night is shorter by an hour.
  call("create_event", {{"summary", "Night"},
                        {"start_date_time", "2027-03-27 02:30"},
                        {"end_date_time", "2027-03-27 03:30"},
                        {"rrule", "FREQ=DAILY;COUNT=3"}});
  const json::array nights = events("2027-03-27 00:00", "2027-03-30 00:00");
  ASSERT_EQ(nights.size(), 3);
  EXPECT_EQ(nights[1].at("start"), "2027-03-28T03:00:00+02:00");
  EXPECT_EQ(nights[1].at("end"), "2027-03-28T03:30:00+02:00");
  EXPECT_EQ(nights[2].at("start"), "2027-03-29T02:30:00+02:00");
}

TEST_F(RecurringEventsTest, AreShownOneAfterTheOther) {
  daily();
  EXPECT_EQ(home_.attribute("calendar.family", "start_time"), R"("2026-12-01 00:00:00")");
  home_.advance(24h * 10 + 12h, 1h);
  EXPECT_EQ(home_.value("calendar.family"), "on");
  home_.advance(24h, 1h);
  EXPECT_EQ(home_.value("calendar.family"), "on");
  EXPECT_EQ(home_.attribute("calendar.family", "start_time"), R"("2026-12-02 00:00:00")");
  home_.advance(24h * 3, 1h);
  EXPECT_EQ(home_.value("calendar.family"), "off");
  EXPECT_EQ(home_.attribute("calendar.family", "message"), "");
}

TEST_F(RecurringEventsTest, LoseOneOccurrence) {
  daily();
  call("delete_event", {{"uid", uid()}, {"recurrence_id", "20261202"}});
  EXPECT_EQ(listed(), "Pill 2026-12-01, Pill 2026-12-03, Pill 2026-12-04, ");
  EXPECT_EQ(call("delete_event", {{"uid", uid()}, {"recurrence_id", "20261202"}}),
            "invalid: recurrence_id: the event has no occurrence 20261202.");
  for (const char* const id : {"20261201", "20261203", "20261204"})
    call("delete_event", {{"uid", uid()}, {"recurrence_id", id}, {"recurrence_range", ""}});
  EXPECT_EQ(items(), 0);
}

TEST_F(RecurringEventsTest, LoseAllThatComes) {
  weekly();
  const json::object from{{"uid", uid()}, {"recurrence_id", "20261215T180000"}, {"recurrence_range", "THISANDFUTURE"}};
  call("delete_event", from);
  EXPECT_EQ(listed(), "Choir 2026-12-01T18:00:00+01:00, Choir 2026-12-08T18:00:00+01:00, ");
  EXPECT_EQ(events().at(0).at("rrule"), "FREQ=WEEKLY;BYDAY=TU;UNTIL=20261215T175959");
  call("delete_event", {{"uid", uid()}, {"recurrence_id", "20261201T180000"}, {"recurrence_range", "THISANDFUTURE"}});
  EXPECT_EQ(items(), 0);
  weekly();
  call("delete_event", {{"uid", uid()}});
  EXPECT_EQ(items(), 0);
}

TEST_F(RecurringEventsTest, ChangeOneOccurrence) {
  daily();
  call("update_event",
       {{"uid", uid()}, {"recurrence_id", "20261202"}, {"summary", "Other pill"}, {"location", "Bath"}});
  EXPECT_EQ(listed(), "Pill 2026-12-01, Other pill 2026-12-02, Pill 2026-12-03, Pill 2026-12-04, ");
  EXPECT_EQ(events().at(1).at("location"), "Bath");
  call("update_event",
       {{"uid", uid()}, {"recurrence_id", "20261202"}, {"start_date", "2026-12-10"}, {"end_date", "2026-12-11"}});
  EXPECT_EQ(listed(), "Pill 2026-12-01, Pill 2026-12-03, Pill 2026-12-04, Other pill 2026-12-10, ");
  EXPECT_EQ(events().at(3).at("recurrence_id"), "20261202");
  call("delete_event", {{"uid", uid()}, {"recurrence_id", "20261202"}});
  EXPECT_EQ(listed(), "Pill 2026-12-01, Pill 2026-12-03, Pill 2026-12-04, ");
}

TEST_F(RecurringEventsTest, ChangeAllThatComes) {
  daily();
  call("delete_event", {{"uid", uid()}, {"recurrence_id", "20261204"}});
  call("update_event",
       {{"uid", uid()}, {"recurrence_id", "20261203"}, {"recurrence_range", "THISANDFUTURE"}, {"summary", "Drops"}});
  EXPECT_EQ(listed(), "Pill 2026-12-01, Pill 2026-12-02, Drops 2026-12-03, ");
  EXPECT_EQ(items(), 2);
  EXPECT_NE(uid(0), uid(2));
  call("update_event",
       {{"uid", uid(0)}, {"recurrence_id", "20261201"}, {"recurrence_range", "THISANDFUTURE"}, {"summary", "Tablet"}});
  EXPECT_EQ(listed(), "Tablet 2026-12-01, Tablet 2026-12-02, Drops 2026-12-03, ");
  EXPECT_EQ(items(), 2);
}

TEST_F(RecurringEventsTest, ChangeAsAWhole) {
  weekly("FREQ=WEEKLY;COUNT=3");
  call("delete_event", {{"uid", uid()}, {"recurrence_id", "20261208T180000"}});
  call("update_event", {{"uid", uid()}, {"summary", "Band"}});
  EXPECT_EQ(listed(), "Band 2026-12-01T18:00:00+01:00, Band 2026-12-15T18:00:00+01:00, ");
  call("update_event", {{"uid", uid()}, {"rrule", "FREQ=MONTHLY;COUNT=2"}});
  EXPECT_EQ(listed("2026-12-01 00:00", "2028-01-01 00:00"),
            "Band 2026-12-01T18:00:00+01:00, Band 2027-01-01T18:00:00+01:00, ");
  call("update_event", {{"uid", uid()}, {"rrule", ""}});
  EXPECT_EQ(listed("2026-12-01 00:00", "2028-01-01 00:00"), "Band 2026-12-01T18:00:00+01:00, ");
  EXPECT_FALSE(events().at(0).as_object().contains("rrule"));
}

TEST_F(RecurringEventsTest, RefuseWhatCannotBeAndChangeNothing) {
  weekly();
  const std::string before = listed();
  const auto wrong = [&](json::object data) {
    data["uid"] = uid();
    return call("update_event", data) + call("delete_event", data);
  };
  for (const char* const id : {"20261202T180000", "20261208", "soon", "20251202T180000"}) {
    const std::string said = wrong({{"recurrence_id", id}});
    EXPECT_EQ(said, fmt::format("invalid: recurrence_id: the event has no occurrence {0}.invalid: recurrence_id: the "
                                "event has no occurrence {0}.",
                                id));
  }
  EXPECT_TRUE(wrong({{"recurrence_range", "ALL"}}).starts_with("invalid: recurrence_range: expected THISANDFUTURE"));
  EXPECT_TRUE(wrong({{"recurrence_range", "THISANDFUTURE"}}).starts_with("invalid: recurrence_range: needs"));
  EXPECT_TRUE(call("update_event", {{"uid", uid()}, {"rrule", "FREQ=SECONDLY"}}).starts_with("invalid: rrule: FREQ:"));
  EXPECT_EQ(listed(), before);
  EXPECT_TRUE(call("create_event", {{"summary", "x"}, {"in", {{"days", 1}}}, {"rrule", "FREQ=HOURLY"}})
                  .starts_with("invalid: rrule: FREQ:"));
  EXPECT_EQ(items(), 1);
}

TEST_F(RecurringEventsTest, HaveABoundInOneAnswer) {
  for (int i = 0; i < 3; ++i) call("create_event", {{"summary", "x"}, {"in", {{"days", 0}}}, {"rrule", "FREQ=DAILY"}});
  EXPECT_EQ(listed("2027-01-01 00:00", "2040-01-01 00:00"),
            "invalid: end_date_time: there are more than 10000 events in this time.");
  EXPECT_EQ(events("2027-01-01 00:00", "2028-01-01 00:00").size(), 3 * 365);
}

}  // namespace
}  // namespace hearth::domains
