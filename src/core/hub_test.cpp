// SPDX-License-Identifier: Apache-2.0
#include "core/hub.h"

#include <gtest/gtest.h>

namespace hearth::core {
namespace {

TEST(Hub, PublishesANewConfigurationBeforeItsEvent) {
  const base::ManualClock clock;
  Hub hub(clock);
  const auto before = hub.config.load();
  std::string name_in_event;
  const auto listener = hub.bus.listen(event_type::kCoreConfigUpdated,
                                       [&](const Event&) { name_in_event = hub.config.load()->location_name; });
  HubConfig config = *before;
  config.location_name = "Cabin";
  update_config(hub, config, Context::create(clock.now()));
  EXPECT_EQ(hub.config.load()->location_name, "Cabin");
  EXPECT_EQ(before->location_name, "Home");
  hub.bus.run_pending();
  EXPECT_EQ(name_in_event, "Cabin");
}

TEST(Hub, NamesItsRunStates) {
  EXPECT_EQ(to_string(RunState::not_running), "NOT_RUNNING");
  EXPECT_EQ(to_string(RunState::starting), "STARTING");
  EXPECT_EQ(to_string(RunState::running), "RUNNING");
  EXPECT_EQ(to_string(RunState::stopping), "STOPPING");
  EXPECT_EQ(to_string(RunState::final_write), "FINAL_WRITE");
}

TEST(Hub, AlwaysListensToStateChanged) {
  const base::ManualClock clock;
  const Hub hub(clock);
  const auto counts = hub.bus.listener_counts();
  ASSERT_EQ(counts.size(), 1u);
  EXPECT_EQ(counts[0].type, "state_changed");
  EXPECT_EQ(counts[0].count, 1u);
}

}  // namespace
}  // namespace hearth::core
