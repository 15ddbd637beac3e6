// SPDX-License-Identifier: Apache-2.0
// workday, season, random, time_date and average.
#include "automation/test_ports.h"
#include "base/text/timestamp.h"
#include "derived/engines/calendar_rules.h"
#include "derived/test_derived.h"

namespace hearth::derived {
namespace {

using namespace std::chrono_literals;

TEST(CalendarRulesTest, KnowTheSunAndTheMoon) {
  // As the almanacs have them.
  const auto minutes = [](int year, Quarter quarter, std::string_view wanted) {
    return std::abs((quarter_of(year, quarter) - base::parse_timestamp(wanted).value()) / 1min);
  };
  EXPECT_LE(minutes(2026, Quarter::march, "2026-03-20T14:46:00Z"), 1);
  EXPECT_LE(minutes(2026, Quarter::june, "2026-06-21T08:24:30Z"), 1);
  EXPECT_LE(minutes(2026, Quarter::september, "2026-09-23T00:05:00Z"), 1);
  EXPECT_LE(minutes(2026, Quarter::december, "2026-12-21T20:50:00Z"), 1);
  const auto easter = [](int year) {
    return templates::to_text(templates::Date{static_cast<std::int32_t>(easter_of(year))});
  };
  EXPECT_EQ(easter(2024), "2024-03-31");
  EXPECT_EQ(easter(2025), "2025-04-20");
  EXPECT_EQ(easter(2026), "2026-04-05");
  EXPECT_EQ(easter(2038), "2038-04-25");
}

// True if people work at that time in UTC, in Berlin.
std::string works(std::string_view keys, std::string_view time) {
  TestEngine engine("workday", "binary_sensor", keys);
  EXPECT_EQ(engine.errors(), "");
  engine.begin_at(base::parse_timestamp(time).value());
  return engine.value();
}

TEST(WorkdayTest, FollowsTheWeekAndTheHolidaysOfTheFile) {
  EXPECT_EQ(works("{}", "2026-11-20T12:00:00Z"), "on");
  EXPECT_EQ(works("{}", "2026-11-20T23:00:00Z"), "off");  // Saturday, by the clocks of the place
  EXPECT_EQ(works(R"({"days_offset": -1})", "2026-11-20T23:00:00Z"), "on");
  EXPECT_EQ(works(R"({"workdays": ["sat"], "excludes": []})", "2026-11-21T12:00:00Z"), "on");
  constexpr std::string_view holidays =
      R"({"add_holidays": ["2026-11-20", "12-25", "easter+1", "2026-07-06,2026-07-10"], "remove_holidays": ["2026-12-25"]})";
  EXPECT_EQ(works(holidays, "2026-11-20T12:00:00Z"), "off");
  EXPECT_EQ(works(holidays, "2026-04-06T12:00:00Z"), "off");
  EXPECT_EQ(works(holidays, "2026-07-10T12:00:00Z"), "off");
  EXPECT_EQ(works(holidays, "2026-07-13T12:00:00Z"), "on");
  EXPECT_EQ(works(holidays, "2026-12-25T12:00:00Z"), "on");
  EXPECT_EQ(works(holidays, "2028-12-25T12:00:00Z"), "off");
  EXPECT_EQ(works(R"({"workdays": ["holiday"], "excludes": ["sat"], "add_holidays": ["2026-11-20"]})",
                  "2026-11-20T12:00:00Z"),
            "on");
}

TEST(WorkdayTest, ChangesAtMidnight) {
  TestEngine engine("workday", "binary_sensor", "{}");
  engine.begin_at(base::parse_timestamp("2026-03-28T22:00:00Z").value());
  EXPECT_EQ(engine.next(), 3'600);
  engine.begin_at(base::parse_timestamp("2026-03-28T23:00:00Z").value());
  EXPECT_EQ(engine.next(), 23 * 3'600);  // the clocks go forward
}

TEST(WorkdayTest, SaysWhatItDoesNotKnow) {
  EXPECT_EQ(
      TestEngine("workday", "binary_sensor", R"({"country": "DE", "add_holidays": ["2026-02-30"]})").errors(),
      "f.yaml:1: add_holidays[0]: expected a date such as 2026-12-24, 12-25 for each year, or easter+1, found "
      "\"2026-02-30\"\n"
      "f.yaml:1: country: the holidays of countries are not known here; name them in add_holidays: a date such as "
      "2026-12-24, 12-25 for each year, or easter+1\n");
}

TEST(WorkdayTest, ChecksOtherDays) {
  TestDerived home;
  home.apply("binary_sensor", R"([{"platform": "workday", "name": "Work", "add_holidays": ["12-25"], "days_offset": 1},
                                 {"platform": "tod", "name": "Night", "after": "22:00", "before": "06:00"}])");
  const auto check = [&](std::string_view date, std::string_view entity = "binary_sensor.work") {
    const auto asked = home.automations.home.begin(
        "workday.check_date", fmt::format(R"({{"entity_id": "{}", "check_date": "{}"}})", entity, date));
    return *asked->outcome ? base::to_json((*asked->outcome)->response) : asked->text();
  };
  EXPECT_EQ(check("2026-11-20"), R"({"binary_sensor.work":{"workday":true}})");
  EXPECT_EQ(check("2026-11-21"), R"({"binary_sensor.work":{"workday":false}})");
  EXPECT_EQ(check("2028-12-25"), R"({"binary_sensor.work":{"workday":false}})");
  EXPECT_EQ(check("2026-11-20", "binary_sensor.night"), "invalid: binary_sensor.night is not a workday sensor.");
  EXPECT_TRUE(check("soon").starts_with("invalid: check_date: expected a date"));
}

TEST(SeasonTest, BeginsWithTheSunOrTheMonth) {
  TestEngine by_sun("season", "sensor", "{}"), by_month("season", "sensor", R"({"type": "meteorological"})");
  const auto at = [](TestEngine& engine, std::string_view time) {
    engine.begin_at(base::parse_timestamp(time).value());
    return engine.value();
  };
  EXPECT_EQ(at(by_sun, "2026-03-20T14:40:00Z"), "winter");
  EXPECT_NEAR(by_sun.next(), 360, 90);
  EXPECT_EQ(at(by_sun, "2026-03-20T14:50:00Z"), "spring");
  EXPECT_EQ(at(by_sun, "2026-11-21T00:00:00Z"), "autumn");
  EXPECT_EQ(at(by_sun, "2026-12-31T00:00:00Z"), "winter");
  EXPECT_EQ(at(by_month, "2026-02-28T22:59:59Z"), "winter");
  EXPECT_EQ(by_month.next(), 1);
  EXPECT_EQ(at(by_month, "2026-02-28T23:00:00Z"), "spring");
  EXPECT_EQ(at(by_month, "2026-12-24T12:00:00Z"), "winter");
  EXPECT_EQ(by_month.show().device_class, "enum");
}

TEST(RandomTest, StaysWithinItsLimitsUntilTheInterval) {
  TestEngine engine("random", "sensor",
                    R"({"minimum": 5, "maximum": 7, "scan_interval": 10, "unit_of_measurement": "x"})");
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    engine.at(i * 10);
    const std::string first = engine.value();
    engine.at(i * 10 + 9);
    EXPECT_EQ(engine.value(), first);
    EXPECT_NEAR(engine.next(), i * 10 + 10, 0.001);
    seen.insert(first);
  }
  EXPECT_EQ(seen, (std::set<std::string>{"5", "6", "7"}));
  TestEngine binary("random", "binary_sensor", R"({"device_class": "motion"})");
  std::set<std::string> both;
  for (int i = 0; i < 100; ++i) {
    binary.at(i * 30);
    both.insert(binary.value());
  }
  EXPECT_EQ(both, (std::set<std::string>{"off", "on"}));
}

TEST(TimeDateTest, ShowsTheClockAndChangesWithTheMinute) {
  TestDerived home;
  home.automations.home.clock.set(base::parse_timestamp("2026-10-25T00:59:58Z").value());
  home.apply("sensor",
             R"([{"platform": "time_date", "display_options": ["time", "date", "date_time", "time_date", "time_utc",
                           "date_time_utc", "date_time_iso", "beat"]}])");
  EXPECT_EQ(home.errors(), "");
  EXPECT_EQ(home.value("sensor.time"), "02:59");
  EXPECT_EQ(home.value("sensor.date"), "2026-10-25");
  EXPECT_EQ(home.value("sensor.date_time"), "2026-10-25, 02:59");
  EXPECT_EQ(home.value("sensor.time_date"), "02:59, 2026-10-25");
  EXPECT_EQ(home.value("sensor.time_utc"), "00:59");
  EXPECT_EQ(home.value("sensor.date_time_utc"), "2026-10-25, 00:59");
  EXPECT_EQ(home.value("sensor.date_time_iso"), "2026-10-25T02:59:00");
  EXPECT_EQ(home.value("sensor.internet_time"), "@083");
  EXPECT_EQ(home.attribute("sensor.time", "friendly_name"), "\"Time\"");
  home.advance(1s);
  EXPECT_EQ(home.value("sensor.time"), "02:59");
  home.advance(1s);
  // The clocks go back.
  EXPECT_EQ(home.value("sensor.time"), "02:00");
}

