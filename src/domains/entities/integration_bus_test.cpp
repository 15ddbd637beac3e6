// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/integration_bus.h"

#include <set>
#include <stdexcept>

#include "base/log/log.h"
#include "base/log/recent_log.h"
#include "domains/entities/kinds.h"
#include "domains/entities/thing.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class IntegrationBusTest : public testing::Test {
 protected:
  void run() { home.hub.bus.run_pending(); }
  void ring() {
    home.hub.bus.fire("bell", "{}", core::Origin::local, core::Context{"c", {}, {}});
    run();
  }

  TestHome home;
  Failures& failures = home.domains.failures();
  std::optional<IntegrationBus> bus{std::in_place, home.hub, failures, "meter"};
  const std::function<void()> broken = [] { throw std::runtime_error("broken"); };
};

TEST_F(IntegrationBusTest, CountsExceptionsUnderTheNameOfTheIntegration) {
  bus->post(broken);
  run();
  EXPECT_EQ(failures.of("meter").last, "a task: broken");
  const auto timer = bus->schedule(seconds(1), broken);
  home.advance(seconds(1));
  EXPECT_EQ(failures.of("meter").last, "a timer: broken");
  const auto subscription = bus->listen("bell", [&](const core::Event&) { broken(); });
  ring();
  EXPECT_EQ(failures.of("meter").last, "a listener: broken");
  bus->post([] { throw 42; });
  run();
  EXPECT_EQ(failures.of("meter").count, 4u);
  EXPECT_EQ(failures.of("other").count, 0u);
}

TEST_F(IntegrationBusTest, NamesCallbacksThatHoldTheBusByTheirLocation) {
  const auto slow = [this](auto&&...) { home.clock.advance(milliseconds(500)); };
  const auto line = std::source_location::current().line();
  bus->post(slow);
  const auto timer = bus->schedule(seconds(1), slow);
  const auto subscription = bus->listen("bell", slow);
  home.advance(seconds(1));
  ring();
  std::set<std::string> places;
  for (const auto& place : home.hub.bus.watch().slow()) places.insert(place.where);
  const auto here = [&](std::uint32_t below) {
    return "src/domains/entities/integration_bus_test.cpp:" + std::to_string(line + below);
  };
  EXPECT_EQ(places, (std::set{here(1), here(2), here(3)}));
}

TEST_F(IntegrationBusTest, NamesCommandsByTheLocationThatAddedTheEntity) {
  struct SlowSwitch final : ThingDevice {
    explicit SlowSwitch(base::ManualClock& used) : clock(used) {}
    void act(const Action&, const json::object&) override { clock.advance(milliseconds(500)); }
    base::ManualClock& clock;
  };
  SlowSwitch device(home.clock);
  auto thing = std::make_unique<Thing>(kSwitch, test_entity("pump"), Abilities(), &device);
  const auto line = std::source_location::current().line();
  const auto added = home.domains.entities().add(std::move(thing));
  ASSERT_TRUE(added);
  (*added)->report({.value = false});
  home.begin("switch.turn_on", R"({"entity_id":"switch.pump"})");
  const auto slow = home.hub.bus.watch().slow();
  ASSERT_EQ(slow.size(), 1u);
  EXPECT_EQ(slow[0].where, "src/domains/entities/integration_bus_test.cpp:" + std::to_string(line + 1));
}

TEST_F(IntegrationBusTest, RunsNothingAfterTheIntegrationIsDestroyed) {
  int ran = 0;
  bus->post([&] { ++ran; });
  const auto timer = bus->schedule(seconds(1), [&] { ++ran; });
  const auto subscription = bus->listen("bell", [&](const core::Event&) { ++ran; });
  bus.reset();
  home.advance(seconds(2));
  ring();
  EXPECT_EQ(ran, 0);
}

TEST_F(IntegrationBusTest, GivesAPosterThatMayOutliveTheIntegration) {
  const auto post = bus->poster();
  int runs = 0;
  EXPECT_TRUE(post(1, [&] { ++runs; }));
  EXPECT_TRUE(post(1, broken));
  run();
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(failures.of("meter").last, "a task: broken");
  EXPECT_TRUE(post(core::EventBus::kMaxQueuedBytes, [&] { ++runs; }));
  EXPECT_FALSE(post(1, [&] { ++runs; })) << "the bus is full";
  bus.reset();
  run();
  EXPECT_TRUE(post(1, [&] { ++runs; }));
  run();
  EXPECT_EQ(runs, 1);
}

TEST_F(IntegrationBusTest, LogsARepeatedFailureLessAndLessOften) {
  const auto lines = [] {
    std::size_t count = 0;
    for (const auto& record : base::recent_log().records()) count += record->message.starts_with("meter: ") ? 1 : 0;
    return count;
  };
  const std::size_t before = lines();
  for (int i = 0; i < 1'000; ++i) bus->post(broken);
  run();
  EXPECT_EQ(failures.of("meter").count, 1'000u);
  EXPECT_EQ(lines() - before, 10u);  // 1, 2, 4, … 512
}

TEST_F(IntegrationBusTest, ListensToEntitiesAsLongAsTheIntegrationLives) {
  const auto line = std::source_location::current().line();
  int heard = 0;
  const auto listening = bus->listen({"meter.a"}, [&](const core::StateChange& change, const core::Event&) {
    ++heard;
    home.clock.advance(milliseconds(500));
    throw std::runtime_error("it is " + std::string(change.new_state->value()));
  });
  const auto set = [&](std::string_view value) {
    home.hub.states.set(*core::EntityId::parse("meter.a"), {value, "{}", core::Context{"c", {}, {}}}).value();
    run();
  };
  set("7");
  EXPECT_EQ(failures.of("meter").last, "a listener: it is 7");
  EXPECT_EQ(home.hub.bus.watch().slow().at(0).where,
            "src/domains/entities/integration_bus_test.cpp:" + std::to_string(line + 2));
  bus.reset();
  set("8");
  EXPECT_EQ(heard, 1);
}

}  // namespace
}  // namespace hearth::domains
