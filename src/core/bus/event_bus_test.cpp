// SPDX-License-Identifier: Apache-2.0
#include "core/bus/event_bus.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace hearth::core {
namespace {

using std::chrono::seconds;

struct EventBusTest : testing::Test {
  std::uint64_t fire(std::string_view type, std::string data = "{}") {
    return bus.fire(type, std::move(data), Origin::local, Context::create(clock.now()));
  }
  std::function<void()> note(std::string text) {
    return [this, text = std::move(text)] { seen.push_back(text); };
  }
  std::function<void(const Event&)> note_type() {
    return [this](const Event& event) { seen.push_back(event.type); };
  }
  using Seen = std::vector<std::string>;

  base::ManualClock clock;
  EventBus bus{clock};
  Seen seen;
};

struct Recorder final : EventListener {
  void on_event(const EventPtr& event) override { sequences.push_back(event->sequence); }
  std::vector<std::uint64_t> sequences;
};

TEST_F(EventBusTest, CallsEveryListenerInTheOrderOfFiring) {
  const auto all = bus.listen("*", note_type());
  const auto one = bus.listen("b", [&](const Event&) { seen.push_back("only b"); });
  fire("a");
  fire("b");
  fire("c");
  bus.run_pending();
  EXPECT_EQ(seen, (Seen{"a", "b", "only b", "c"}));
}

TEST_F(EventBusTest, DeliversATypeToItsListenerAfterOneOfTheSameTypeWithoutIt) {
  Recorder recorder;
  const auto to = [](std::string_view type) {
    EventFilter filter;
    filter.types.emplace(type);
    return filter;
  };
  const auto a = bus.listen(to("a"), recorder);
  fire("b");
  bus.run_pending();
  {
    const auto b = bus.listen(to("b"), recorder);
    fire("b");
    bus.run_pending();
    EXPECT_EQ(recorder.sequences, (std::vector<std::uint64_t>{2}));
  }
  fire("b");
  bus.run_pending();
  EXPECT_EQ(recorder.sequences, (std::vector<std::uint64_t>{2}));
}

TEST_F(EventBusTest, NumbersEventsAndSetsTheirTime) {
  std::vector<Event> events;
  const auto all = bus.listen("*", [&](const Event& event) { events.push_back(event); });
  EXPECT_EQ(fire("a", R"({"x":1})"), 1u);
  clock.advance(seconds(5));
  EXPECT_EQ(fire("b"), 2u);
  bus.run_pending();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].sequence, 1u);
  EXPECT_EQ(std::get<std::string>(events[0].data), R"({"x":1})");
  EXPECT_EQ(events[1].time_fired - events[0].time_fired, seconds(5));
  EXPECT_EQ(events[1].time_fired, clock.now());
}

TEST_F(EventBusTest, TakesTheTimeOfTheClockWhicheverWayItSteps) {
  std::vector<base::Timestamp> times;
  const auto all = bus.listen("*", [&](const Event& event) { times.push_back(event.time_fired); });
  fire("a");
  clock.set(clock.now() - seconds(60));
  fire("b");
  bus.run_pending();
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times[0] - times[1], seconds(60));
}

TEST_F(EventBusTest, DeliversWhatAListenerFiresAfterTheCurrentEvent) {
  const auto first = bus.listen("a", [&](const Event&) {
    seen.push_back("first a");
    fire("b");
  });
  const auto all = bus.listen("*", note_type());
  fire("a");
  fire("c");
  bus.run_pending();
  EXPECT_EQ(seen, (Seen{"first a", "a", "c", "b"}));
}

TEST_F(EventBusTest, DeliversStateReportedOnlyByName) {
  const auto all = bus.listen("*", [&](const Event&) { seen.push_back("all"); });
  EXPECT_FALSE(bus.wants_reported());
  auto named = bus.listen("state_reported", [&](const Event&) { seen.push_back("named"); });
  EXPECT_TRUE(bus.wants_reported());
  fire("state_reported");
  bus.run_pending();
  EXPECT_EQ(seen, (Seen{"named"}));
  named = Subscription();
  EXPECT_FALSE(bus.wants_reported());
}

TEST_F(EventBusTest, DeliversStateReportedToAListenerWithOtherSubscriptions) {
  Recorder listener;
  const auto all = bus.listen(EventFilter{}, listener);
  const auto named = bus.listen(EventFilter{{"state_reported"}}, listener);
  fire("state_reported");
  fire("a");
  bus.run_pending();
  EXPECT_EQ(listener.sequences, (std::vector<std::uint64_t>{1, 2}));
}

