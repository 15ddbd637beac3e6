// SPDX-License-Identifier: Apache-2.0
// Two simulated years in each of five zones: a fixed time comes once a day, also where clocks are set forward, back, by
// half an hour, at midnight, or by a whole day.
#include <gtest/gtest.h>

#include <date/tz.h>
#include <fmt/format.h>

#include <map>

#include "automation/local_times.h"
#include "simulation/test_scenario.h"

namespace hearth::simulation {
namespace {

struct Years {
  std::string zone, from, until;
  std::set<std::string> skipped;  // days that the calendar of the zone has not
};

class TwoYearsTest : public testing::TestWithParam<Years> {};

// The days between two local times, as 2026-03-28.
std::set<std::string> days_between(const std::string& from, const std::string& until) {
  std::set<std::string> days;
  for (std::string day = from.substr(0, 10); day <= until.substr(0, 10); day = domains::next_day(day)) days.insert(day);
  return days;
}

TEST_P(TwoYearsTest, EachFixedTimeComesOnceADay) {
  const Years& years = GetParam();
  const std::vector<std::string> times{"00:00:00", "00:30:00", "01:30:00", "02:00:00", "02:15:00",
                                       "02:30:00", "03:00:00", "12:00:00", "23:45:00"};
  std::string automations;
  for (const std::string& time : times) {
    automations += fmt::format(
        "{}{{\"alias\": \"At {}\", \"triggers\": [{{\"trigger\": "
        "\"time\", \"at\": \"{}\"}}], \"actions\": [{{\"event\": \"rang\", \"event_data\": "
        "{{\"time\": \"t{}\"}}}}]}}",
        automations.empty() ? "" : ", ", time, time, time);
  }
  automations += R"(, {"alias": "Pattern", "triggers": [{"trigger": "time_pattern", "hours": 2, "minutes": 10}],
                       "actions": [{"event": "rang", "event_data": {"time": "pattern"}}]})";
  // A second before the first midnight.
  const Outcome outcome =
      run_scenario(fmt::format(R"({{"time": "{}", "time_zone": "{}", "automations": [{}], "until": "{}"}})", years.from,
                               years.zone, automations, years.until));
  EXPECT_EQ(outcome.failures, std::vector<std::string>());

  std::map<std::string, std::vector<base::Timestamp>> rang;
  for (const Happening& each : outcome.timeline) {
    if (each.kind == Happening::Kind::event && each.name == "rang")
      rang[std::string(each.data.at("time").get_string())].push_back(each.at);
  }
  std::set<std::string> days = days_between(domains::next_day(years.from.substr(0, 10)), years.until);
  for (const std::string& day : years.skipped) days.erase(day);
  const templates::Zone zone = templates::Zone::of(years.zone);
  for (const std::string& time : times) {
    // Worked out from the zone's own rules: the first instant at which the clocks show the time, or, if they skip it,
    // the first after the gap.
    std::vector<base::Timestamp> wanted;
    for (const std::string& day : days) {
      const auto local = templates::parse_iso(day + " " + time).value().local;
      const auto info = zone.named->get_info(date::local_seconds(std::chrono::seconds(local / templates::kSecond)));
      if (info.result == date::local_info::nonexistent)
        wanted.push_back(base::Timestamp(info.first.end.time_since_epoch()));
      else
        wanted.push_back(base::Timestamp(std::chrono::microseconds(local) - info.first.offset));
    }
    EXPECT_EQ(rang["t" + time], wanted) << time;
  }
  std::set<std::string> found;
  for (const base::Timestamp at : rang["pattern"]) found.insert(domains::local_time_text(at, years.zone).substr(0, 10));
  EXPECT_EQ(found, days);
  EXPECT_EQ(rang["pattern"].size(), days.size());
}

INSTANTIATE_TEST_SUITE_P(
    Zones, TwoYearsTest,
    testing::Values(Years{"Europe/Berlin", "2025-12-31 23:59:59", "2027-12-31 23:59:59", {}},
                    Years{"America/New_York", "2025-12-31 23:59:59", "2027-12-31 23:59:59", {}},
                    Years{"Australia/Lord_Howe", "2025-12-31 23:59:59", "2027-12-31 23:59:59", {}},
                    Years{"America/Sao_Paulo", "2015-12-31 23:59:59", "2017-12-31 23:59:59", {}},
                    Years{"Pacific/Apia", "2010-12-31 23:59:59", "2012-12-31 23:59:59", {"2011-12-30"}}),
    [](const auto& each) {
      std::string name = each.param.zone;
      std::ranges::replace(name, '/', '_');
      return name;
    });

}  // namespace
}  // namespace hearth::simulation
