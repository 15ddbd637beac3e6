// SPDX-License-Identifier: Apache-2.0
// The runner with several connections of one integration.
#include <stdexcept>

#include "app/connections/scripted_integration.h"

namespace hearth::app {
namespace {

using ManyConnections = IntegrationRunnerTest;

TEST_F(ManyConnections, LetsEachConnectionOfAnIntegrationFailAlone) {
  first.on_start = []() -> base::Result<void> { throw std::runtime_error("no cable"); };
  add_many("a", first);
  add_many("b", second);
  start();
  EXPECT_EQ(status(0).state, State::failed);
  EXPECT_EQ(status(1).state, State::running);
  EXPECT_EQ(home.value("switch.a"), "unavailable");
  EXPECT_EQ(home.value("switch.b"), "on");
  const auto registry = home.hub.registry.snapshot();
  EXPECT_EQ(registry->entities.at("switch.b").entry_id, one_of_many("b").entry_id);
  first.on_start = [] { return base::Result<void>(); };
  home.advance(IntegrationRunner::kFirstRetry);
  EXPECT_EQ(home.value("switch.a"), "on");
  second.on_stop = [] { throw std::runtime_error("it hangs on"); };
  runner.remove(one_of_many("b").entry_id, true);
  EXPECT_EQ(second.unpaired, 1);
  EXPECT_EQ(home.value("switch.a"), "on");
  EXPECT_EQ(home.value("switch.b"), "unavailable");
  EXPECT_EQ(runner.find(one_of_many("b").entry_id), nullptr);
}

TEST_F(ManyConnections, ShowsHowAConnectionDoes) {
  using enum domains::ConnectionHealth::State;
  first.on_start = [&] {
    first.report({waiting, "it sleeps"});
    return base::Result<void>();
  };
  add_many("a", first);
  start();
  EXPECT_EQ(status().state, State::waiting);
  EXPECT_EQ(status().error, "it sleeps");
  EXPECT_EQ(core::entry_state(status().state), "setup_retry");
  first.report({needs_person, "the key is another one now \xFF"});
  EXPECT_EQ(core::entry_state(status().state), "setup_error");
  EXPECT_EQ(status().error, "the key is another one now \uFFFD");
  first.report({});
  EXPECT_EQ(status().state, State::running);
  EXPECT_EQ(status().error, "");
  EXPECT_EQ(first.starts, 1);
}

TEST_F(ManyConnections, DisablesReloadsAndRenames) {
  core::Connection disabled = one_of_many("a");
  disabled.disabled = true;
  runner.add(std::make_shared<const core::Connection>(disabled),
             [this](const domains::IntegrationHome& place) { return std::make_unique<Scripted>(place, "a", first); });
  start();
  const std::string id = disabled.entry_id;
  EXPECT_EQ(status().state, State::stopped);
  EXPECT_EQ(first.starts, 0);
  EXPECT_FALSE(runner.reload(id));
  disabled.disabled = false;
  runner.describe(std::make_shared<const core::Connection>(disabled));
  EXPECT_EQ(status().state, State::running);
  EXPECT_EQ(home.value("switch.a"), "on");
  EXPECT_TRUE(runner.reload(id));
  EXPECT_EQ(first.starts, 2);
  EXPECT_EQ(first.alive, 1);
  disabled.title = "Another";
  runner.describe(std::make_shared<const core::Connection>(disabled));
  EXPECT_EQ(status().connection->title, "Another");
  EXPECT_EQ(first.starts, 2);
  disabled.disabled = true;
  runner.describe(std::make_shared<const core::Connection>(disabled));
  EXPECT_EQ(first.alive, 0);
  EXPECT_EQ(home.value("switch.a"), "unavailable");
  EXPECT_FALSE(runner.reload("01NOBODY"));
}

}  // namespace
}  // namespace hearth::app