TEST_F(EventBusTest, CountsListenersByTypeAndThoseOfAllUnderAStar) {
  Recorder listener;
  auto first = bus.listen(EventFilter{{"a", "b"}}, listener);
  const auto second = bus.listen(EventFilter{{"b"}}, listener);
  const auto all = bus.listen("*", note_type());
  const auto text = [&] {
    std::string counts;
    for (const auto& [type, count] : bus.listener_counts()) counts += type + std::to_string(count) + " ";
    return counts;
  };
  EXPECT_EQ(text(), "*1 a1 b2 ");
  fire("b");
  bus.run_pending();
  EXPECT_EQ(text(), "*1 a1 b2 ");
  first = Subscription();
  EXPECT_EQ(text(), "*1 b1 ");
}

TEST_F(EventBusTest, CallsAListenerOnceForAnEventThatSeveralOfItsSubscriptionsMatch) {
  Recorder listener;
  const auto all = bus.listen(EventFilter{}, listener);
  const auto named = bus.listen(EventFilter{{"a"}}, listener);
  fire("a");
  bus.run_pending();
  EXPECT_EQ(listener.sequences.size(), 1u);
}

TEST_F(EventBusTest, StartsASubscriptionAfterWhatWasFiredBefore) {
  fire("a");
  Recorder listener;
  const auto subscription = bus.listen(EventFilter{}, listener);
  const auto callback = bus.listen("*", note_type());
  EXPECT_EQ(subscription.start(), 1u);
  fire("b");
  bus.run_pending();
  EXPECT_EQ(listener.sequences, (std::vector<std::uint64_t>{2}));
  EXPECT_EQ(seen, (Seen{"b"}));
}

TEST_F(EventBusTest, StartsALaterSubscriptionOfTheSameListenerAtItsOwnEvent) {
  Recorder listener;
  const auto early = bus.listen(EventFilter{{"a"}}, listener);
  fire("a");
  fire("b");
  const auto late = bus.listen(EventFilter{{"b"}}, listener);
  fire("b");
  bus.run_pending();
  EXPECT_EQ(listener.sequences, (std::vector<std::uint64_t>{1, 3}));
}

TEST_F(EventBusTest, DoesNotDeliverTheCurrentEventToAListenerThatSubscribesMeanwhile) {
  Recorder late;
  Subscription second;
  const auto first = bus.listen("a", [&](const Event&) {
    if (!second) second = bus.listen(EventFilter{{"a"}}, late);
  });
  fire("a");
  fire("a");
  bus.run_pending();
  EXPECT_TRUE(late.sequences.empty());
  fire("a");
  bus.run_pending();
  EXPECT_EQ(late.sequences, (std::vector<std::uint64_t>{3}));
}

TEST_F(EventBusTest, LetsACallbackEndItsOwnSubscription) {
  Subscription subscription;
  auto kept = std::make_shared<int>(0);
  subscription = bus.listen("a", [&, kept](const Event&) {
    subscription = Subscription();
    ++*kept;  // the callback lives until it returns
  });
  fire("a");
  fire("a");
  bus.run_pending();
  EXPECT_EQ(*kept, 1);
  EXPECT_EQ(kept.use_count(), 1);
}

TEST_F(EventBusTest, DoesNotCallAListenerThatAnEarlierOneEnded) {
  Subscription second;
  const auto first = bus.listen("a", [&](const Event&) { second = Subscription(); });
  second = bus.listen("a", note_type());
  fire("a");
  bus.run_pending();
  EXPECT_TRUE(seen.empty());
}

TEST_F(EventBusTest, DoesNotCallAListenerForASubscriptionThatAnEarlierListenerEnded) {
  Recorder listener;
  Subscription ends;
  const auto first = bus.listen("a", [&](const Event&) { ends = Subscription(); });
  const auto stays = bus.listen(EventFilter{{"b"}}, listener);
  ends = bus.listen(EventFilter{{"a"}}, listener);
  fire("a");
  bus.run_pending();
  EXPECT_TRUE(listener.sequences.empty());
}

TEST_F(EventBusTest, GoesOnAfterAListenerThatThrows) {
  const auto bad = bus.listen("a", [](const Event&) { throw std::runtime_error("broken"); });
  const auto good = bus.listen("a", note_type());
  fire("a");
  bus.post([] { throw std::runtime_error("broken too"); });
  bus.post(note("task"));
  bus.run_pending();
  EXPECT_EQ(seen, (Seen{"a", "task"}));
}