TEST(ClockTest, IsNotAskedUntilItIsSet) {
  TestDerived home;
  bool set = false;
  automation::TestPorts ports(home.automations.engine.home());
  ports.on_clock_is_set = [&] { return set; };
  home.automations.home.clock.set(base::parse_timestamp("2024-01-01T00:00:00Z").value());
  home.apply("binary_sensor", R"([{"platform": "tod", "name": "Night", "after": "22:00", "before": "06:00"},
                                 {"platform": "workday", "name": "Work"}])");
  home.advance(2min, 1s);
  const auto shown = [&] { return home.value("binary_sensor.night") + " " + home.value("binary_sensor.work"); };
  EXPECT_EQ(shown(), "unknown unknown");
  set = true;
  home.automations.home.clock.set(base::parse_timestamp("2026-11-20T12:00:00Z").value());
  home.advance(1s);
  EXPECT_EQ(shown(), "off on");
  home.automations.home.clock.set(base::parse_timestamp("2026-11-20T21:00:00Z").value());
  home.advance(1s);
  EXPECT_EQ(shown(), "on on");
}

TEST(AverageTest, IsTheMeanOfNowWithoutATime) {
  TestEngine mean("average", "sensor", R"({"entities": ["sensor.a", "sensor.b"], "precision": 1})");
  EXPECT_EQ(mean.errors(), "");
  EXPECT_EQ(mean.value(), "unknown");
  mean.set("sensor.a", 0, "1", R"({"unit_of_measurement": "W", "device_class": "power"})");
  mean.set("sensor.b", 1, "2", R"({"unit_of_measurement": "W", "device_class": "power"})");
  EXPECT_EQ(mean.value(), "1.5");
  EXPECT_EQ(mean.show().unit + mean.show().device_class, "Wpower");
  mean.set("sensor.b", 2, "unavailable");
  EXPECT_EQ(mean.value(), "1.0");
  EXPECT_EQ(mean.attribute("available_sources"), "1");
}

TEST(AverageTest, WeighsBySpansOfHistory) {
  TestDerived home;
  const auto now = home.automations.home.clock.now();
  home.history.add("sensor.a", "10", now - 2h);
  home.history.add("sensor.a", "20", now - 30min);
  home.set("sensor.a", "20");
  home.apply("sensor", R"([{"platform": "average", "name": "Mean", "entities": "sensor.a", "duration": 3600}])");
  EXPECT_EQ(home.errors(), "");
  EXPECT_EQ(home.value("sensor.mean"), "15.0");
  home.advance(15min, 1min);
  EXPECT_EQ(home.value("sensor.mean"), "17.5");
  home.set("sensor.a", "unavailable");
  home.advance(15min, 1min);
  // Of the 45 minutes that it was there.
  EXPECT_EQ(home.value("sensor.mean"), "20.0");
  EXPECT_EQ(home.attribute("sensor.mean", "max_value"), "20.0");
}

TEST(AverageTest, SaysWhatIsWrong) {
  EXPECT_EQ(TestEngine("average", "sensor", R"({"entities": "sensor.a", "end": "{{ now() }}"})").errors(),
            "f.yaml:1: end: needs start or duration\n");
}

}  // namespace
}  // namespace hearth::derived
