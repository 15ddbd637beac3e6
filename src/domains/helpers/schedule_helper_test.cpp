// SPDX-License-Identifier: Apache-2.0
#include "domains/helpers/schedule_helper.h"

#include "base/text/timestamp.h"
#include "core/registry/collection_type.h"
#include "domains/helpers/file_helpers.h"
#include "domains/helpers/schedule_times.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

base::Timestamp at(std::string_view text) {
  return base::parse_timestamp(text).value();
}

base::Result<json::object> fields_of(std::string_view week) {
  json::object given = base::parse_json(week).value().as_object();
  given["name"] = "Heat";
  return core::find_collection_type("schedule")->fields_of(given);
}

// "on until 2026-…" by the clocks of Berlin.
std::string shown(std::string_view week, std::string_view now) {
  const auto fields = fields_of(week).value();
  const ScheduleMoment moment = schedule_at(fields, at(now), "Europe/Berlin");
  return std::string(moment.block ? "on" : "off") + " until " +
         (moment.next ? base::to_string(*moment.next).substr(0, 16) : "never");
}

TEST(Schedule, IsOnFromTheBeginToTheEndOfATime) {
  // 2026-04-20 is a Monday; the clocks are two hours ahead.
  constexpr std::string_view week = R"({"monday": [{"from": "8:00", "to": "12:00:00"},
    {"from": "12:00:00", "to": "13:00:00"}], "sunday": [{"from": "20:00:00", "to": "24:00"}]})";
  EXPECT_EQ(shown(week, "2026-04-20T05:59:59Z"), "off until 2026-04-20T06:00");
  EXPECT_EQ(shown(week, "2026-04-20T06:00:00Z"), "on until 2026-04-20T10:00");
  EXPECT_EQ(shown(week, "2026-04-20T10:00:00Z"), "on until 2026-04-20T11:00");
  EXPECT_EQ(shown(week, "2026-04-20T11:00:00Z"), "off until 2026-04-26T18:00");
  EXPECT_EQ(shown(week, "2026-04-26T21:59:59Z"), "on until 2026-04-26T22:00");
  EXPECT_EQ(shown(week, "2026-04-26T22:00:00Z"), "off until 2026-04-27T06:00");
  EXPECT_EQ(shown("{}", "2026-04-26T22:00:00Z"), "off until never");
}

TEST(Schedule, BeginsAtTheFirstInstantAfterASkippedTime) {
  // The clocks go from 02:00 to 03:00 at 01:00 UTC.
  constexpr std::string_view week =
      R"({"sunday": [{"from": "02:10", "to": "02:40"}, {"from": "02:50", "to": "03:30"}]})";
  EXPECT_EQ(shown(week, "2026-03-29T00:59:00Z"), "off until 2026-03-29T01:00");
  EXPECT_EQ(shown(week, "2026-03-29T01:00:00Z"), "on until 2026-03-29T01:30");
}

TEST(Schedule, IsOnInTheFirstPassOfARepeatedTimeOnly) {
  // 02:00 to 03:00 comes at 00:00 UTC and again at 01:00 UTC.
  constexpr std::string_view week = R"({"sunday": [{"from": "02:10", "to": "02:40"}]})";
  EXPECT_EQ(shown(week, "2026-10-25T00:00:00Z"), "off until 2026-10-25T00:10");
  EXPECT_EQ(shown(week, "2026-10-25T00:10:00Z"), "on until 2026-10-25T00:40");
  EXPECT_EQ(shown(week, "2026-10-25T01:20:00Z"), "off until 2026-11-01T01:10");
}

