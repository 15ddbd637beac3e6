// SPDX-License-Identifier: Apache-2.0
#include "configured/in_force.h"

#include <gtest/gtest.h>

#include <vector>

namespace hearth::configured {
namespace {

struct TestPlan {
  std::string id, text;
  bool good = true;
};
using PlanPtr = std::shared_ptr<const TestPlan>;

const std::string& id_of(const TestPlan& plan) {
  return plan.id;
}
bool is_good(const TestPlan& plan) {
  return plan.good;
}
bool is_same(const TestPlan& known, const TestPlan& plan) {
  return known.text == plan.text && known.good == plan.good;
}

std::string done;  // by all units, since a test asked

class TestUnit {
 public:
  explicit TestUnit(PlanPtr plan) : plan_(std::move(plan)) { done += "+" + plan_->text + " "; }
  ~TestUnit() { done += "~" + plan_->text + " "; }
  TestUnit(const TestUnit&) = delete;
  TestUnit& operator=(const TestUnit&) = delete;

  const TestPlan& plan() const { return *plan_; }
  void withdraw() { done += "-" + plan_->text + " "; }

 private:
  PlanPtr plan_;
};

class ChangingUnit : public TestUnit {
 public:
  using TestUnit::TestUnit;
  void replace(const PlanPtr& plan) {
    done += "=" + plan->text + " ";
    now_ = plan;
  }
  const TestPlan& plan() const { return now_ ? *now_ : TestUnit::plan(); }

 private:
  PlanPtr now_;
};

template <class Unit>
struct Home {
  std::string apply(const std::vector<TestPlan>& plans, bool complete = true) {
    std::vector<PlanPtr> all;
    for (const TestPlan& plan : plans) all.push_back(std::make_shared<const TestPlan>(plan));
    done.clear();
    in_force.apply(all, complete,
                   [&](const PlanPtr& plan) { return plan->text == refused ? nullptr : std::make_unique<Unit>(plan); });
    return done;
  }

  std::string refused;
  InForce<Unit> in_force;
};

TEST(InForce, MakesUnitsInTheOrderOfThePlansAndLetsUnchangedOnesGoOn) {
  Home<TestUnit> home;
  EXPECT_EQ(home.apply({{"b", "b1"}, {"a", "a1"}}), "+b1 +a1 ");
  EXPECT_EQ(home.apply({{"a", "a1"}, {"b", "b1"}}), "");
  EXPECT_EQ(home.in_force.find("a")->plan().text, "a1");
  EXPECT_EQ(home.in_force.find("c"), nullptr);
}

TEST(InForce, WithdrawsFirstAndDestroysLast) {
  Home<TestUnit> home;
  home.apply({{"a", "a1"}, {"b", "b1"}});
  EXPECT_EQ(home.apply({{"a", "a2"}, {"b", "b1"}, {"c", "c1"}}), "-a1 +a2 +c1 ~a1 ");
  EXPECT_EQ(home.apply({{"a", "a2"}, {"d", "d1"}, {"c", "c1"}}), "-b1 +d1 ~b1 ");
}

TEST(InForce, ChangesInPlaceWhatCanChange) {
  Home<ChangingUnit> home;
  home.apply({{"a", "a1"}, {"b", "b1"}});
  EXPECT_EQ(home.apply({{"b", "b1"}, {"a", "a2"}}), "=a2 ");
  EXPECT_EQ(home.apply({{"a", "a2"}}), "-b1 ~b1 ");
}

TEST(InForce, LeavesTheLastGoodPlanInForceForABrokenOne) {
  Home<TestUnit> home;
  home.apply({{"a", "a1"}});
  EXPECT_EQ(home.apply({{"a", "broken", false}}), "");
  EXPECT_EQ(home.in_force.find("a")->plan().text, "a1");
  EXPECT_EQ(home.apply({{"b", "broken", false}}), "-a1 +broken ~a1 ");
  EXPECT_EQ(home.apply({{"b", "broken again", false}}), "-broken +broken again ~broken ");
  EXPECT_EQ(home.apply({{"b", "b1"}}), "-broken again +b1 ~broken again ");
}

TEST(InForce, KeepsUnnamedUnitsUnlessThePlansAreComplete) {
  Home<TestUnit> home;
  home.apply({{"a", "a1"}, {"b", "b1"}});
  EXPECT_EQ(home.apply({{"b", "b2"}}, false), "-b1 +b2 ~b1 ");
  EXPECT_NE(home.in_force.find("a"), nullptr);
  EXPECT_EQ(home.apply({{"b", "b2"}}), "-a1 ~a1 ");
}

TEST(InForce, TriesAgainWhatCouldNotBeAdded) {
  Home<TestUnit> home;
  home.refused = "a1";
  EXPECT_EQ(home.apply({{"a", "a1"}}), "");
  EXPECT_EQ(home.in_force.find("a"), nullptr);
  home.refused.clear();
  EXPECT_EQ(home.apply({{"a", "a1"}}), "+a1 ");
}

}  // namespace
}  // namespace hearth::configured
