// SPDX-License-Identifier: Apache-2.0
#include "configured/section.h"

#include <gtest/gtest.h>

namespace hearth::configured {
namespace {

struct FaultyPlan {
  std::string error;
};

TEST(Section, NamesTheErrorsOfItsPartsAndOfItsPlans) {
  Section<std::shared_ptr<const FaultyPlan>> section;
  section.plans = {std::make_shared<const FaultyPlan>(FaultyPlan{"one"}), std::make_shared<const FaultyPlan>()};
  section.lose("f.yaml:1: a part");
  EXPECT_FALSE(section.complete);
  EXPECT_EQ(errors_of(section), (std::vector<std::string>{"f.yaml:1: a part", "one"}));
  const std::vector<FaultyPlan> values{{"two"}};
  EXPECT_EQ(errors_of(section, section.plans, values), (std::vector<std::string>{"f.yaml:1: a part", "one", "two"}));
}

TEST(Section, AFaultIsTheSameAsLongAsItsPlaceIs) {
  Section<FaultyPlan> section;
  section.lose("f.yaml:1: is no list");
  const auto first = report(section, "test");
  section.faults = {"f.yaml:1: is something else"};
  const auto second = report(section, "test");
  EXPECT_EQ(first.at(0).id, "configuration f.yaml:1");
  EXPECT_EQ(first.at(0).id, second.at(0).id);
  EXPECT_EQ(second.at(0).error, "f.yaml:1: is something else");
}

}  // namespace
}  // namespace hearth::configured
