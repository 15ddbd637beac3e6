// SPDX-License-Identifier: Apache-2.0
#include "core/entity_filter.h"

#include <gtest/gtest.h>

namespace hearth::core {
namespace {

TEST(EntityFilter, WantsAllWhereItHasNoRule) {
  EXPECT_TRUE(EntityFilter{}.all());
  EXPECT_TRUE(EntityFilter{}.matches("light.kitchen"));
}

TEST(EntityFilter, WantsOnlyWhatIsIncludedWhereSomethingIs) {
  const EntityFilter filter{.include = {.entity_ids = {"lock.door"}, .domains = {"light"}, .globs = {"sensor.k*"}},
                            .exclude = {}};
  EXPECT_TRUE(filter.matches("lock.door"));
  EXPECT_TRUE(filter.matches("light.hall"));
  EXPECT_TRUE(filter.matches("sensor.kitchen"));
  EXPECT_FALSE(filter.matches("sensor.hall"));
  EXPECT_FALSE(filter.matches("lock.gate"));
}

TEST(EntityFilter, WantsTheRestWhereOnlyExcludesAreGiven) {
  const EntityFilter filter{.include = {},
                            .exclude = {.entity_ids = {"lock.door"}, .domains = {"light"}, .globs = {"sensor.k*"}}};
  EXPECT_FALSE(filter.matches("lock.door"));
  EXPECT_FALSE(filter.matches("light.hall"));
  EXPECT_FALSE(filter.matches("sensor.kitchen"));
  EXPECT_TRUE(filter.matches("sensor.hall"));
}

TEST(EntityFilter, LetsTheNarrowerRuleWin) {
  const EntityFilter filter{.include = {.entity_ids = {"light.hall"}, .domains = {"sensor"}, .globs = {"light.a*"}},
                            .exclude = {.entity_ids = {"light.attic"}, .domains = {"light"}, .globs = {"sensor.x_*"}}};
  EXPECT_TRUE(filter.matches("light.hall"));
  EXPECT_FALSE(filter.matches("light.attic"));
  EXPECT_TRUE(filter.matches("light.annex"));
  EXPECT_FALSE(filter.matches("light.kitchen"));
  EXPECT_FALSE(filter.matches("sensor.x_1"));
  EXPECT_TRUE(filter.matches("sensor.y_1"));
  EXPECT_FALSE(filter.matches("lock.door"));
}

}  // namespace
}  // namespace hearth::core
