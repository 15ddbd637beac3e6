// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/bus/event_bus.h"

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

TEST(EventBusListeners, GetWhatWaitsIfTheyListenSinceThen) {
  const base::ManualClock clock;
  EventBus bus{clock};
  Sequences first, since, later;
  Subscription listening, from_now;
  const auto context = Context::create(clock.now());
  const auto fire = [&](std::string_view type) { bus.fire(type, "{}", Origin::local, context); };
  const auto always = bus.listen("a", [&](const Event& event) {
    first.heard.push_back(event.sequence);
    if (event.sequence != 2) return;
    EXPECT_EQ(bus.last_delivered(), 2);
    from_now = bus.listen(EventFilter{{"a"}}, later);
    listening = bus.listen_since(2, EventFilter{{"a"}}, since);
  });
  for (int n = 0; n < 4; ++n) fire("a");
  bus.run_pending();
  fire("a");
  bus.run_pending();
  EXPECT_EQ(first.heard, (std::vector<std::uint64_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(since.heard, (std::vector<std::uint64_t>{3, 4, 5}));
  EXPECT_EQ(later.heard, (std::vector<std::uint64_t>{5}));
}

}  // namespace
}  // namespace hearth::core
