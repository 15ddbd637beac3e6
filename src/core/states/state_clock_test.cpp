// SPDX-License-Identifier: Apache-2.0
// The times of states while somebody sets the clock.
#include <gtest/gtest.h>

#include "core/states/state_machine.h"

namespace hearth::core {
namespace {

using std::chrono::seconds;

constexpr auto kNineYears = std::chrono::hours(24 * 365 * 9);

struct StateClock : testing::Test {
  StatePtr set(std::string_view value, std::string_view attributes = "{}") {
    const auto id = EntityId::parse("light.kitchen").value();
    return states.set(id, {value, attributes, Context{"A", {}, {}}}).value().state;
  }

  base::ManualClock clock;
  EventBus bus{clock};
  StateMachine states{bus};
};

TEST_F(StateClock, DoesNotGoBackToAnEarlierTimeUpToAnHour) {
  const base::Timestamp start = clock.now();
  clock.set(start + StateMachine::kWrongClock);
  set("1");
  clock.set(start);
  EXPECT_EQ(set("2")->last_updated(), start + StateMachine::kWrongClock);
}

TEST_F(StateClock, GoesBackFromATimeThatAWrongClockGave) {
  const base::Timestamp start = clock.now();
  clock.set(start + kNineYears);
  set("1", R"({"a":1})");
  clock.set(start);
  const auto same_value = set("1", R"({"a":2})");
  EXPECT_EQ(same_value->last_updated(), start);
  EXPECT_EQ(same_value->last_changed(), start);
  clock.advance(seconds(5));
  EXPECT_EQ(set("2")->last_changed(), start + seconds(5));
}

TEST_F(StateClock, GoesBackFromTheTimeOfARemovalByAWrongClock) {
  const base::Timestamp start = clock.now();
  set("0");
  clock.set(start + kNineYears);
  set("1");
  states.remove("light.kitchen", {}).value();
  clock.set(start);
  EXPECT_EQ(set("2")->last_updated(), start);
  // Not earlier than those removed since.
  clock.advance(seconds(60));
  set("3");
  states.remove("light.kitchen", {}).value();
  clock.set(start);
  EXPECT_EQ(set("4")->last_updated(), start + seconds(60));
}

}  // namespace
}  // namespace hearth::core
