// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "import_ha/history/test_old_history.h"
#include "recorder/history/entity_statistics.h"
#include "recorder/history/imported_statistics.h"
#include "recorder/test_history.h"

namespace hearth::import_ha {
namespace {

using namespace std::chrono_literals;
using recorder::Period;
using recorder::Statistics;

constexpr double kOldHour = 3'600, kFive = 300;
constexpr std::string_view kEnergy = R"({"unit_of_measurement":"kWh","state_class":"total_increasing"})";

base::Timestamp hours_ago(int hours) {
  return kOldNow - std::chrono::hours(hours);
}
double seconds_ago(int hours) {
  return kOldSeconds - hours * kOldHour;
}

void import_all(PastHome& home) {
  home.report = Report();
  import_states(home.plan(), home.report).value();
  import_statistics(home.plan(), home.report).value();
}

std::vector<Statistics> read(recorder::TestHome& home, std::string_view id, Period period,
                             base::Timestamp from = hours_ago(10'000), base::Timestamp until = kOldNow + 240h) {
  recorder::HistoryFileReader reader(*home.recorder);
  recorder::EntityStatistics entity(std::string(id), {from, until}, period);
  while (entity.read_on(reader).value()) {
  }
  return entity.take_finished(true);
}

struct Opened {
  explicit Opened(const PastHome& old, base::Timestamp now = kOldNow) : clock(now), home(clock, old.folder / "home") {}
  base::ManualClock clock;
  recorder::TestHome home;
};

TEST(ImportStatistics, CarriesHoursOfAMean) {
  for (const int schema : {38, 43, 49, 53}) {
    PastHome home(schema);
    const auto meta = home.old.add_statistic("sensor.power", "recorder", "W", 1, false);
    for (int hour = 50; hour > 0; --hour)
      home.old.add_row(meta, seconds_ago(hour), {.mean = 0.001 + 1.0 / hour, .min = 1e-7 * hour, .max = 1e9 / hour});
    import_all(home);
    EXPECT_EQ((Report::Counts{.carried = 50}), home.counts("statistics")) << schema;
    EXPECT_EQ((Report::Counts{.carried = 1}), home.counts("statistic_ids"));
    Opened opened(home);
    const auto steps = read(opened.home, "sensor.power", Period::hour);
    ASSERT_EQ(50u, steps.size());
    for (int i = 0; i < 50; ++i) {
      const int hour = 50 - i;
      EXPECT_EQ(hours_ago(hour), steps[i].start);
      EXPECT_NEAR(1, steps[i].mean / (0.001 + 1.0 / hour), 1e-6);
      EXPECT_NEAR(1, steps[i].min / (1e-7 * hour), 1e-6);
      EXPECT_NEAR(1, steps[i].max / (1e9 / hour), 1e-6);
      EXPECT_TRUE(std::isnan(steps[i].state));
      EXPECT_FALSE(steps[i].total);
    }
    EXPECT_TRUE(read(opened.home, "sensor.power", Period::five_minutes).empty());
  }
}

TEST(ImportStatistics, CarriesSumsToTheLastDigit) {
  PastHome home;
  const auto meta = home.old.add_statistic("sensor.meter", "recorder", "kWh", 0, true);
  std::vector<double> sums;
  double sum = 123'456.1;
  for (int hour = 30; hour > 0; --hour) {
    sums.push_back(sum += 0.001 / hour);
    home.old.add_row(meta, seconds_ago(hour), {.state = sum + 7, .sum = sum, .last_reset = 1'700'000'000});
  }
  import_all(home);
  Opened opened(home);
  const auto steps = read(opened.home, "sensor.meter", Period::hour);
  ASSERT_EQ(30u, steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(sums[i], steps[i].sum);
    EXPECT_EQ(sums[i] + 7, steps[i].state);
    EXPECT_TRUE(steps[i].total);
    EXPECT_EQ(base::Timestamp(1'700'000'000s), steps[i].last_reset);
  }
}

TEST(ImportStatistics, TakesFiveMinutesWhereAllTwelveAreThere) {
  PastHome home;
  const auto meta = home.old.add_statistic("sensor.power", "recorder", "W", 1, false);
  for (int hour = 3; hour > 0; --hour) home.old.add_row(meta, seconds_ago(hour), {.mean = 6.5, .min = 1, .max = 12});
  for (int step = 0; step < 12; ++step) {
    const double value = step + 1;
    home.old.add_row(meta, seconds_ago(3) + step * kFive, {.mean = value, .min = value, .max = value}, true);
    if (step != 4)
      home.old.add_row(meta, seconds_ago(2) + step * kFive, {.mean = value, .min = value, .max = value}, true);
  }
  // The hour that has not ended.
  home.old.add_row(meta, seconds_ago(0), {.mean = 5, .min = 4, .max = 6}, true);
  import_all(home);
  EXPECT_EQ((Report::Counts{.carried = 3}), home.counts("statistics"));
  EXPECT_EQ((Report::Counts{.carried = 13, .left = 11}), home.counts("short_term_statistics"));
  Opened opened(home);
  EXPECT_EQ(13u, read(opened.home, "sensor.power", Period::five_minutes).size());
  const auto hours = read(opened.home, "sensor.power", Period::hour);
  ASSERT_EQ(4u, hours.size());
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(6.5, hours[i].mean, 1e-9);
    EXPECT_EQ(1, hours[i].min);
    EXPECT_EQ(12, hours[i].max);
  }
  EXPECT_EQ(5, hours[3].mean);
}

TEST(ImportStatistics, ConvertsToTheUnitOfTheState) {
  PastHome home;
  home.old.add({"sensor.room", kOldSeconds - 100, "68", R"({"unit_of_measurement":"°F","state_class":"measurement"})"});
  const auto meta = home.old.add_statistic("sensor.room", "recorder", "°C", 1, false);
  home.old.add_row(meta, seconds_ago(5), {.mean = 20, .min = 10, .max = 100});
  home.old.add({"sensor.meter", kOldSeconds - 100, "5", kEnergy});
  const auto meter = home.old.add_statistic("sensor.meter", "recorder", "Wh", 0, true);
  home.old.add_row(meter, seconds_ago(5), {.state = 1'500, .sum = 2'500});
  import_all(home);
  Opened opened(home);
  const auto room = read(opened.home, "sensor.room", Period::hour, hours_ago(5), hours_ago(4) - 1us);
  ASSERT_EQ(1u, room.size());
  EXPECT_NEAR(68, room[0].mean, 1e-6);
  EXPECT_NEAR(50, room[0].min, 1e-6);
  EXPECT_NEAR(212, room[0].max, 1e-6);
  const auto energy = read(opened.home, "sensor.meter", Period::hour, hours_ago(5), hours_ago(4) - 1us);
  ASSERT_EQ(1u, energy.size());
  EXPECT_NEAR(2.5, energy[0].sum, 1e-9);
  EXPECT_NEAR(1.5, energy[0].state, 1e-9);
}

TEST(ImportStatistics, KeepsThoseOfOtherSources) {
  PastHome home;
  const auto meta = home.old.add_statistic("grid:bill", "grid", "EUR", 1, true, "The bill");
  home.old.add_row(meta, seconds_ago(5), {.mean = 2, .min = 1, .max = 3, .state = 4, .sum = 5});
  home.old.add_row(meta, seconds_ago(4), {.mean = 2, .min = 1, .max = 3, .state = 4, .sum = 6.25});
  home.old.add_statistic("No Id", "grid", "EUR", 0, true);
  import_all(home);
  EXPECT_EQ((Report::Counts{.carried = 2}), home.counts("statistics"));
  EXPECT_EQ((Report::Counts{.carried = 1, .left = 1}), home.counts("statistic_ids"));
  const auto imported = recorder::ImportedStatistics::open(home.folder / "home/home.db").value();
  const auto found = imported->find("grid:bill").value();
  ASSERT_TRUE(found);
  EXPECT_EQ("grid", found->source);
  EXPECT_EQ("The bill", found->name);
  EXPECT_EQ("EUR", found->unit);
  EXPECT_TRUE(found->has_mean && found->has_sum);
  const auto rows = imported->rows("grid:bill", hours_ago(9), kOldNow, 10).value();
  ASSERT_EQ(2u, rows.size());
  EXPECT_EQ(6.25, rows[1].sum);
  EXPECT_EQ(3, rows[1].max);
}

TEST(ImportStatistics, LeavesWhatCannotCome) {
  PastHome home;
  const auto meta = home.old.add_statistic("sensor.power", "recorder", "W", 1, false);
  home.old.add_row(meta, seconds_ago(5), {.min = 1, .max = 2});
  home.old.add_row(meta, seconds_ago(4) + 7, {.mean = 1});
  home.old.add_row(meta, seconds_ago(-9), {.mean = 1});
  home.old.add_row(meta, seconds_ago(3), {.mean = 1});
  home.old.add_row(999, seconds_ago(3), {.mean = 1});
  import_all(home);
  EXPECT_EQ((Report::Counts{.carried = 1, .left = 4}), home.counts("statistics"));
}

TEST(ImportStatistics, GoesOnCountingFromTheLastSum) {
  PastHome home;
  const auto meta = home.old.add_statistic("sensor.meter", "recorder", "kWh", 0, true);
  for (int hour = 60; hour > 0; --hour)
    home.old.add_row(meta, seconds_ago(hour), {.state = 1'000.0 - hour, .sum = 500.0 - hour});
  // Three days of states, the newest within the hour that has no statistics yet.
  for (int hour = 72; hour > 0; --hour)
    home.old.add({"sensor.meter", seconds_ago(hour) + 10, fmt::format("{}", 1'000 - hour), kEnergy});
  home.old.add({"sensor.meter", kOldSeconds + 300, "1001", kEnergy});
  auto plan = home.plan();
  plan.now = kOldNow + 600s;
  import_states(plan, home.report).value();
  import_statistics(plan, home.report).value();
  Opened opened(home, kOldNow + 1'200s);
  opened.home.set("sensor.meter", "1004", kEnergy);
  opened.home.save();
  opened.clock.advance(48h);
  opened.home.set("sensor.meter", "1010", kEnergy);
  opened.home.save();
  const auto check = [&] {
    const auto hours = read(opened.home, "sensor.meter", Period::hour);
    ASSERT_LT(100u, hours.size());
    EXPECT_EQ(hours_ago(60), hours.front().start);
    for (int i = 0; i < 60; ++i) EXPECT_EQ(440.0 + i, hours[i].sum);
    EXPECT_EQ(kOldNow, hours[60].start);
    EXPECT_NEAR(499 + (1'004 - 999), hours[60].sum, 1e-9);
    EXPECT_NEAR(499 + (1'010 - 999), hours.back().sum, 1e-9);
  };
  check();                 // computed from the changes
  opened.home.maintain();  // the days have ended: stored
  check();
  opened.clock.advance(24h);
  opened.home.maintain();
  check();
}

TEST(ImportStatistics, ComputesThoseOfEntitiesThatHadNone) {
  PastHome home;
  home.old.add({"sensor.plain", seconds_ago(50), "4", R"({"unit_of_measurement":"W"})"});
  home.old.add({"sensor.plain", seconds_ago(26), "8", R"({"unit_of_measurement":"W"})"});
  import_all(home);
  Opened opened(home);
  opened.home.maintain();
  const auto hours = read(opened.home, "sensor.plain", Period::hour, hours_ago(50), hours_ago(0) - 1us);
  ASSERT_EQ(50u, hours.size());
  EXPECT_EQ(4, hours.front().mean);
  EXPECT_EQ(8, hours.back().mean);
}

TEST(ImportStatistics, KeepsThoseOfEntitiesThatAreGone) {
  PastHome home;
  const auto meta = home.old.add_statistic("sensor.gone", "recorder", "W", 1, false);
  home.old.add_row(meta, seconds_ago(9'000), {.mean = 3, .min = 3, .max = 3});
  import_all(home);
  Opened opened(home);
  opened.home.maintain();
  const auto hours = read(opened.home, "sensor.gone", Period::hour);
  ASSERT_EQ(1u, hours.size());
  EXPECT_EQ(3, hours[0].mean);
}

TEST(ImportStatistics, MarksAngles) {
  PastHome home;
  const auto meta = home.old.add_statistic("sensor.wind", "recorder", "°", 2, false);
  home.old.add_row(meta, seconds_ago(2), {.mean = 350});
  home.old.add_row(meta, seconds_ago(1), {.mean = 10});
  import_all(home);
  Opened opened(home);
  const auto days = read(opened.home, "sensor.wind", Period::day);
  ASSERT_EQ(1u, days.size());
  EXPECT_TRUE(days[0].angle);
  EXPECT_NEAR(0, std::remainder(days[0].mean, 360), 1e-6);
}

void fill_rows(OldHistory& old) {
  std::mt19937 random(11);
  old.run("BEGIN");
  for (int id = 0; id < 40; ++id) {
    const auto meta = old.add_statistic(fmt::format("sensor.power_{}", id), "recorder", "W", id % 2, id % 2 == 0);
    for (int hour = 300; hour > 0; --hour) {
      const double value = random() % 1'000 / 7.0;
      old.add_row(meta, seconds_ago(hour), {.mean = value, .min = value, .max = value, .state = value, .sum = value});
    }
  }
  old.run("COMMIT");
}

std::string all_steps(const PastHome& old) {
  Opened opened(old);
  std::string text;
  for (int id = 0; id < 40; ++id) {
    for (const Statistics& step : read(opened.home, fmt::format("sensor.power_{}", id), Period::hour))
      text += fmt::format("{} {} {} {}\n", id, step.start.time_since_epoch().count(), step.mean, step.sum);
  }
  return text;
}

TEST(ImportStatistics, EndsTheSameAfterTenKills) {
  PastHome whole, killed;
  fill_rows(whole.old);
  fill_rows(killed.old);
  import_all(whole);
  std::mt19937 random(3);
  import_states(killed.plan(), killed.report).value();
  int kills = 0;
  for (; kills < 10; ++kills) {
    auto plan = killed.plan();
    int left = static_cast<int>(random() % 12);
    plan.rows_at_once = 2'000;
    plan.go_on = [&left] { return left-- > 0; };
    Report ignored;
    if (import_statistics(plan, ignored)) break;
  }
  EXPECT_LT(3, kills);
  import_all(killed);
  EXPECT_EQ(12'000, std::ranges::count(all_steps(whole), '\n'));
  EXPECT_EQ(all_steps(whole), all_steps(killed));
  EXPECT_EQ(whole.report.counts(), killed.report.counts());
}

TEST(ImportStatistics, AddsToThoseOfAnEarlierImport) {
  PastHome home;
  const auto meta = home.old.add_statistic("sensor.power", "recorder", "W", 1, false);
  home.old.add_row(meta, seconds_ago(3), {.mean = 1, .min = 1, .max = 1});
  // An hour that had not ended.
  home.old.add_row(meta, seconds_ago(2), {.mean = 2, .min = 2, .max = 2}, true);
  import_all(home);
  home.old.add_row(meta, seconds_ago(2), {.mean = 20, .min = 2, .max = 40});
  home.old.add_row(meta, seconds_ago(1), {.mean = 3, .min = 3, .max = 3});
  home.old.run("DELETE FROM statistics_short_term");
  auto plan = home.plan();
  plan.fingerprint = "newer";
  import_statistics(plan, home.report).value();
  Opened opened(home);
  const auto hours = read(opened.home, "sensor.power", Period::hour);
  ASSERT_EQ(3u, hours.size());
  EXPECT_EQ(1, hours[0].mean);
  EXPECT_EQ(20, hours[1].mean);
  EXPECT_EQ(3, hours[2].mean);
}

}  // namespace
}  // namespace hearth::import_ha
