// SPDX-License-Identifier: Apache-2.0
// Weights that count against the bound of the bus, and callers that may not wait for room.
#include <gtest/gtest.h>

#include <thread>

#include "core/services/service_test_home.h"

namespace hearth::core {
namespace {

const EntityId kFullLamp = EntityId::parse("light.kitchen").value();

struct FullBus : testing::Test, ServiceTestHome {
  using Seen = std::vector<std::string>;

  ~FullBus() override { bus.run_pending(); }
  void fill() {
    bus.post(EventBus::kMaxQueuedBytes, [] {});
  }
  std::uint64_t fire(std::string_view type) {
    return bus.fire(type, "{}", Origin::local, Context::create(clock.now()));
  }
  std::function<void()> note(std::string text) {
    return [this, text = std::move(text)] { seen.push_back(text); };
  }
  // Tries as a thread that may not wait.
  bool has_room() {
    bool room = false;
    std::jthread([&] { room = bus.post(IfFull::fail, EventBus::kSmallTask, [] {}).has_value(); });
    return room;
  }

  Seen seen;
};

TEST_F(FullBus, CountsWhatTasksKeepAlive) {
  constexpr std::size_t kMax = EventBus::kMaxQueuedBytes;
  EXPECT_TRUE(bus.post(IfFull::fail, kMax - 1, note("large")));
  EXPECT_TRUE(bus.post(IfFull::fail, 1, note("small")));
  const auto refused = bus.post(IfFull::fail, 1, note("refused"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::unavailable);
  EXPECT_EQ(refused.error().message,
            "Too much waits to be done: 65536 events or 64 MiB of them. Ask again in a moment.");
  bus.run_pending();
  EXPECT_TRUE(bus.post(IfFull::fail, 1, note("later")));
  bus.run_pending();
  EXPECT_EQ(seen, (Seen{"large", "small", "later"}));
}

TEST_F(FullBus, CountsTheTaskThatIsBeingRunAndThoseOfItsBatch) {
  bus.post(EventBus::kMaxQueuedBytes, [&] { EXPECT_FALSE(has_room()); });
  bus.run_pending();
  EXPECT_TRUE(has_room());
  bus.run_pending();
  bus.post([&] { EXPECT_FALSE(has_room()); });
  for (std::size_t i = 1; i < EventBus::kMaxQueued; ++i) bus.post([] {});
  EXPECT_FALSE(has_room());
  bus.run_pending();
  EXPECT_TRUE(has_room());
}

TEST_F(FullBus, MakesRoomWhileALongBatchRuns) {
  bool room = false;
  for (std::size_t i = 1; i < EventBus::kMaxQueued; ++i) bus.post([] {});
  bus.post([&] { room = has_room(); });
  bus.run_pending();
  EXPECT_TRUE(room);
}

TEST_F(FullBus, RefusesEventsOfThreadsThatMayNotWaitAndKeepsTheOrderOfTheOthers) {
  const auto all = bus.listen("*", [&](const Event& event) { seen.push_back(event.type); });
  const std::uint64_t before = fire("a");
  bus.post(EventBus::kMaxQueuedBytes, note("task"));
  const auto refused = bus.fire(IfFull::fail, "refused", "{}", Origin::remote, Context::create(clock.now()));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::unavailable);
  EXPECT_FALSE(EventBus::Turn(bus, IfFull::fail));
  EXPECT_TRUE(bus.post(IfFull::pass, 1, note("passes")));
  bus.run_pending();
  EXPECT_EQ(fire("b"), before + 1);
  bus.run_pending();
  EXPECT_EQ(seen, (Seen{"a", "task", "passes", "b"}));
}

TEST_F(FullBus, RefusesWritersThatMayNotWaitWhileTheBusIsFullAndChangesNothing) {
  const auto before = states.set(kFullLamp, {"on", "{}", Context{"A", {}, {}}}).value().state;
  bus.post(EventBus::kMaxQueuedBytes, [] {});
  const StateMachine::Write write{"off", "{}", Context{"A", {}, {}}, false, IfFull::fail};
  const auto written = states.set(kFullLamp, write);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, base::ErrorCode::unavailable);
  EXPECT_EQ(states.remove("light.kitchen", {}, IfFull::fail).error().code, base::ErrorCode::unavailable);
  EXPECT_EQ(states.find("light.kitchen"), before);
  bus.run_pending();
  EXPECT_TRUE(states.set(kFullLamp, write));
}

TEST_F(FullBus, RefusesACallThatMayNotWaitWhileTheBusIsFull) {
  int runs = 0;
  add([&](const ServiceCall&, const ServiceReply& reply) {
    ++runs;
    reply(nullptr);
  });
  bus.post(EventBus::kMaxQueuedBytes, [] {});
  auto made = request();
  made.if_full = IfFull::fail;
  services.call(made, note_result());
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(error(), base::ErrorCode::unavailable);
  bus.run_pending();
  EXPECT_EQ(runs, 0);
  call(made);
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(results.size(), 2u);
}

TEST_F(FullBus, CountsWhatACallKeepsAliveAgainstTheBoundOfTheBus) {
  description.fields = {{"list", "", nullptr, field::Any{}}};
  add(answers());
  json::array large;
  large.resize(100'000);
  std::size_t calls = 0;
  // Each takes megabytes of memory, although its text is short.
  for (bool taken = true; taken && calls < 1'000; ++calls) {
    auto made = request();
    made.data["list"] = large;
    made.if_full = IfFull::fail;
    services.call(std::move(made), note_result());
    taken = results.empty();
  }
  EXPECT_LT(calls, EventBus::kMaxQueuedBytes / (large.size() * sizeof(json::value)) + 2);
  EXPECT_EQ(error(), base::ErrorCode::unavailable);
  bus.run_pending();
}

TEST_F(FullBus, RefusesTheUsersChangesOfTheRegistryAndMakesThoseOfIntegrations) {
  fill();
  const auto before = registry.snapshot();
  const auto refused = registry.create_area({.name = "Kitchen"}, Context{"A", {}, {}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::unavailable);
  EXPECT_EQ(registry.snapshot(), before);
  // It waits for the bus, which this thread then runs.
  std::jthread integration([&] { registry.ensure_area("Kitchen"); });
  bus.run_pending();
  integration.join();
  EXPECT_EQ(registry.snapshot()->areas.size(), 1u);
}

}  // namespace
}  // namespace hearth::core
