// SPDX-License-Identifier: Apache-2.0
#include "app/connections/integration_runner.h"

#include <stdexcept>

#include "app/connections/scripted_integration.h"

namespace hearth::app {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

TEST_F(IntegrationRunnerTest, RunsAllAndPublishesIt) {
  add("first", first);
  add("second", second);
  start();
  EXPECT_EQ(status(0).name, "first");
  EXPECT_EQ(status(0).state, State::running);
  EXPECT_EQ(status(0).since, home.clock.now());
  EXPECT_EQ(status(1).name, "second");
  EXPECT_EQ(home.value("switch.first"), "on");
  home.advance(seconds(2));
  runner.stop();
  EXPECT_EQ(status(1).state, State::stopped);
  EXPECT_EQ(first.stops, 1);
  EXPECT_EQ(home.value("switch.first"), "on");
}

TEST_F(IntegrationRunnerTest, IsolatesOneThatDoesNotStart) {
  const std::function<base::Result<void>()> failures[] = {
      []() -> base::Result<void> { throw std::runtime_error("no cable"); },
      []() -> base::Result<void> { return base::fail(base::ErrorCode::unavailable, "no cable"); },
  };
  for (const auto& failure : failures) {
    first = {};
    first.on_start = failure;
    domains::TestHome other;
    IntegrationRunner others(other.hub, other.domains);
    for (auto* const script : {&first, &second}) {
      const std::string name = script == &first ? "first" : "second";
      others.add(only(name), [script, name](const domains::IntegrationHome& place) {
        return std::make_unique<Scripted>(place, name, *script);
      });
    }
    others.start();
    other.hub.bus.run_pending();
    const auto list = other.hub.integrations.load();
    EXPECT_EQ(list->at(0).state, State::failed);
    EXPECT_EQ(list->at(0).error, "no cable");
    EXPECT_EQ(list->at(0).attempts, 1u);
    EXPECT_EQ(list->at(0).retry_at, other.clock.now() + seconds(5));
    EXPECT_EQ(list->at(1).state, State::running);
    EXPECT_EQ(other.value("switch.second"), "on");
    others.stop();
  }
}

TEST_F(IntegrationRunnerTest, RemovesEverythingThatAFailedOneAdded) {
  first.on_start = []() -> base::Result<void> { throw 42; };
  add("first", first);
  start();
  EXPECT_EQ(first.alive, 0);
  EXPECT_EQ(first.stops, 1);
  EXPECT_EQ(home.value("switch.first"), "unavailable");
  EXPECT_EQ(home.attribute("switch.first", "friendly_name"), "\"first\"");
  EXPECT_NE(home.hub.registry.snapshot()->entities.find("switch.first"), nullptr);
  EXPECT_EQ(home.call("switch.turn_on", R"({"entity_id": "switch.first"})"), "");
  home.hub.bus.fire("bell", "{}", core::Origin::local, core::Context{"c", {}, {}});
  home.advance(seconds(4));
  EXPECT_EQ(first.ticks, 0);  // no task, timer or listener
  EXPECT_EQ(status().error, "something that is no exception was thrown");
}

TEST_F(IntegrationRunnerTest, ShowsEntitiesThatItDidNotAddAsUnavailable) {
  add("first", first);
  start();
  runner.stop();
  core::RegistryData kept = *home.hub.registry.snapshot();
  const core::StatePtr last = home.hub.states.find("switch.first");

  domains::TestHome later;
  later.hub.registry.restore(kept);
  later.hub.states.restore({last}, [](const core::State&) { return true; });
  IntegrationRunner again(later.hub, later.domains);
  first.on_create = [] { throw std::runtime_error("no driver"); };
  again.add(only("first"), [this](const domains::IntegrationHome& place) {
    return std::make_unique<Scripted>(place, "first", first);
  });
  again.start();
  EXPECT_EQ(later.value("switch.first"), "unavailable");
  EXPECT_EQ(later.hub.integrations.load()->at(0).error, "no driver");
  first.on_create = [] {};
  later.advance(seconds(5));
  EXPECT_EQ(later.value("switch.first"), "on");
  EXPECT_EQ(later.attribute("switch.first", "restored"), "");
  again.stop();
}

TEST_F(IntegrationRunnerTest, RetriesAfterTwiceAsLongEachTimeUpToFiveMinutes) {
  first.on_start = []() -> base::Result<void> { throw std::runtime_error("no cable"); };
  int recovered = 0;
  runner.on_change([&] { ++recovered; });
  add("first", first);
  start();
  for (const int wait : {5, 10, 20, 40, 80, 160, 300, 300}) {
    const int before = first.starts;
    EXPECT_EQ(status().retry_at, home.clock.now() + seconds(wait));
    home.advance(seconds(wait) - milliseconds(100));
    EXPECT_EQ(first.starts, before);
    home.advance(milliseconds(100));
    EXPECT_EQ(first.starts, before + 1) << wait;
  }
  EXPECT_EQ(status().attempts, 9u);
  first.on_start = [] { return base::Result<void>(); };
  home.advance(minutes(5));
  EXPECT_EQ(status().state, State::running);
  EXPECT_EQ(status().attempts, 0u);
  EXPECT_EQ(status().error, "");
  EXPECT_EQ(status().retry_at, std::nullopt);
  EXPECT_EQ(recovered, 1);
  EXPECT_EQ(first.alive, 1);
  EXPECT_EQ(home.value("switch.first"), "on");
  EXPECT_EQ(home.call("switch.turn_off", R"({"entity_id": "switch.first"})"), "switch.first off");
}

TEST_F(IntegrationRunnerTest, GivesOtherOptionsToOneThatTakesThem) {
  add("first", first);
  start();
  int changes = 0;
  runner.on_change([&] { ++changes; });
  bool takes = true;
  const auto put = [&] {
    runner.put(
        only("first"),
        [this](const domains::IntegrationHome& place) { return std::make_unique<Scripted>(place, "first", second); },
        [&](domains::Integration&) {
          if (!takes) throw std::runtime_error("not these");
          return takes;
        });
    home.hub.bus.run_pending();
  };
  put();
  EXPECT_EQ(first.alive, 1);
  EXPECT_EQ(first.stops, 0);
  EXPECT_EQ(home.value("switch.first"), "on");
  takes = false;
  put();
  EXPECT_EQ(first.alive, 0);
  EXPECT_EQ(first.stops, 1);
  EXPECT_EQ(second.alive, 1);
  EXPECT_EQ(status().state, State::running);
  EXPECT_EQ(home.value("switch.first"), "on");
  EXPECT_EQ(home.hub.integrations.load()->size(), 1u);
}

TEST_F(IntegrationRunnerTest, StartsAFailedOneAtOnceWithOtherOptions) {
  first.on_start = []() -> base::Result<void> { throw std::runtime_error("no cable"); };
  add("first", first);
  start();
  EXPECT_EQ(status().state, State::failed);
  runner.put(
      only("first"),
      [this](const domains::IntegrationHome& place) { return std::make_unique<Scripted>(place, "first", second); },
      [](domains::Integration&) { return true; });
  EXPECT_EQ(status().state, State::running);
  home.advance(minutes(10), seconds(1));
  EXPECT_EQ(first.starts, 1);
  EXPECT_EQ(second.starts, 1);
}

TEST_F(IntegrationRunnerTest, AddsAndRemovesOneWhileOthersRun) {
  add("first", first);
  start();
  int changes = 0;
  runner.on_change([&] { ++changes; });
  const auto never = [](domains::Integration&) { return false; };
  runner.put(
      only("second"),
      [this](const domains::IntegrationHome& place) { return std::make_unique<Scripted>(place, "second", second); },
      never);
  home.hub.bus.run_pending();
  EXPECT_EQ(status(1).state, State::running);
  EXPECT_EQ(home.value("switch.second"), "on");
  EXPECT_EQ(changes, 1);
  runner.remove(core::fixed_entry_id("second", ""));
  runner.remove(core::fixed_entry_id("third", ""));
  home.hub.bus.run_pending();
  EXPECT_EQ(second.alive, 0);
  EXPECT_EQ(home.value("switch.second"), "unavailable");
  EXPECT_NE(home.hub.registry.snapshot()->entities.find("switch.second"), nullptr);
  EXPECT_EQ(home.hub.integrations.load()->size(), 1u);
  EXPECT_EQ(changes, 2);
  runner.stop();
  runner.put(
      only("second"),
      [this](const domains::IntegrationHome& place) { return std::make_unique<Scripted>(place, "second", second); },
      never);
  EXPECT_EQ(second.starts, 1);
}

TEST_F(IntegrationRunnerTest, CountsExceptionsOfARunningOne) {
  first.on_command = [] { throw std::runtime_error("no answer"); };
  add("first", first);
  add("second", second);
  start();
  const std::string answer = home.call("switch.turn_off", R"({"entity_id": ["switch.first", "switch.second"]})");
  EXPECT_EQ(answer, "failed: switch.first failed at the command.");
  EXPECT_EQ(home.value("switch.first"), "on");
  EXPECT_EQ(home.value("switch.second"), "off");  // the others are not affected
  EXPECT_EQ(status(0).state, State::running);
  EXPECT_EQ(status(0).failures, 1u);
  EXPECT_EQ(status(0).last_failure, "a command of switch.first: no answer");
  EXPECT_EQ(status(1).failures, 0u);
}

TEST_F(IntegrationRunnerTest, StopsAllEvenIfOneThrows) {
  second.on_stop = [] { throw std::runtime_error("it hangs on"); };
  add("first", first);
  add("second", second);
  start();
  runner.stop();
  EXPECT_EQ(first.stops, 1);
  EXPECT_EQ(status(0).state, State::stopped);
  EXPECT_EQ(status(1).state, State::stopped);
}

TEST_F(IntegrationRunnerTest, RetriesNothingAfterItStopped) {
  first.on_start = []() -> base::Result<void> { throw std::runtime_error("no cable"); };
  add("first", first);
  start();
  runner.stop();
  home.advance(minutes(10), seconds(1));
  EXPECT_EQ(first.starts, 1);
  EXPECT_EQ(status().state, State::stopped);
}

}  // namespace
}  // namespace hearth::app
