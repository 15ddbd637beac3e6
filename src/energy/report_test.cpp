// SPDX-License-Identifier: Apache-2.0
// Days that were reckoned by hand.
#include "energy/report.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/text/timestamp.h"
#include "energy/report_text.h"

namespace hearth::energy {
namespace {

using namespace std::chrono_literals;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

base::Timestamp moment(std::string_view text) {
  return base::parse_timestamp(text).value();
}

// Two days of hours, as two bars, and the day before them.
struct Days {
  Slots slots = Slots::of(moment("2026-11-01T00:00Z"), moment("2026-11-04T00:00Z"), 1h);
  ReportInput input{slots,
                    1,
                    moment("2026-11-02T00:00Z"),
                    Slots({moment("2026-11-02T00:00Z"), moment("2026-11-03T00:00Z"), moment("2026-11-04T00:00Z")}),
                    {},
                    {}};

  MeterInput& meter(Role role, double each_hour) {
    MeterInput& made = input.meters.emplace_back();
    made.meter.role = role;
    made.meter.statistic_id = "sensor.meter";
    made.unit = "kWh";
    made.known = true;
    made.gained.assign(slots.size(), each_hour);
    return made;
  }
  void device(std::string id, std::vector<double> bars, std::string included_in = {}) {
    DeviceInput& made = input.devices.emplace_back();
    made.device.statistic_id = std::move(id);
    made.device.included_in = std::move(included_in);
    made.known = true;
    made.gained = std::move(bars);
  }
};

double flow(const Report& report, Flow which) {
  return report.flows[static_cast<std::size_t>(which)].total;
}

TEST(EnergyReport, AMeterIsSummedByBarAndForTheDayBefore) {
  Days days;
  days.meter(Role::grid_in, 0.5).gained[24] = 3;
  const Report report = report_of(days.input);
  EXPECT_EQ((std::vector{14.5, 12.0}), report.meters[0].line.values);
  EXPECT_DOUBLE_EQ(26.5, report.meters[0].line.total);
  EXPECT_DOUBLE_EQ(12, report.meters[0].line.before);
  EXPECT_DOUBLE_EQ(26.5, report.used.total);
  EXPECT_DOUBLE_EQ(12, report.used.before);
  EXPECT_FALSE(report.meters[0].cost);
}

TEST(EnergyReport, OnlyAsMuchOfTheDayBeforeCountsAsHasPassed) {
  Days days;
  days.meter(Role::grid_in, 1);
  days.input.compared = moment("2026-11-01T06:00Z");
  EXPECT_DOUBLE_EQ(6, report_of(days.input).used.before);
}

TEST(EnergyReport, EachHourHasItsOwnPrice) {
  Days days;
  MeterInput& meter = days.meter(Role::grid_in, 2);
  meter.price.emplace(72, 0.3);
  for (std::size_t hour = 24; hour < 30; ++hour) (*meter.price)[hour] = 0.1;
  MeterInput& sold = days.meter(Role::grid_out, 1);
  sold.price.emplace(72, 0.08);
  const Report report = report_of(days.input);
  // 6 hours of 2 kWh at 0.10, and 42 at 0.30.
  EXPECT_NEAR(6 * 2 * 0.1 + 42 * 2 * 0.3, report.meters[0].cost->line.total, 1e-9);
  EXPECT_NEAR(6 * 2 * 0.1 + 18 * 2 * 0.3, report.meters[0].cost->line.values[0], 1e-9);
  EXPECT_NEAR(24 * 2 * 0.3, report.meters[0].cost->line.before, 1e-9);
  EXPECT_NEAR(48 * 0.08, report.meters[1].cost->line.total, 1e-9);
  EXPECT_NEAR(report.meters[0].cost->line.total - 48 * 0.08, report.cost.total, 1e-9);
}

TEST(EnergyReport, ADayWithoutAPriceIsNotFree) {
  Days days;
  MeterInput& meter = days.meter(Role::grid_in, 1);
  meter.price.emplace(72, 0.5);
  for (std::size_t hour = 48; hour < 72; ++hour) (*meter.price)[hour] = kUnknown;
  const Report report = report_of(days.input);
  EXPECT_DOUBLE_EQ(12, report.cost.total);
  EXPECT_DOUBLE_EQ(24, report.meters[0].cost->unpriced);
  EXPECT_EQ(moment("2026-11-03T00:00Z"), report.meters[0].cost->unpriced_at);
  const json::object text = report_json(days.input, report, {"day", "EUR", {}});
  EXPECT_EQ(R"([{"kind":"price_unknown","statistic_id":"sensor.meter","at":1793664000000,"amount":24.0}])",
            base::to_json(text.at("notes")));
}

TEST(EnergyReport, MoneyThatWasMeasuredCountsAsItIs) {
  Days days;
  days.meter(Role::gas, 1).paid.emplace(72, 0.25);
  EXPECT_DOUBLE_EQ(12, report_of(days.input).cost.total);
}

TEST(EnergyReport, TheSunServesTheHomeBeforeTheGridDoes) {
  Days days;
  days.meter(Role::sun, 0).gained[30] = 5;
  days.meter(Role::grid_in, 0).gained[40] = 2;
  days.meter(Role::grid_out, 0).gained[30] = 1.5;
  days.meter(Role::battery_in, 0).gained[30] = 2;
  days.meter(Role::battery_out, 0).gained[40] = 1;
  const Report report = report_of(days.input);
  EXPECT_DOUBLE_EQ(1.5, flow(report, Flow::sun_to_home));
  EXPECT_DOUBLE_EQ(2, flow(report, Flow::sun_to_battery));
  EXPECT_DOUBLE_EQ(1.5, flow(report, Flow::sun_to_grid));
  EXPECT_DOUBLE_EQ(1, flow(report, Flow::battery_to_home));
  EXPECT_DOUBLE_EQ(2, flow(report, Flow::grid_to_home));
  EXPECT_DOUBLE_EQ(4.5, report.used.total);
  const json::object text = report_json(days.input, report, {"day", "EUR", {}});
  EXPECT_EQ(R"({"total":0.7,"before":null})", base::to_json(text.at("self_consumption")));
  EXPECT_EQ(R"({"total":0.555556,"before":null})", base::to_json(text.at("self_sufficiency")));
}

TEST(EnergyReport, FlowsOfAnHourAddUpToItsMeters) {
  const struct {
    Hour hour;
    std::array<double, kFlows> flows;  // in the order of Flow
  } cases[] = {
      {{.grid_in = 3}, {3, 0, 0, 0, 0, 0, 0}},
      {{.grid_in = 3, .battery_in = 2}, {1, 0, 0, 0, 0, 2, 0}},
      {{.grid_out = 4, .sun = 4}, {0, 0, 0, 0, 4, 0, 0}},
      {{.grid_out = 1, .battery_out = 1}, {0, 0, 0, 0, 0, 0, 1}},
      {{.grid_in = 1, .grid_out = 1, .sun = 2, .battery_in = 1}, {1, 0, 0, 1, 1, 0, 0}},
      // More goes out than comes in: a meter is late. The home used nothing.
      {{.grid_out = 2, .sun = 1}, {0, 0, 0, 0, 1, 0, 0}},
      {{.grid_in = -1}, {0, 0, 0, 0, 0, 0, 0}},
  };
  for (const auto& [hour, flows] : cases) {
    const auto found = flows_of(hour);
    for (std::size_t i = 0; i < kFlows; ++i)
      EXPECT_DOUBLE_EQ(flows[i], found[i]) << name_of(static_cast<Flow>(i)) << ' ' << hour.grid_in << hour.sun;
  }
}

TEST(EnergyReport, WhatNoDeviceExplainsIsTheRest) {
  Days days;
  days.meter(Role::grid_in, 1);
  days.device("sensor.kitchen", {10, 5});
  days.device("sensor.oven", {4, 1}, "sensor.kitchen");
  days.device("sensor.car", {6, 0});
  const Report report = report_of(days.input);
  EXPECT_EQ((std::vector{6.0, 4.0}), report.devices[0].values);  // without the oven
  EXPECT_DOUBLE_EQ(15, report.device_wholes[0]);
  EXPECT_EQ((std::vector{8.0, 19.0}), report.other.values);
  EXPECT_EQ(0, report.exceeded);
}

TEST(EnergyReport, DevicesThatExceedTheWholeAreTold) {
  Days days;
  days.meter(Role::grid_in, 0.5);
  days.device("sensor.heater", {10, 20});
  const Report report = report_of(days.input);
  EXPECT_EQ((std::vector{2.0, 0.0}), report.other.values);
  EXPECT_DOUBLE_EQ(8, report.exceeded);
  EXPECT_EQ(moment("2026-11-03T00:00Z"), report.exceeded_at);
}

TEST(EnergyReport, DevicesWithoutAMeterOfTheWholeExceedNothing) {
  Days days;
  days.device("sensor.heater", {10, 20});
  EXPECT_EQ(0, report_of(days.input).exceeded);
}

// The night on which clocks go back from 3 to 2 in Berlin; the cheap tariff ends at three o'clock, the second time.
TEST(EnergyReport, AnHourThatComesTwiceHasTwoPrices) {
  const base::Timestamp start = moment("2026-10-24T22:00Z"), end = moment("2026-10-25T23:00Z");
  Slots slots = Slots::of(start - 24h, end, 15min);
  ReportInput input{slots, 4, start, Slots::of(start, end, 1h), {}, {}};
  MeterInput& meter = input.meters.emplace_back();
  meter.meter.role = Role::grid_in;
  meter.gained.assign(slots.size(), 0.25);
  meter.price.emplace(slots.size(), 0.2);
  for (std::size_t slot = slots.first_from(moment("2026-10-25T01:00Z")); slot < slots.size(); ++slot)
    (*meter.price)[slot] = 0.4;
  const Report report = report_of(input);
  ASSERT_EQ(25u, report.cost.values.size());
  EXPECT_DOUBLE_EQ(0.2, report.cost.values[2]);  // 02:00 summer time
  EXPECT_DOUBLE_EQ(0.4, report.cost.values[3]);  // 02:00 winter time
  EXPECT_NEAR(3 * 0.2 + 22 * 0.4, report.cost.total, 1e-9);
  EXPECT_NEAR(24 * 0.2, report.cost.before, 1e-9);
}

}  // namespace
}  // namespace hearth::energy
