// SPDX-License-Identifier: Apache-2.0
#include "core/states/state_machine.h"

#include <gtest/gtest.h>

namespace hearth::core {
namespace {

using std::chrono::seconds;
using Outcome = StateMachine::Outcome;

const EntityId kLamp = *EntityId::parse("light.kitchen");

struct StateMachineTest : testing::Test {
  StateMachine::Written set(std::string_view value, std::string_view attributes = "{}", bool force_update = false) {
    return *states.set(kLamp, {value, attributes, Context::create(clock.now(), "someone"), force_update});
  }
  // The events since the last call.
  std::vector<Event> events() {
    seen.clear();
    bus.run_pending();
    return seen;
  }

  base::ManualClock clock;
  EventBus bus{clock};
  StateMachine states{bus};
  std::vector<Event> seen;
  Subscription all = bus.listen("*", [this](const Event& event) { seen.push_back(event); });
};

TEST_F(StateMachineTest, CreatesAnEntityWithItsFirstState) {
  const Context context = Context::create(clock.now(), "someone");
  const auto written = states.set(kLamp, {"on", R"({"brightness":120})", context});
  ASSERT_TRUE(written);
  EXPECT_EQ(written->outcome, Outcome::created);
  EXPECT_EQ(written->state->value(), "on");
  EXPECT_EQ(written->state->attributes_json(), R"({"brightness":120})");
  EXPECT_EQ(written->state->last_changed(), clock.now());
  EXPECT_EQ(written->state->last_updated(), clock.now());
  EXPECT_EQ(written->state->context(), context);
  EXPECT_EQ(states.find("light.kitchen"), written->state);
  EXPECT_EQ(states.snapshot()->size(), 1u);
}

TEST_F(StateMachineTest, FiresStateChangedWithBothStates) {
  const auto first = set("on").state;
  const auto second = set("off").state;
  const auto fired = events();
  ASSERT_EQ(fired.size(), 2u);
  EXPECT_EQ(fired[0].type, "state_changed");
  EXPECT_FALSE(fired[0].state_change()->old_state);
  EXPECT_EQ(fired[0].state_change()->new_state, first);
  EXPECT_EQ(fired[1].state_change()->old_state, first);
  EXPECT_EQ(fired[1].state_change()->new_state, second);
  EXPECT_EQ(fired[1].origin, Origin::local);
  EXPECT_EQ(fired[1].context, second->context());
  EXPECT_EQ(fired[1].time_fired, second->last_updated());
}

TEST_F(StateMachineTest, ChangesBothTimesWithTheValue) {
  set("on");
  clock.advance(seconds(1));
  const auto written = set("off");
  EXPECT_EQ(written.outcome, Outcome::changed);
  EXPECT_EQ(written.state->last_changed(), clock.now());
  EXPECT_EQ(written.state->last_updated(), clock.now());
}

TEST_F(StateMachineTest, KeepsLastChangedWhenOnlyAttributesChange) {
  const auto first = set("on", R"({"brightness":1})").state;
  clock.advance(seconds(1));
  const auto written = set("on", R"({"brightness":2})");
  EXPECT_EQ(written.outcome, Outcome::changed);
  EXPECT_EQ(written.state->last_changed(), first->last_changed());
  EXPECT_EQ(written.state->last_updated(), clock.now());
  EXPECT_EQ(events().size(), 2u);
}

TEST_F(StateMachineTest, ReplacesAttributesAndNeverMergesThem) {
  set("on", R"({"brightness":1,"name":"Lamp"})");
  EXPECT_EQ(set("on", R"({"color":"red"})").state->attributes_json(), R"({"color":"red"})");
}

TEST_F(StateMachineTest, LeavesTheStoredObjectWhenNothingDiffers) {
  const auto first = set("on", R"({"a":1})").state;
  const auto sequence = states.snapshot()->sequence();
  events();
  clock.advance(seconds(1));
  const auto written = set("on", R"({"a":1})");
  EXPECT_EQ(written.outcome, Outcome::unchanged);
  EXPECT_EQ(written.state, first);
  EXPECT_EQ(states.find("light.kitchen"), first);
  EXPECT_EQ(states.snapshot()->sequence(), sequence);
  EXPECT_TRUE(events().empty());
}

TEST_F(StateMachineTest, ReportsAnUnchangedStateOnlyToAListenerByName) {
  std::vector<Event> reported;
  const auto listener = bus.listen("state_reported", [&](const Event& event) { reported.push_back(event); });
  const auto first = set("on").state;
  events();
  clock.advance(seconds(1));
  const Context context = Context::create(clock.now());
  states.set(kLamp, {"on", "{}", context}).value();
  EXPECT_TRUE(events().empty());
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported[0].state_change()->new_state, first);
  EXPECT_EQ(reported[0].context, context);
  EXPECT_EQ(reported[0].time_fired, clock.now());
}

TEST_F(StateMachineTest, TreatsAttributesInAnotherOrderOfKeysAsEqual) {
  const auto first = set("on", R"({"a":1,"b":{"x":[1,2],"y":null}})").state;
  EXPECT_EQ(set("on", R"({"b":{"y":null,"x":[1,2]},"a":1})").state, first);
}

TEST_F(StateMachineTest, DistinguishesAttributesOfTheSameLettersOrOtherNumbers) {
  const std::pair<const char*, const char*> different[] = {{R"({"a":12})", R"({"a":21})"},
                                                           {R"({"a":1,"b":2})", R"({"a":2,"b":1})"},
                                                           {R"({"a":[1,2]})", R"({"a":[2,1]})"},
                                                           {R"({"a":1})", R"({"a":1.0})"},
                                                           {R"({"a":"1"})", R"({"a":1})"},
                                                           {R"({"a":null})", R"({})"},
                                                           {R"({"a":true})", R"({"a":1})"},
                                                           {R"({"ab":"c"})", R"({"a":"bc"})"},
                                                           {R"({"a":9007199254740993})", R"({"a":9007199254740992})"}};
  for (const auto& [one, other] : different) {
    set("on", one);
    EXPECT_EQ(set("on", other).outcome, Outcome::changed) << one << other;
  }
}

TEST_F(StateMachineTest, ForcesAnEventAndNewTimesEvenIfNothingDiffers) {
  set("on", R"({"a":1})");
  events();
  clock.advance(seconds(1));
  const auto written = set("on", R"({"a":1})", true);
  EXPECT_EQ(written.outcome, Outcome::changed);
  EXPECT_EQ(written.state->last_changed(), clock.now());
  EXPECT_EQ(written.state->last_updated(), clock.now());
  EXPECT_EQ(events().size(), 1u);
}

TEST_F(StateMachineTest, NeverSetsLastUpdatedBackWhenTheClockStepsBack) {
  const auto first = set("1").state;
  clock.set(clock.now() - seconds(3600));
  for (const char* value : {"2", "3"}) {
    const auto next = set(value).state;
    EXPECT_GE(next->last_updated(), first->last_updated());
    EXPECT_GE(next->last_changed(), first->last_changed());
  }
  EXPECT_GE(set("3", "{}", true).state->last_updated(), first->last_updated());
  clock.set(first->last_updated() + seconds(1));
  EXPECT_EQ(set("4").state->last_updated(), clock.now());
}

TEST_F(StateMachineTest, NeverSetsLastUpdatedBackWhenAnEntityComesBack) {
  const base::Timestamp before = set("1").state->last_updated();
  ASSERT_TRUE(states.remove(kLamp.str(), Context{"A", {}, {}}));
  clock.set(clock.now() - seconds(3600));
  EXPECT_GE(set("1").state->last_updated(), before);
}

TEST_F(StateMachineTest, NeverSetsLastUpdatedBackAfterARestoredState) {
  const base::Timestamp later = clock.now() + seconds(3600);
  states.restore({State::create(kLamp, "on", "{}", {later, later}, Context{"A", {}, {}})});
  EXPECT_EQ(set("off").state->last_updated(), later);
}

TEST_F(StateMachineTest, RefusesAValueOver255CodePointsNotBytes) {
  std::string longest;
  for (int i = 0; i < 255; ++i) longest += "€";
  EXPECT_TRUE(states.set(kLamp, {longest, "{}", Context{"A", {}, {}}}));
  const auto refused = states.set(kLamp, {longest + "€", "{}", Context{"A", {}, {}}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::invalid);
  EXPECT_EQ(refused.error().message, "Invalid state specified.");
  EXPECT_EQ(states.find("light.kitchen")->value(), longest);
}

TEST_F(StateMachineTest, RefusesAValueThatIsNotUtf8) {
  EXPECT_FALSE(states.set(kLamp, {"\xFF", "{}", Context{"A", {}, {}}}));
  EXPECT_FALSE(states.find("light.kitchen"));
  EXPECT_TRUE(events().empty());
}

TEST_F(StateMachineTest, RemovesAnEntityAndFiresItWithoutANewState) {
  const auto last = set("on").state;
  events();
  const Context context = Context::create(clock.now());
  const auto removed = states.remove("light.kitchen", context);
  ASSERT_TRUE(removed);
  EXPECT_EQ(*removed, last);
  EXPECT_FALSE(states.find("light.kitchen"));
  EXPECT_EQ(states.snapshot()->size(), 0u);
  const auto fired = events();
  ASSERT_EQ(fired.size(), 1u);
  EXPECT_EQ(fired[0].type, "state_changed");
  EXPECT_EQ(fired[0].state_change()->old_state, last);
  EXPECT_FALSE(fired[0].state_change()->new_state);
  EXPECT_EQ(fired[0].context, context);
}

TEST_F(StateMachineTest, DoesNotFindAnUnknownEntityToRemove) {
  const auto removed = states.remove("light.none", Context{"A", {}, {}});
  ASSERT_FALSE(removed);
  EXPECT_EQ(removed.error().code, base::ErrorCode::not_found);
  EXPECT_EQ(removed.error().message, "Entity not found.");
  EXPECT_TRUE(events().empty());
}

TEST_F(StateMachineTest, CreatesAgainWhatWasRemoved) {
  set("on");
  states.remove("light.kitchen", Context{"A", {}, {}}).value();
  clock.advance(seconds(1));
  const auto written = set("on");
  EXPECT_EQ(written.outcome, Outcome::created);
  EXPECT_EQ(written.state->last_changed(), clock.now());
}

TEST_F(StateMachineTest, RestoresWithoutAnEventAndWithTheOldTimes) {
  const base::Timestamp before = clock.now() - seconds(3600);
  const auto old = State::create(kLamp, "on", "{}", {before, before}, Context{"A", {}, {}});
  states.restore({old});
  EXPECT_EQ(states.find("light.kitchen"), old);
  EXPECT_EQ(states.snapshot()->sequence(), 0u);
  EXPECT_TRUE(events().empty());
  EXPECT_EQ(set("on").outcome, Outcome::unchanged);
}

TEST_F(StateMachineTest, DoesNotRestoreOverAStateThatIsThere) {
  const auto now = set("on").state;
  states.restore({State::create(kLamp, "off", "{}", {}, Context{"A", {}, {}})});
  EXPECT_EQ(states.find("light.kitchen"), now);
}

class AwaitedStates : public StateMachineTest {
 protected:
  void restore(std::string_view attributes = R"({"brightness":1})") {
    const base::Timestamp before = clock.now() - seconds(3600);
    old_ = State::create(kLamp, "on", attributes, {before, before}, Context{"A", {}, {}});
    states.restore({old_}, [](const State& state) { return state.domain() == "light"; });
  }
  std::string attributes() const { return std::string(states.find("light.kitchen")->attributes_json()); }

  StatePtr old_;
};

TEST_F(AwaitedStates, AreMarked) {
  restore();
  const auto marked = states.find("light.kitchen");
  EXPECT_EQ(marked->attributes_json(), R"({"brightness":1,"restored":true})");
  EXPECT_EQ(marked->value(), "on");
  EXPECT_EQ(marked->last_changed(), old_->last_changed());
  EXPECT_EQ(marked->last_updated(), old_->last_updated());
  EXPECT_EQ(marked->context(), old_->context());
}

TEST_F(AwaitedStates, AreMarkedWithoutOtherAttributes) {
  restore("{}");
  EXPECT_EQ(attributes(), R"({"restored":true})");
}

TEST_F(AwaitedStates, KeepAnAttributeOfThatName) {
  restore(R"({"restored":"1890"})");
  EXPECT_EQ(attributes(), R"({"restored":"1890"})");
}

TEST_F(AwaitedStates, OthersAreNotMarked) {
  states.restore({State::create(kLamp, "on", "{}", {}, Context{"A", {}, {}})}, [](const State&) { return false; });
  EXPECT_EQ(attributes(), "{}");
}

TEST_F(AwaitedStates, AnEqualReportRemovesTheMarkAndChangesNothingElse) {
  std::vector<Event> confirmed;
  const auto listener = bus.listen("state_confirmed", [&](const Event& event) { confirmed.push_back(event); });
  restore();
  const auto marked = states.find("light.kitchen");
  const auto written = set("on", R"({"brightness":1})");
  EXPECT_EQ(written.outcome, Outcome::unchanged);
  EXPECT_EQ(written.state, old_);
  EXPECT_EQ(states.find("light.kitchen"), old_);
  EXPECT_EQ(states.snapshot()->sequence(), 1u);
  EXPECT_TRUE(events().empty());
  ASSERT_EQ(confirmed.size(), 1u);
  EXPECT_EQ(confirmed[0].state_change()->old_state, marked);
  EXPECT_EQ(confirmed[0].state_change()->new_state, old_);
  set("on", R"({"brightness":1})");
  bus.run_pending();
  EXPECT_EQ(confirmed.size(), 1u);
}

TEST_F(AwaitedStates, AnyOtherReportIsAnOrdinaryChange) {
  restore();
  EXPECT_EQ(set("on", R"({"brightness":2})").outcome, Outcome::changed);
  EXPECT_EQ(events().size(), 1u);
  EXPECT_EQ(states.find("light.kitchen")->last_changed(), old_->last_changed());
  // It is not awaited any more.
  EXPECT_EQ(set("on", R"({"brightness":1})").outcome, Outcome::changed);
  EXPECT_EQ(states.find("light.kitchen")->last_updated(), clock.now());
}

TEST_F(AwaitedStates, ForcedReportIsAChange) {
  restore();
  EXPECT_EQ(set("on", R"({"brightness":1})", true).outcome, Outcome::changed);
  EXPECT_EQ(states.find("light.kitchen")->last_changed(), clock.now());
}

TEST_F(AwaitedStates, AnEntityThatIsRemovedIsNotAwaitedAnyMore) {
  restore();
  states.remove("light.kitchen", {}).value();
  EXPECT_EQ(set("on", R"({"brightness":1})").outcome, Outcome::created);
  EXPECT_EQ(states.find("light.kitchen")->last_changed(), clock.now());
}

TEST_F(AwaitedStates, AnEntityThatHasAStateIsNotAwaited) {
  const auto now = set("off").state;
  restore();
  EXPECT_EQ(states.find("light.kitchen"), now);
  EXPECT_EQ(set("on", R"({"brightness":1})").outcome, Outcome::changed);
}

TEST_F(StateMachineTest, ShowsAListenerTheStateOfItsEventInTheNextSnapshot) {
  int seen_there = 0;
  const auto listener = bus.listen("state_changed", [&](const Event& event) {
    const auto snapshot = states.snapshot();
    EXPECT_GE(snapshot->sequence(), event.sequence);
    EXPECT_EQ(snapshot->find("light.kitchen"), event.state_change()->new_state);
    ++seen_there;
  });
  for (const char* value : {"1", "2", "3"}) {
    set(value);
    bus.run_pending();
  }
  EXPECT_EQ(seen_there, 3);
}

TEST_F(StateMachineTest, KeepsNoOldStateForAThreadThatOnlyWritesFromNowOn) {
  std::weak_ptr<const State> old = set("on").state;
  EXPECT_TRUE(states.find("light.kitchen"));
  set("off");
  for (std::size_t i = 0; i < EventBus::kMaxRecent; ++i) set(std::to_string(i));
  bus.run_pending();
  seen.clear();
  EXPECT_TRUE(old.expired());
}

TEST_F(StateMachineTest, LeavesSnapshotsAsTheyWere) {
  const auto first = set("on").state;
  const auto snapshot = states.snapshot();
  set("off");
  states.remove("light.kitchen", Context{"A", {}, {}}).value();
  EXPECT_EQ(snapshot->find("light.kitchen"), first);
}

}  // namespace
}  // namespace hearth::core
