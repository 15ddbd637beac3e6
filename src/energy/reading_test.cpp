// SPDX-License-Identifier: Apache-2.0
#include "energy/reading.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/text/timestamp.h"

namespace hearth::energy {
namespace {

using namespace std::chrono_literals;

const base::Timestamp kStart = base::parse_timestamp("2026-11-01T00:00Z").value();

recorder::Statistics row(base::Duration after, double state, double sum, base::Duration covered = 15min) {
  recorder::Statistics made;
  made.start = kStart + after;
  made.covered = covered;
  made.state = state;
  made.sum = sum;
  made.total = true;
  return made;
}

recorder::Statistics price(base::Duration after, double mean, base::Duration covered) {
  recorder::Statistics made;
  made.start = kStart + after;
  made.covered = covered;
  made.mean = mean;
  return made;
}

double all(const MeterReading& reading) {
  return std::accumulate(reading.gained().begin(), reading.gained().end(), 0.0);
}

TEST(MeterReading, WhatWasGainedBeforeTheSlotsIsNotTheirs) {
  const Slots slots = Slots::of(kStart, kStart + 1h, 15min);
  MeterReading reading(slots, 0.001);
  reading.begin(1'000);
  reading.add(row(-15min, 6'500, 1'500));
  reading.add(row(0min, 7'000, 2'000));
  reading.add(row(30min, 7'250, 2'250));
  reading.add(row(1h, 9'000, 4'000));
  EXPECT_EQ((std::vector{0.5, 0.0, 0.25, 0.0}), reading.gained());
  EXPECT_EQ(0u, reading.resets().count + reading.backwards().count);
}

TEST(MeterReading, AnImportedHourIsSpreadOverItsQuarters) {
  const Slots slots = Slots::of(kStart, kStart + 2h, 15min);
  MeterReading reading(slots, 1);
  reading.begin(10);
  reading.add(row(0min, std::nan(""), 14, 1h));
  reading.add(row(1h, std::nan(""), 14, 1h));
  EXPECT_EQ((std::vector{1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0}), reading.gained());
}

TEST(MeterReading, AMeterThatWasReplacedCountsOnAndIsTold) {
  const Slots slots = Slots::of(kStart, kStart + 1h, 15min);
  MeterReading reading(slots, 1);
  reading.begin(0);
  reading.add(row(0min, 5'000, 1));
  reading.add(row(15min, 0.5, 1.5));  // of total_increasing, as the recorder has it
  reading.add(row(30min, 1, 2));
  EXPECT_DOUBLE_EQ(2, all(reading));
  EXPECT_EQ(1u, reading.resets().count);
  EXPECT_EQ(kStart + 15min, reading.resets().at);
  EXPECT_EQ(0u, reading.backwards().count);
}

TEST(MeterReading, ATotalThatFallsToNothingWasReplacedToo) {
  const Slots slots = Slots::of(kStart, kStart + 1h, 15min);
  MeterReading reading(slots, 1);
  reading.begin(0);
  reading.add(row(0min, 5'000, 1));
  reading.add(row(15min, 0.5, 1 - 4'999.5));  // of total without last_reset: the recorder takes it for a loss
  reading.add(row(30min, 2, 1 - 4'998));
  EXPECT_DOUBLE_EQ(1 + 0.5 + 1.5, all(reading));
  EXPECT_EQ(1u, reading.resets().count);
}

TEST(MeterReading, AMeterThatGoesBackwardsTakesBackAndIsTold) {
  const Slots slots = Slots::of(kStart, kStart + 1h, 15min);
  MeterReading reading(slots, 1);
  reading.begin(0);
  reading.add(row(0min, 100, 4));
  reading.add(row(15min, 98, 2));
  reading.add(row(30min, 97, 1));
  EXPECT_DOUBLE_EQ(1, all(reading));
  EXPECT_EQ(2u, reading.backwards().count);
  EXPECT_DOUBLE_EQ(3, reading.backwards().amount);
}

TEST(MeterReading, WhatWasOddBeforeIsNotNoted) {
  const Slots slots = Slots::of(kStart, kStart + 1h, 15min);
  MeterReading reading(slots, 1, kStart + 30min);
  reading.begin(10);
  reading.add(row(0min, 100, 4));
  reading.add(row(15min, 98, 2));
  reading.add(row(30min, 50, 3));
  EXPECT_EQ(0u, reading.backwards().count);
  EXPECT_EQ(1u, reading.resets().count);
}

TEST(PriceReading, IsTheMeanOverTheTimeThatItWasKnown) {
  const Slots slots = Slots::of(kStart, kStart + 1h, 15min);
  PriceReading reading(slots);
  reading.add(price(0min, 20, 15min));
  reading.add(price(15min, 30, 5min));
  const auto prices = reading.prices(0.01);
  EXPECT_DOUBLE_EQ(0.2, prices[0]);
  EXPECT_DOUBLE_EQ(0.3, prices[1]);
  EXPECT_TRUE(std::isnan(prices[2]));
}

TEST(PriceReading, HoldsWhatChangesSay) {
  const Slots slots = Slots::of(kStart, kStart + 1h, 15min);
  PriceReading reading(slots);
  reading.hold(kStart - 1h, kStart + 20min, 1);
  reading.hold(kStart + 20min, kStart + 45min, 4);
  const auto prices = reading.prices(1);
  EXPECT_DOUBLE_EQ(1, prices[0]);
  EXPECT_DOUBLE_EQ((5 * 1 + 10 * 4) / 15.0, prices[1]);
  EXPECT_DOUBLE_EQ(4, prices[2]);
  EXPECT_TRUE(std::isnan(prices[3]));
}

TEST(PriceReading, AnImportedHourIsThePriceOfItsQuarters) {
  const Slots slots = Slots::of(kStart, kStart + 1h, 15min);
  PriceReading reading(slots);
  reading.add(price(0min, 7, 1h));
  EXPECT_EQ((std::vector{7.0, 7.0, 7.0, 7.0}), reading.prices(1));
}

}  // namespace
}  // namespace hearth::energy
