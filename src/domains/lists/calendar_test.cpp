// SPDX-License-Identifier: Apache-2.0
#include "domains/lists/test_calendar.h"

namespace hearth::domains {
namespace {

using namespace std::chrono_literals;

class CalendarTest : public FamilyCalendarTest {
 protected:
  std::string create(std::string_view summary, json::object data) {
    data["summary"] = summary;
    return call("create_event", std::move(data));
  }
  json::array events(json::object data) {
    data["entity_id"] = "calendar.family";
    const auto asked = home_.begin("calendar.get_events", base::to_json(data));
    if (!asked->outcome || !*asked->outcome) return {asked->text()};
    return (*asked->outcome)->response.at("calendar.family").at("events").as_array();
  }
  // "Dinner 2026-11-21T18:00:00+01:00 2026-11-21T20:00:00+01:00, …"; by default of a year.
  std::string listed(json::object data = {{"duration", {{"days", 365}}}}) {
    std::string text;
    for (const json::value& event : events(std::move(data))) {
      if (event.is_string()) return std::string(event.get_string());
      for (const char* const key : {"summary", "start", "end"})
        text += std::string(event.at(key).as_string()) + (*key == 'e' ? ", " : " ");
    }
    return text;
  }
  std::string shown(const char* attribute) { return home_.attribute("calendar.family", attribute); }
  std::string value() { return home_.value("calendar.family"); }
  std::string uid() { return std::string(events({{"duration", {{"days", 365}}}}).at(0).at("uid").as_string()); }
};

TEST_F(CalendarTest, IsOnDuringAnEventAndTellsTheNext) {
  EXPECT_EQ(value(), "off");
  EXPECT_EQ(shown("message"), "");
  create("Lunch", {{"start_date_time", "2026-11-21 12:00"}, {"end_date_time", "2026-11-21 13:00"}});
  create("Breakfast", {{"start_date_time", "2026-11-21T07:30:00+00:00"},
                       {"end_date_time", "2026-11-21T08:00:00Z"},
                       {"location", "Kitchen"}});
  EXPECT_EQ(value(), "off");
  EXPECT_EQ(shown("message"), R"("Breakfast")");
  EXPECT_EQ(shown("start_time"), R"("2026-11-21 08:30:00")");
  EXPECT_EQ(shown("location"), R"("Kitchen")");
  home_.advance(7h + 29min, 1min);
  EXPECT_EQ(value(), "off");
  home_.advance(1min, 1s);
  EXPECT_EQ(value(), "on");
  home_.advance(30min, 1min);
  EXPECT_EQ(value(), "off");
  EXPECT_EQ(shown("message"), R"("Lunch")");
  EXPECT_EQ(shown("location"), "");
  home_.advance(10h, 1min);
  EXPECT_EQ(value(), "off");
  EXPECT_EQ(shown("message"), "");
}

TEST_F(CalendarTest, HasDaysByTheClocksOfTheHome) {
  create("Holiday", {{"start_date", "2026-11-22"}, {"end_date", "2026-11-24"}});
  EXPECT_EQ(shown("all_day"), "true");
  EXPECT_EQ(shown("start_time"), R"("2026-11-22 00:00:00")");
  home_.advance(23h - 1min, 1min);
  EXPECT_EQ(value(), "off");
  home_.advance(1min, 1min);
  EXPECT_EQ(value(), "on");
  home_.advance(48h, 10min);
  EXPECT_EQ(value(), "off");
  create("Later", {{"in", {{"weeks", 1}}}});
  EXPECT_EQ(listed(), "Later 2026-12-01 2026-12-02, ");
  EXPECT_EQ(listed({}), "");  // a week
}

TEST_F(CalendarTest, AnswersWithWhatIsBetweenTwoTimes) {
  create("B", {{"start_date_time", "2026-12-01 10:00"}, {"end_date_time", "2026-12-01 12:00"}});
  create("A", {{"start_date_time", "2026-12-01 09:00"}, {"end_date_time", "2026-12-01 10:30"}});
  create("C", {{"start_date", "2026-12-02"}, {"end_date", "2026-12-03"}});
  const auto between = [&](const char* start, const char* end) {
    std::string names;
    for (const json::value& event : events({{"start_date_time", start}, {"end_date_time", end}}))
      names += event.at("summary").as_string();
    return names;
  };
  EXPECT_EQ(between("2026-11-30 00:00", "2026-12-31 00:00"), "ABC");
  EXPECT_EQ(between("2026-12-01 10:30", "2026-12-02 00:00"), "B");  // ends and starts just then: not in it
  EXPECT_EQ(between("2026-12-01T23:00:00Z", "2026-12-02T00:00:00Z"), "C");
  EXPECT_EQ(between("2026-12-03 00:00", "2026-12-31 00:00"), "");
}

TEST_F(CalendarTest, ChangesAndDeletesEvents) {
  create("Dinner",
         {{"start_date_time", "2026-12-01 18:00"}, {"end_date_time", "2026-12-01 20:00"}, {"location", "Inn"}});
  call("update_event", {{"uid", uid()}, {"summary", "Supper"}, {"location", ""}});
  EXPECT_EQ(listed(), "Supper 2026-12-01T18:00:00+01:00 2026-12-01T20:00:00+01:00, ");
  EXPECT_EQ(shown("location"), "");
  call("update_event", {{"uid", uid()}, {"start_date", "2026-12-05"}, {"end_date", "2026-12-06"}});
  EXPECT_EQ(listed(), "Supper 2026-12-05 2026-12-06, ");
  call("delete_event", {{"uid", uid()}});
  EXPECT_EQ(listed(), "");
  EXPECT_EQ(shown("message"), "");
}

TEST_F(CalendarTest, RefusesWhatCannotBeAndChangesNothing) {
  const auto wrong = [&](json::object data) { return create("x", std::move(data)).substr(9); };
  EXPECT_TRUE(wrong({}).starts_with("start_date_time: expected when the event is"));
  EXPECT_EQ(wrong({{"start_date_time", "2026-12-01 18:00"}}), "start_date_time, end_date_time: expected both.");
  EXPECT_EQ(wrong({{"end_date", "2026-12-01"}}), "start_date, end_date: expected both.");
  EXPECT_EQ(wrong({{"start_date_time", "2026-12-01 18:00"}, {"end_date_time", "2026-12-01 18:00"}}),
            "end_date_time: expected a time after start_date_time.");
  EXPECT_EQ(wrong({{"start_date", "2026-12-01"}, {"end_date", "2026-12-01"}}),
            "end_date: expected a day after start_date.");
  EXPECT_TRUE(wrong({{"in", {{"days", 1}}}, {"start_date", "2026-12-01"}}).ends_with("only one of them."));
  for (json::object in :
       {json::object{}, {{"months", 1}}, {{"days", -1}}, {{"days", 1.5}}, {{"hours", 1}}, {{"days", 100'001}}}) {
    EXPECT_TRUE(wrong({{"in", in}}).starts_with("in: expected")) << base::to_json(in);
  }
  EXPECT_EQ(create("", {{"in", {{"days", 1}}}}), "invalid: summary: expected a text that is not empty.");
  EXPECT_EQ(wrong({{"in", {{"days", 1}}}, {"location", std::string(Calendar::kMaxTextBytes + 1, 'x')}}),
            "location: expected at most 4096 bytes.");
  EXPECT_EQ(call("delete_event", {{"uid", "none"}}), "invalid: uid: there is no event none.");
  EXPECT_EQ(call("update_event", {{"uid", "none"}, {"summary", "x"}}), "invalid: uid: there is no event none.");
  EXPECT_EQ(listed(), "");
  EXPECT_EQ(listed({{"duration", {{"days", 7}}}, {"end_date_time", "2026-12-01 18:00"}}),
            "invalid: end_date_time, duration: only one of them.");
  EXPECT_EQ(listed({{"duration", {{"days", 0}}}}), "invalid: end_date_time: expected a time after start_date_time.");
}

TEST_F(CalendarTest, HasBounds) {
  std::string said;
  for (std::size_t i = 0; i <= core::kMaxItems; ++i) said = create("x", {{"in", {{"days", 1}}}});
  EXPECT_EQ(said, "invalid: There are at most 1000 of them.");
}

}  // namespace
}  // namespace hearth::domains
