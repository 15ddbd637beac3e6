// SPDX-License-Identifier: Apache-2.0
#include "energy/cost_count.h"

#include <gtest/gtest.h>

namespace hearth::energy {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kCountsUp = R"({"state_class":"total_increasing","unit_of_measurement":"kWh"})";

class CostCountTest : public testing::Test {
 protected:
  bool take(std::string_view value, std::optional<CostCount::PriceNow> price, std::string_view attributes = kCountsUp) {
    now_ += 1min;
    recorder::Change change;
    change.updated = change.changed = now_;
    change.value = value;
    change.attributes = attributes;
    return count_.take(change, role_, price);
  }

  Role role_ = Role::grid_in;
  base::Timestamp now_{std::chrono::sys_days(std::chrono::year(2026) / 11 / 30)};
  CostCount count_;
};

TEST_F(CostCountTest, EachGainHasThePriceOfItsMoment) {
  EXPECT_FALSE(count_.cost());
  EXPECT_FALSE(take("unavailable", {{0.3, ""}}));
  EXPECT_TRUE(take("100", {{0.3, ""}}));
  EXPECT_EQ(0, *count_.cost());
  EXPECT_EQ(now_, count_.since());
  take("110", {{0.3, ""}});
  EXPECT_DOUBLE_EQ(3, *count_.cost());
  take("112", {{40, "ct/kWh"}});
  EXPECT_DOUBLE_EQ(3.8, *count_.cost());
  take("113", {{200, "EUR/MWh"}});
  EXPECT_DOUBLE_EQ(4, *count_.cost());
  EXPECT_EQ("113", count_.reading());
}

TEST_F(CostCountTest, AMeterThatBeginsAnewCountsOn) {
  take("100", {{1, ""}});
  take("unavailable", {{1, ""}});
  take("101", {{1, ""}});
  take("0.5", {{1, ""}});
  EXPECT_DOUBLE_EQ(1.5, *count_.cost());
  take("0.4999", {{1, ""}});  // is inaccuracy, and counts as in the statistics
  EXPECT_DOUBLE_EQ(1.4999, *count_.cost());
}

TEST_F(CostCountTest, UnitsFit) {
  take("1000", {{0.3, ""}}, R"({"state_class":"total","unit_of_measurement":"Wh"})");
  take("3000", {{0.3, ""}}, R"({"state_class":"total","unit_of_measurement":"Wh"})");
  EXPECT_DOUBLE_EQ(0.6, *count_.cost());
  take("4", {{0.3, ""}}, R"({"state_class":"total","unit_of_measurement":"kWh"})");
  EXPECT_DOUBLE_EQ(0.9, *count_.cost());
  role_ = Role::gas;
  count_ = CostCount();
  take("1", {{0.1, "EUR/kWh"}}, R"({"state_class":"total","unit_of_measurement":"m³"})");
  take("2", {{1.1, "EUR/m³"}}, R"({"state_class":"total","unit_of_measurement":"m³"})");
  EXPECT_DOUBLE_EQ(1.1, *count_.cost());
}

TEST_F(CostCountTest, APriceIsWaitedForBriefly) {
  take("0", {{1, ""}});
  EXPECT_FALSE(take("2", {}));
  take("3", {{1, ""}});
  EXPECT_DOUBLE_EQ(3, *count_.cost());
  take("4", {});
  now_ += 15min;
  EXPECT_TRUE(take("5", {}));
  take("6", {{1, ""}});
  EXPECT_DOUBLE_EQ(4, *count_.cost());
}

TEST_F(CostCountTest, GoesOnAfterARestart) {
  const base::Timestamp since = now_ - 24h;
  count_.restore(12.5, since, "100");
  take("102", {{1, ""}});
  EXPECT_DOUBLE_EQ(14.5, *count_.cost());
  EXPECT_EQ(since, count_.since());
}

TEST_F(CostCountTest, WhatMeasuresIsNoMeter) {
  EXPECT_FALSE(take("5", {{1, ""}}, R"({"state_class":"measurement","unit_of_measurement":"kWh"})"));
  EXPECT_FALSE(take("5", {{1, ""}}, "{}"));
  EXPECT_FALSE(count_.cost());
}

}  // namespace
}  // namespace hearth::energy
