// SPDX-License-Identifier: Apache-2.0
#include "api/energy/energy_question.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/text/timestamp.h"
#include "recorder/test_history.h"

namespace hearth::api {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kEnergyCounts =
    R"({"state_class":"total_increasing","unit_of_measurement":"Wh","device_class":"energy"})";

struct EnergyFolder {
  EnergyFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "energyXXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~EnergyFolder() { std::filesystem::remove_all(path); }

  std::filesystem::path path;
};

json::object ask_energy(recorder::TestHome& home, const energy::Meters& meters, const json::object& message,
                        const std::shared_ptr<const energy::CostEntities>& costs = nullptr) {
  const core::View view(home.hub, {});
  MessageReader in(message);
  EnergySpanFields fields;
  fields.read(in);
  const auto span = fields.span(home.clock.now(), "Europe/Berlin").value();
  EnergyQuestion question(view, meters, span, nullptr, costs);
  recorder::HistoryFileReader reader(*home.recorder);
  std::string answer;
  while (question.produce(reader, answer).value()) {
  }
  return base::parse_json(answer).value().get_object();
}

// By its sums at the ends of months a device has what a meter has by all of its steps.
TEST(EnergyQuestion, ADeviceCountsAsTheMeterThatItIs) {
  base::ManualClock clock(base::parse_timestamp("2026-01-10T00:01Z").value());
  const EnergyFolder folder;
  recorder::TestHome home(clock, folder.path);
  const base::Timestamp end = clock.now() + std::chrono::days(80);
  for (int hour = 0; clock.now() < end; ++hour) {
    home.set("sensor.meter", std::to_string(hour % 1'500 * 100), kEnergyCounts);  // begins anew in March
    clock.advance(1h);
    if (hour % 24 != 23) continue;
    home.save();
    home.maintain();
  }
  energy::Meters meters;
  meters.meters.push_back({energy::Role::grid_in, "sensor.meter", {}});
  meters.devices.push_back({"sensor.meter", {}, {}});
  const json::object year = ask_energy(home, meters, {{"span", "year"}});
  const json::value& meter = year.at("meters").at(0);
  EXPECT_EQ(meter.at("values"), year.at("devices").at(0).at("values"));
  EXPECT_NEAR(191.8, meter.at("total").as_double(), 0.05);
  EXPECT_EQ(0.0, year.at("other").at("total").as_double());
  EXPECT_EQ("meter_reset", year.at("notes").at(0).at("kind").as_string());
  // January from the tenth on, and all of February.
  EXPECT_NEAR(52.6, meter.at("values").at(0).as_double(), 0.05);
  EXPECT_NEAR(67.2, meter.at("values").at(1).as_double(), 0.05);
}

// The cost is the one that the sensor has counted, whatever the price says now; before it began the price is all there
// is.
TEST(EnergyQuestion, CostsAreThoseOfTheSensor) {
  base::ManualClock clock(base::parse_timestamp("2026-01-10T00:01Z").value());
  const EnergyFolder folder;
  recorder::TestHome home(clock, folder.path);
  constexpr std::string_view kCosts =
      R"({"state_class":"total","unit_of_measurement":"EUR","last_reset":"2026-01-10T03:01:00+00:00"})";
  for (int hour = 0; hour < 10; ++hour) {
    home.set("sensor.meter", std::to_string(hour * 1'000), kEnergyCounts);
    if (hour >= 3) home.set("sensor.meter_cost", std::to_string((hour - 3) * 2), kCosts);
    clock.advance(1h);
  }
  home.save();
  energy::Meters meters;
  meters.meters.push_back({energy::Role::grid_in, "sensor.meter", {.number = 0.5, .entity = {}, .statistic = {}}});
  const auto costs = std::make_shared<const energy::CostEntities>(
      energy::CostEntities{{{energy::Role::grid_in, "sensor.meter"}, "sensor.meter_cost"}});
  const json::object day = ask_energy(home, meters, {{"span", "day"}}, costs);
  // Three hours at the price, six as counted.
  EXPECT_DOUBLE_EQ(3 * 0.5 + 6 * 2, day.at("cost").at("total").as_double());
  EXPECT_DOUBLE_EQ(9, day.at("meters").at(0).at("total").as_double());
  EXPECT_DOUBLE_EQ(9 * 0.5, ask_energy(home, meters, {{"span", "day"}}).at("cost").at("total").as_double());
}

TEST(EnergySpan, FollowsTheCalendarOfTheHome) {
  const struct {
    const char *span, *date, *before, *start, *end;
    std::size_t bars;
  } cases[] = {
      {"day", "2026-10-25", "2026-10-23T22:00Z", "2026-10-24T22:00Z", "2026-10-25T23:00Z", 25},
      {"day", "2026-03-29", "2026-03-27T23:00Z", "2026-03-28T23:00Z", "2026-03-29T22:00Z", 23},
      {"week", "2026-11-01", "2026-10-18T22:00Z", "2026-10-25T23:00Z", "2026-11-01T23:00Z", 7},
      {"month", "2026-10-31", "2026-08-31T22:00Z", "2026-09-30T22:00Z", "2026-10-31T23:00Z", 31},
      {"year", "2024-02-29", "2022-12-31T23:00Z", "2023-12-31T23:00Z", "2024-12-31T23:00Z", 12},
      {"years", "2026-07-01", "2006-12-31T23:00Z", "2016-12-31T23:00Z", "2026-12-31T23:00Z", 10},
  };
  for (const auto& one : cases) {
    const json::object message{{"span", one.span}, {"date", one.date}};
    MessageReader in(message);
    EnergySpanFields fields;
    fields.read(in);
    const auto span = fields.span(base::parse_timestamp("2026-11-30T00:00Z").value(), "Europe/Berlin").value();
    EXPECT_EQ(base::parse_timestamp(one.before).value(), span.before) << one.span << one.date;
    EXPECT_EQ(base::parse_timestamp(one.start).value(), span.start) << one.span << one.date;
    EXPECT_EQ(base::parse_timestamp(one.end).value(), span.end) << one.span << one.date;
    EXPECT_EQ(one.bars, span.bounds.size() - 1) << one.span << one.date;
  }
}

}  // namespace
}  // namespace hearth::api
