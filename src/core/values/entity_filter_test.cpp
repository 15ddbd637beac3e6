// SPDX-License-Identifier: Apache-2.0
#include "core/values/entity_filter.h"

#include <gtest/gtest.h>

namespace hearth::core {
namespace {

TEST(EntityFilter, IncludesAllIfItHasNoRule) {
  EXPECT_TRUE(EntityFilter{}.all());
  EXPECT_TRUE(EntityFilter{}.matches("light.kitchen"));
}

TEST(EntityFilter, IncludesOnlyWhatIsNamedIfSomethingIs) {
  const EntityFilter filter{.include = {{"lock.door"}, {"light"}, {"sensor.k*"}}, .exclude = {}};
  EXPECT_TRUE(filter.matches("lock.door"));
  EXPECT_TRUE(filter.matches("light.hall"));
  EXPECT_TRUE(filter.matches("sensor.kitchen"));
  EXPECT_FALSE(filter.matches("sensor.hall"));
  EXPECT_FALSE(filter.matches("lock.gate"));
}

TEST(EntityFilter, IncludesTheRestIfOnlyExcludesAreGiven) {
  const EntityFilter filter{.include = {}, .exclude = {{"lock.door"}, {"light"}, {"sensor.k*"}}};
  EXPECT_FALSE(filter.matches("lock.door"));
  EXPECT_FALSE(filter.matches("light.hall"));
  EXPECT_FALSE(filter.matches("sensor.kitchen"));
  EXPECT_TRUE(filter.matches("sensor.hall"));
}

TEST(EntityFilter, LetsTheMoreSpecificRuleWin) {
  const EntityFilter filter{.include = {{"light.hall"}, {"sensor"}, {"light.a*"}},
                            .exclude = {{"light.attic"}, {"light"}, {"sensor.x_*"}}};
  EXPECT_TRUE(filter.matches("light.hall"));
  EXPECT_FALSE(filter.matches("light.attic"));
  EXPECT_TRUE(filter.matches("light.annex"));
  EXPECT_FALSE(filter.matches("light.kitchen"));
  EXPECT_FALSE(filter.matches("sensor.x_1"));
  EXPECT_TRUE(filter.matches("sensor.y_1"));
  EXPECT_FALSE(filter.matches("lock.door"));
}

TEST(EntityFilter, CountsDuplicatesOnce) {
  Limits limits;
  limits.filter_entries = 2;
  const std::vector<std::string> thrice(3, "light.a");
  const auto rule = EntityFilter::Rule::create(thrice, {"lock", "lock", "cover"}, {}, limits);
  ASSERT_TRUE(rule);
  EXPECT_TRUE(rule->names("light.a"));
  EXPECT_TRUE(rule->names("cover.x"));
}

TEST(EntityFilter, RefusesMoreThanALimitAndNamesIt) {
  using Texts = std::vector<std::string>;
  Limits limits;
  limits.filter_entries = 2;
  limits.filter_globs = 2;
  const auto error = [&](const Texts& ids, const Texts& domains, const Texts& globs) {
    const auto rule = EntityFilter::Rule::create(ids, domains, globs, limits);
    return rule ? "none" : rule.error().message;
  };
  const Texts three{"a", "b", "c"};
  EXPECT_EQ(error(three, {}, {}), "entities: 3 are named, and 2 are the limit (filter_entries).");
  EXPECT_EQ(error({}, three, {}), "domains: 3 are named, and 2 are the limit (filter_entries).");
  EXPECT_EQ(error({}, {}, three), "entity_globs: 3 patterns, and 2 are the limit (filter_globs).");
  EXPECT_EQ(error({}, {}, {std::string(256, 'a')}), "A pattern of 256 bytes; 255 are the limit (glob_length).");
  EXPECT_EQ(error({}, {}, {"*a*b*c*d*e*f*g*h*"}), "A pattern with 9 stars; 8 are the limit (glob_stars).");
  EXPECT_EQ(error({}, {}, {"*a*b*c*d*e*f*g*h", std::string(255, 'a')}), "none");
}

TEST(EntityFilter, RemovesDuplicatesAndKeepsTheOrder) {
  std::vector<std::string> texts{"b", "a",
                                 "b", "c",
                                 "a", "a rather long text that stands by itself",
                                 "c", "a rather long text that stands by itself"};
  make_unique_in_order(texts);
  EXPECT_EQ(texts, (std::vector<std::string>{"b", "a", "c", "a rather long text that stands by itself"}));
}

}  // namespace
}  // namespace hearth::core
