// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/event_bus.h"

namespace hearth::core {
namespace {

struct Sequences final : EventListener {
  void on_event(const EventPtr& event) override { heard.push_back(event->sequence); }
  std::vector<std::uint64_t> heard;
};

TEST(EventBusListeners, AsCallbacksGetTheHubsOwnEventsOnly) {
  const base::ManualClock clock;
  EventBus bus{clock};
  Sequences all;
  std::vector<std::uint64_t> own;
  const auto callback = bus.listen("a", [&](const Event& event) { own.push_back(event.sequence); });
  const auto listener = bus.listen(EventFilter{}, all);
  const auto context = Context::create(clock.now());
  bus.fire("a", "{}", Origin::local, context, FiredBy::client);
  bus.fire("a", "{}", Origin::remote, context, FiredBy::client);
  bus.fire("a", "{}", Origin::local, context);
  bus.run_pending();
  EXPECT_EQ(own, (std::vector<std::uint64_t>{3}));
  EXPECT_EQ(all.heard, (std::vector<std::uint64_t>{1, 2, 3}));
}

}  // namespace
}  // namespace hearth::core