TEST(Schedule, RefusesWhatIsNoTimeAndWhatOverlaps) {
  const auto refusal = [](std::string_view week) {
    const auto fields = fields_of(week);
    return fields ? "taken" : fields.error().message;
  };
  EXPECT_EQ(refusal(R"({"monday": 5})"), "monday: expected a list of objects with from and to, got 5");
  EXPECT_EQ(refusal(R"({"monday": [5]})"), "monday: expected objects with from and to, got 5");
  EXPECT_EQ(refusal(R"({"monday": [{"from": "24:00", "to": "24:00"}]})"),
            R"(monday: from: expected a time such as 08:30:00, got "24:00")");
  EXPECT_EQ(refusal(R"({"monday": [{"from": "08:00"}]})"),
            "monday: to: expected a time such as 08:30:00 or 24:00, got none");
  EXPECT_EQ(refusal(R"({"monday": [{"from": "08:00", "to": "08:00"}]})"),
            "monday: expected times that end after they begin, got 08:00 to 08:00");
  EXPECT_EQ(refusal(R"({"monday": [{"from": "08:00", "to": "12:00"}, {"from": "07:00", "to": "08:01"}]})"),
            "monday: 08:00 to 12:00 overlaps 07:00 to 08:01");
  EXPECT_EQ(refusal(R"({"monday": [{"from": "08:00", "to": "12:00", "until": 1}]})"),
            "monday: until: unknown key; expected from, to and data");
  EXPECT_EQ(refusal(R"({"monday": [{"from": "08:00", "to": "12:00", "data": 1}]})"),
            "monday: data: expected an object, got 1");
  EXPECT_EQ(refusal(R"({"tuesday": [{"from": "12:00", "to": "24:00"}, {"from": "08:00", "to": "12:00"}]})"), "taken");
}

struct ScheduleTest : testing::Test {
  ScheduleTest() {
    core::HubConfig config;
    config.time_zone = "Europe/Berlin";
    core::update_config(home.hub, config, core::Context::create(home.clock.now()));
    home.clock.set(at("2026-04-20T05:00:00Z"));
    HelperItem item{
        .collection = "schedule",
        .id = "heat",
        .place = "f.yaml:1",
        .fields = fields_of(R"({"monday": [{"from": "08:00", "to": "09:00", "data": {"degrees": 21}}]})").value(),
        .error = {}};
    EXPECT_TRUE(helpers.apply({item}, true).empty());
    home.hub.bus.run_pending();
  }

  TestHome home;
  FileHelpers helpers{home.hub, home.domains.entities()};
};

TEST_F(ScheduleTest, TurnsOnAndOffByItselfWithItsData) {
  EXPECT_EQ(home.value("schedule.heat"), "off");
  EXPECT_EQ(home.attribute("schedule.heat", "next_event"), R"("2026-04-20T08:00:00+02:00")");
  home.advance(std::chrono::hours(1), std::chrono::minutes(1));
  EXPECT_EQ(home.value("schedule.heat"), "on");
  EXPECT_EQ(home.attribute("schedule.heat", "degrees"), "21");
  EXPECT_EQ(home.attribute("schedule.heat", "next_event"), R"("2026-04-20T09:00:00+02:00")");
  home.advance(std::chrono::hours(1), std::chrono::minutes(1));
  EXPECT_EQ(home.value("schedule.heat"), "off");
  EXPECT_EQ(home.attribute("schedule.heat", "degrees"), "");
  EXPECT_EQ(home.attribute("schedule.heat", "next_event"), R"("2026-04-27T08:00:00+02:00")");
}

TEST_F(ScheduleTest, FollowsTheTimeZoneOfTheHome) {
  core::HubConfig config;
  config.time_zone = "Europe/Helsinki";
  core::update_config(home.hub, config, core::Context::create(home.clock.now()));
  home.hub.bus.run_pending();
  EXPECT_EQ(home.value("schedule.heat"), "on");
}

TEST_F(ScheduleTest, AnswersWithItsTimes) {
  const auto call = home.begin("schedule.get_schedule", R"({"entity_id": "schedule.heat"})");
  ASSERT_TRUE(call->outcome && *call->outcome) << call->text();
  const json::object week = (*call->outcome)->response.at("schedule.heat").as_object();
  EXPECT_EQ(base::to_json(week.at("monday")), R"([{"from":"08:00","to":"09:00","data":{"degrees":21}}])");
  EXPECT_EQ(base::to_json(week.at("sunday")), "[]");
}

}  // namespace
}  // namespace hearth::domains
