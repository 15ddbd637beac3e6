// SPDX-License-Identifier: Apache-2.0
// utility_meter: what it counts, when its periods end, its tariffs and services.
#include "base/text/timestamp.h"
#include "derived/cron.h"
#include "derived/test_derived.h"

namespace hearth::derived {
namespace {

using namespace std::chrono_literals;

// The next three instants, in UTC.
std::string next_times(std::string_view cron, std::string_view after, std::string_view zone = "Europe/Berlin") {
  const auto parsed = Cron::parse(cron);
  if (!parsed) return parsed.error().message;
  auto time = base::parse_timestamp(after).value();
  std::string all;
  for (int i = 0; i < 3; ++i) {
    const auto next = parsed->next(time, templates::Zone::of(std::string(zone)));
    if (!next) return all + "never";
    time = *next;
    all += base::to_string(time).substr(0, 16) + " ";
  }
  return all;
}

TEST(CronTest, SaysWhen) {
  EXPECT_EQ(next_times("0 0 * * *", "2026-01-01T00:00:00Z"), "2026-01-01T23:00 2026-01-02T23:00 2026-01-03T23:00 ");
  EXPECT_EQ(next_times("5/15 * * * *", "2026-01-01T00:06:00Z"), "2026-01-01T00:20 2026-01-01T00:35 2026-01-01T00:50 ");
  EXPECT_EQ(next_times("30 6 * * 1", "2026-01-01T00:00:00Z"), "2026-01-05T05:30 2026-01-12T05:30 2026-01-19T05:30 ");
  EXPECT_EQ(next_times("0 0 1 */2 *", "2026-01-15T00:00:00Z"), "2026-02-28T23:00 2026-04-30T22:00 2026-06-30T22:00 ");
  EXPECT_EQ(next_times("0 12 29 feb *", "2026-01-01T00:00:00Z"), "2028-02-29T11:00 2032-02-29T11:00 2036-02-29T11:00 ");
  EXPECT_EQ(next_times("0 0 13 * fri", "2026-02-10T00:00:00Z"), "2026-02-12T23:00 2026-02-19T23:00 2026-02-26T23:00 ");
  EXPECT_EQ(next_times("0,30 8-9 * * mon-fri", "2026-01-02T07:45:00Z"),
            "2026-01-02T08:00 2026-01-02T08:30 2026-01-05T07:00 ");
  EXPECT_EQ(next_times("0 0 31 2 *", "2026-01-01T00:00:00Z"), "never");
}

TEST(CronTest, AFixedTimeComesOnceADayWhenTheClocksChange) {
  // 02:30 is skipped on 29 March, and comes twice on 25 October.
  EXPECT_EQ(next_times("30 2 * * *", "2026-03-28T02:00:00Z"), "2026-03-29T01:00 2026-03-30T00:30 2026-03-31T00:30 ");
  EXPECT_EQ(next_times("30 2 * * *", "2026-10-24T01:00:00Z"), "2026-10-25T00:30 2026-10-26T01:30 2026-10-27T01:30 ");
  // Hours are real ones.
  EXPECT_EQ(next_times("0 * * * *", "2026-10-24T23:30:00Z"), "2026-10-25T00:00 2026-10-25T01:00 2026-10-25T02:00 ");
}

// The last one, counted one by one.
Cron::Past counted(const Cron& cron, base::Timestamp after, base::Timestamp until, const templates::Zone& zone) {
  Cron::Past past;
  for (auto time = cron.next(after, zone); time && *time <= until; time = cron.next(*time, zone)) {
    past.last = *time;
    past.count = std::min(past.count + 1, 2);
  }
  return past;
}

TEST(CronTest, FindsTheLastOneOfASpan) {
  const base::Timestamp start = base::parse_timestamp("2026-01-01T00:00:00Z").value();
  for (const char* const zone_name : {"Europe/Berlin", "Australia/Lord_Howe", "America/Sao_Paulo", "UTC"}) {
    const templates::Zone zone = templates::Zone::of(zone_name);
    for (const char* const pattern : {"0 0 * * *", "30 2 * * *", "0,15,30,45 1-3 * * *", "5/15 * * * *", "0 0 1 * *",
                                      "0 12 29 feb *", "0 0 13 * fri", "0 6 * * mon", "0 0 31 2 *"}) {
      const Cron cron = Cron::parse(pattern).value();
      for (const std::chrono::hours span : {1h, 3h, 30h, 24h * 70}) {
        // Over the days on which the clocks change, too.
        for (int day : {0, 86, 87, 93, 275, 276, 297, 298}) {
          const base::Timestamp until = start + std::chrono::days(day) + 150min, after = until - span;
          const Cron::Past found = cron.between(after, until, zone), expected = counted(cron, after, until, zone);
          EXPECT_EQ(found.count, expected.count) << pattern << " " << zone_name << " " << day;
          EXPECT_EQ(found.last, expected.last) << pattern << " " << zone_name << " " << day;
        }
      }
    }
  }
}

TEST(CronTest, FindsTheLastOneOfTenYears) {
  const base::Timestamp until = base::parse_timestamp("2026-06-01T00:00:30Z").value();
  const templates::Zone zone = templates::Zone::of("Europe/Berlin");
  for (const char* const pattern : {"* * * * *", "*/1 */1 * * *", "0-59 0-23 * * *"}) {
    const Cron::Past past = Cron::parse(pattern).value().between(until - std::chrono::days(36'600), until, zone);
    EXPECT_EQ(base::to_string(past.last).substr(0, 19), "2026-06-01T00:00:00") << pattern;
    EXPECT_EQ(past.count, 2);
  }
}

TEST(CronTest, SaysWhatIsWrong) {
  for (const char* const wrong : {"", "* * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * 8",
                                  "1-0 * * * *", "*/0 * * * *", "x * * * *", "1, * * * *", "* * * * * *"})
    EXPECT_FALSE(Cron::parse(wrong)) << wrong;
}

// A meter of these keys, at work in Berlin.
class OneMeter {
 public:
  explicit OneMeter(std::string_view keys = "") {
    home.set("sensor.e", "100", kKilowattHours);
    apply(keys);
  }
  void apply(std::string_view keys) {
    home.apply("sensor", "[]", "utility_meter", fmt::format(R"({{"m": {{"source": "sensor.e"{}}}}})", keys));
    EXPECT_EQ(home.errors(), "");
  }
  // The source's value, and then the meter's.
  std::string count(std::string_view reading) {
    home.set("sensor.e", reading, kKilowattHours);
    return home.value("sensor.m");
  }
  std::string shown(std::string_view name) { return home.attribute("sensor.m", name); }

  static constexpr std::string_view kKilowattHours =
      R"({"unit_of_measurement": "kWh", "device_class": "energy", "state_class": "total_increasing"})";
  TestDerived home;
};

TEST(MeterTest, CountsWhatItsSourceAdds) {
  OneMeter meter;
  EXPECT_EQ(meter.home.value("sensor.m"), "0");
  EXPECT_EQ(meter.count("100.5"), "0.5");
  EXPECT_EQ(meter.count("103"), "3.0");
  EXPECT_EQ(meter.shown("unit_of_measurement"), "\"kWh\"");
  EXPECT_EQ(meter.shown("device_class"), "\"energy\"");
  EXPECT_EQ(meter.shown("state_class"), "\"total_increasing\"");
  EXPECT_EQ(meter.shown("status"), "\"collecting\"");
  EXPECT_EQ(meter.shown("last_valid_state"), "\"103\"");
}

TEST(MeterTest, CountsFromZeroIfTheSourceBeginsAnew) {
  OneMeter meter;
  EXPECT_EQ(meter.count("110"), "10");
  EXPECT_EQ(meter.count("3"), "13");
  EXPECT_EQ(meter.count("5"), "15");
  // A little less is not anew.
  EXPECT_EQ(meter.count("4.9"), "15.0");
}

TEST(MeterTest, CountsWhatWasUsedWhileTheSourceWasAway) {
  OneMeter meter;
  EXPECT_EQ(meter.count("101"), "1");
  EXPECT_EQ(meter.count("unavailable"), "unavailable");
  EXPECT_EQ(meter.count("unknown"), "1");
  EXPECT_EQ(meter.count("104"), "4");
}

TEST(MeterTest, OfDifferencesAddsEach) {
  OneMeter meter(R"(, "delta_values": true)");
  EXPECT_EQ(meter.count("2"), "2");
  EXPECT_EQ(meter.count("3"), "5");
}

TEST(MeterTest, OfNetConsumptionFalls) {
  OneMeter meter(R"(, "net_consumption": true)");
  EXPECT_EQ(meter.count("110"), "10");
  EXPECT_EQ(meter.count("95"), "-5");
  EXPECT_EQ(meter.shown("state_class"), "\"total\"");
  OneMeter other(R"(, "periodically_resetting": false)");
  EXPECT_EQ(other.count("3"), "0");
  EXPECT_EQ(other.count("5"), "2");
}

TEST(MeterTest, EndsItsPeriodAtMidnight) {
  OneMeter meter(R"(, "cycle": "daily")");
  // The clock is at 01:00 in Berlin.
  EXPECT_EQ(meter.count("107"), "7");
  EXPECT_EQ(meter.shown("next_reset"), "\"2026-11-21T23:00:00.000000+00:00\"");
  meter.home.advance(22h + 59min, 1min);
  EXPECT_EQ(meter.home.value("sensor.m"), "7");
  meter.home.advance(1min);
  EXPECT_EQ(meter.home.value("sensor.m"), "0");
  EXPECT_EQ(meter.shown("last_period"), "\"7\"");
  EXPECT_EQ(meter.shown("last_reset"), "\"2026-11-21T23:00:00.000000+00:00\"");
  EXPECT_EQ(meter.shown("meter_period"), "\"daily\"");
  EXPECT_EQ(meter.count("109"), "2");
}

TEST(MeterTest, EndsAPeriodThatWasOverWhileTheHubWasDown) {
  OneMeter meter(R"(, "cycle": "daily")");
  EXPECT_EQ(meter.count("107"), "7");
  meter.home.sensors.stop();
  meter.home.advance(24h, 1h);
  meter.home.set("sensor.e", "110", OneMeter::kKilowattHours);
  meter.apply(R"(, "cycle": "daily")");
  EXPECT_EQ(meter.home.value("sensor.m"), "3");
  EXPECT_EQ(meter.shown("last_period"), "\"7\"");
  EXPECT_EQ(meter.shown("last_reset"), "\"2026-11-21T23:00:00.000000+00:00\"");
  meter.home.sensors.stop();
  meter.home.advance(72h, 1h);
  meter.apply(R"(, "cycle": "daily")");
  EXPECT_EQ(meter.home.value("sensor.m"), "0");
  EXPECT_EQ(meter.shown("last_period"), "\"0\"");
}

TEST(MeterTest, GoesOnAfterARestart) {
  OneMeter meter(R"(, "cron": "0 6 * * *")");
  EXPECT_EQ(meter.count("107.25"), "7.25");
  meter.home.sensors.stop();
  // The source is restored first, and then reports.
  meter.home.set("sensor.e", "107.25", R"({"unit_of_measurement": "kWh", "restored": true})");
  meter.apply(R"(, "cron": "0 6 * * *")");
  EXPECT_EQ(meter.home.value("sensor.m"), "7.25");
  EXPECT_EQ(meter.count("109.25"), "9.25");
  EXPECT_EQ(meter.shown("cron pattern"), "\"0 6 * * *\"");
}

TEST(MeterTest, CountsOverARestartWhileTheSourceIsAway) {
  OneMeter meter(R"(, "cycle": "daily")");
  EXPECT_EQ(meter.count("102"), "2");
  EXPECT_EQ(meter.count("unavailable"), "unavailable");
  meter.home.sensors.stop();
  meter.apply(R"(, "cycle": "daily")");
  EXPECT_EQ(meter.home.value("sensor.m"), "unavailable");
  EXPECT_EQ(meter.count("110"), "10");
  EXPECT_EQ(meter.shown("last_valid_state"), "\"110\"");
}

TEST(MeterTest, IsResetAndCalibrated) {
  OneMeter meter;
  EXPECT_EQ(meter.count("107"), "7");
  meter.home.call("utility_meter.calibrate", R"({"entity_id": "sensor.m", "value": "100.5"})");
  EXPECT_EQ(meter.home.value("sensor.m"), "100.5");
  EXPECT_EQ(meter.home.call("utility_meter.calibrate", R"({"entity_id": "sensor.m", "value": "much"})"),
            "invalid: value: expected a number as text, such as \"100.5\", got \"much\"");
  EXPECT_EQ(meter.home.value("sensor.m"), "100.5");
  meter.home.call("utility_meter.reset", R"({"entity_id": "sensor.m"})");
  EXPECT_EQ(meter.home.value("sensor.m"), "0.0");
  EXPECT_EQ(meter.shown("last_period"), "\"100.5\"");
  EXPECT_EQ(meter.home.call("utility_meter.reset", R"({"entity_id": "sensor.e"})"),
            "invalid: sensor.e is not of a utility meter.");
}

TEST(MeterTest, KeepsOverARestartThatItWasResetWhileTheSourceIsAway) {
  constexpr std::string_view kKeys = R"(, "tariffs": ["day", "night"])";
  OneMeter meter(kKeys);
  meter.count("102");
  meter.count("unavailable");
  EXPECT_EQ(meter.home.call("utility_meter.reset", R"({"entity_id": "select.m"})"), "");
  meter.home.sensors.stop();
  meter.apply(kKeys);
  EXPECT_EQ(meter.home.value("sensor.m_day"), "unavailable");
  meter.count("105");
  EXPECT_EQ(meter.home.value("sensor.m_day"), "3");
  EXPECT_EQ(meter.home.attribute("sensor.m_day", "last_period"), "\"2\"");
}

TEST(MeterTest, OneTariffCountsAtATime) {
  OneMeter meter(R"(, "tariffs": ["peak", "Off peak"], "name": "Used")");
  EXPECT_EQ(meter.home.value("select.m"), "peak");
  meter.count("107");
  EXPECT_EQ(meter.home.value("sensor.m_peak"), "7");
  EXPECT_EQ(meter.home.value("sensor.m_off_peak"), "0");
  EXPECT_EQ(meter.home.attribute("sensor.m_off_peak", "status"), "\"paused\"");
  EXPECT_EQ(meter.home.attribute("sensor.m_off_peak", "friendly_name"), "\"Used Off peak\"");
  meter.home.call("select.select_option", R"({"entity_id": "select.m", "option": "Off peak"})");
  EXPECT_EQ(meter.home.attribute("sensor.m_off_peak", "status"), "\"collecting\"");
  meter.count("110");
  EXPECT_EQ(meter.home.value("sensor.m_peak"), "7");
  EXPECT_EQ(meter.home.value("sensor.m_off_peak"), "3");
  EXPECT_EQ(meter.home.attribute("sensor.m_off_peak", "tariff"), "\"Off peak\"");
  meter.home.call("utility_meter.reset", R"({"entity_id": "select.m"})");
  EXPECT_EQ(meter.home.value("sensor.m_peak"), "0");
  EXPECT_EQ(meter.home.value("sensor.m_off_peak"), "0");
  meter.count("112");
  meter.home.sensors.stop();
  meter.apply(R"(, "tariffs": ["peak", "Off peak"], "name": "Used")");
  EXPECT_EQ(meter.home.value("select.m"), "Off peak");
  EXPECT_EQ(meter.home.value("sensor.m_off_peak"), "2");
  EXPECT_EQ(meter.home.attribute("sensor.m_peak", "last_period"), "\"7\"");
}

}  // namespace
}  // namespace hearth::derived