TEST_F(EventBusTest, RunsPostedTasksBetweenTheEventsAroundThem) {
  const auto all = bus.listen("*", note_type());
  fire("a");
  bus.post(note("task"));
  fire("b");
  bus.run_pending();
  EXPECT_EQ(seen, (Seen{"a", "task", "b"}));
}

TEST_F(EventBusTest, KnowsItsThreadOnlyWhileItRuns) {
  bool inside = false;
  bus.post([&] { inside = bus.on_bus_thread(); });
  EXPECT_FALSE(bus.on_bus_thread());
  bus.run_pending();
  EXPECT_TRUE(inside);
  EXPECT_FALSE(bus.on_bus_thread());
}

TEST_F(EventBusTest, ResumesWithTheEventsMissedAndDeliversNoneTwice) {
  for (const char* type : {"a", "b", "a", "b"}) fire(type);
  Recorder listener;
  const auto resumed = bus.resume(EventFilter{{"a"}}, listener, 1);
  fire("a");
  bus.run_pending();
  EXPECT_TRUE(resumed.complete);
  ASSERT_EQ(resumed.missed.size(), 1u);
  EXPECT_EQ(resumed.missed[0]->sequence, 3u);
  EXPECT_EQ(resumed.subscription.start(), 4u);
  EXPECT_EQ(listener.sequences, (std::vector<std::uint64_t>{5}));
}

TEST_F(EventBusTest, ResumesCompleteIfNothingWasMissed) {
  Recorder listener;
  EXPECT_TRUE(bus.resume(EventFilter{}, listener, 0).complete);
  fire("a");
  const auto resumed = bus.resume(EventFilter{}, listener, 1);
  EXPECT_TRUE(resumed.complete);
  EXPECT_TRUE(resumed.missed.empty());
}

TEST_F(EventBusTest, ResumesIncompleteIfTheRingNoLongerHasAll) {
  for (std::size_t i = 0; i < EventBus::kMaxRecent + 2; ++i) fire("a");
  Recorder listener;
  const auto gap = bus.resume(EventFilter{}, listener, 1);
  EXPECT_FALSE(gap.complete);
  EXPECT_TRUE(gap.missed.empty());
  EXPECT_TRUE(gap.subscription);
  const auto whole = bus.resume(EventFilter{}, listener, 2);
  EXPECT_TRUE(whole.complete);
  EXPECT_EQ(whole.missed.size(), EventBus::kMaxRecent);
}

TEST_F(EventBusTest, ResumesIncompleteFromANumberThatNeverWas) {
  fire("a");
  Recorder listener;
  EXPECT_FALSE(bus.resume(EventFilter{}, listener, 2).complete);
}

TEST_F(EventBusTest, ResumesIncompleteForReportedEventsWhichItDoesNotKeep) {
  fire("state_reported");
  fire("a");
  fire("state_reported");
  Recorder listener;
  const auto others = bus.resume(EventFilter{}, listener, 0);
  EXPECT_TRUE(others.complete);
  EXPECT_EQ(others.missed.size(), 1u);
  EXPECT_FALSE(bus.resume(EventFilter{{"state_reported"}}, listener, 0).complete);
  EXPECT_TRUE(bus.resume(EventFilter{{"state_reported"}}, listener, 3).complete);
}

TEST_F(EventBusTest, FinishesWhatIsQueuedWhenItStopsButRunsNoTimers) {
  const auto all = bus.listen("*", note_type());
  const auto timer = bus.schedule(seconds(1), note("timer"));
  fire("a");
  bus.post(note("task"));
  clock.advance(seconds(1));
  bus.stop();
  bus.start();
  bus.stop();
  EXPECT_EQ(seen, (Seen{"a", "task"}));
}

TEST(EventBus, DestroysTasksThatNeverRanAndHoldItsTimersAndSubscriptions) {
  struct Holds {
    Timer timer;
    Subscription subscription;
  };
  auto holds = std::make_shared<Holds>();
  const std::weak_ptr<Holds> watched = holds;
  {
    const base::ManualClock clock;
    EventBus bus(clock);
    holds->timer = bus.schedule(seconds(1), [holds] {});
    holds->subscription = bus.listen("a", [](const Event&) {});
    bus.post([holds] {});
    holds.reset();
    EXPECT_FALSE(watched.expired());
  }
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace hearth::core
