// SPDX-License-Identifier: Apache-2.0
// A change either happens whole or not at all if memory runs out: makes each allocation of a change fail once.
#include <gtest/gtest.h>

#include "base/memory_shortage.h"
#include "core/hub.h"

namespace hearth::core {
namespace {

const EntityId kShortLamp = EntityId::parse("light.kitchen").value();

struct ShortHome {
  ShortHome() {
    const auto note = [this](const Event& event) { events.push_back(event.type + std::to_string(event.sequence)); };
    for (const char* type : {"*", "state_reported", "state_confirmed"}) listeners.push_back(hub.bus.listen(type, note));
    const base::Timestamp before = clock.now() - std::chrono::hours(1);
    hub.states.restore({State::create(*EntityId::parse("light.awaited"), "on", "{}", {before, before}, context)},
                       [](const State&) { return true; });
    set("off");
    hub.bus.run_pending();
    events.clear();
  }
  void set(std::string_view value) { hub.states.set(kShortLamp, {value, "{}", context}).value(); }
  std::string show() const {
    std::string text = std::to_string(hub.states.snapshot()->sequence());
    hub.states.snapshot()->for_each([&](const State& state) { text.append(" ").append(state.json()); });
    text += " areas " + std::to_string(hub.registry.snapshot()->areas.size());
    for (const auto all = hub.services.snapshot(); const auto& [domain, services] : *all) text += " " + domain;
    return text;
  }

  base::ManualClock clock;
  Context context{"A", {}, {}};
  Hub hub{clock};
  std::vector<std::string> events;
  std::vector<Subscription> listeners;
  Registration service;
};

// Returns how many of its allocations were made to fail, until none was left.
int fail_each_allocation(const std::function<void(ShortHome&)>& prepare,
                         const std::function<void(ShortHome&)>& change) {
  for (int failures = 0;; ++failures) {
    ShortHome home;
    prepare(home);
    home.hub.bus.run_pending();
    home.events.clear();
    const std::string before = home.show();
    bool failed = false;
    base::allocations_left = failures;
    try {
      change(home);
    } catch (const std::bad_alloc&) {
      failed = true;
    }
    base::allocations_left = -1;
    home.hub.bus.run_pending();
    if (!failed) {
      EXPECT_FALSE(home.events.empty()) << "nobody has heard of the change";
      return failures;
    }
    EXPECT_EQ(home.show(), before) << "allocation " << failures;
    EXPECT_TRUE(home.events.empty()) << "allocation " << failures << ": " << home.events.front();
    // As if nothing had been tried before.
    change(home);
    home.hub.bus.run_pending();
    EXPECT_EQ(home.events.size(), 1u) << "allocation " << failures;
    if (testing::Test::HasFailure()) return failures;
  }
}

const auto kAsItIs = [](ShortHome&) {};

TEST(MemoryShortage, LeavesAStateUnchanged) {
  EXPECT_GE(fail_each_allocation(kAsItIs, [](ShortHome& home) { home.set("on"); }), 6);
}

TEST(MemoryShortage, CreatesAnEntityOrDoesNot) {
  EXPECT_GE(fail_each_allocation(kAsItIs,
                                 [](ShortHome& home) {
                                   const auto id = EntityId::parse("sensor.with_a_name_that_needs_memory").value();
                                   home.hub.states.set(id, {"1", R"({"unit":"K"})", home.context}).value();
                                 }),
            6);
}

TEST(MemoryShortage, ReportsAndConfirmsOrDoesNot) {
  EXPECT_GE(fail_each_allocation(kAsItIs, [](ShortHome& home) { home.set("off"); }), 1);
  EXPECT_GE(fail_each_allocation(kAsItIs,
                                 [](ShortHome& home) {
                                   const auto id = EntityId::parse("light.awaited").value();
                                   home.hub.states.set(id, {"on", "{}", home.context}).value();
                                 }),
            6);
}

TEST(MemoryShortage, RemovesAnEntityOrDoesNot) {
  const auto remove = [](std::string_view id) {
    return [id](ShortHome& home) { home.hub.states.remove(id, home.context).value(); };
  };
  EXPECT_GE(fail_each_allocation(kAsItIs, remove("light.kitchen")), 4);
  EXPECT_GE(fail_each_allocation(kAsItIs, remove("light.awaited")), 4);
}

TEST(MemoryShortage, AllocatesTheQueuesMemoryBeforeItPublishes) {
  // Fills the queue up to its allocated memory.
  const auto fill = [](ShortHome& home) {
    home.hub.bus.run_pending();
    for (int i = 0; i < 64; ++i) home.hub.bus.post([] {});
  };
  for (int failures = 0;; ++failures) {
    ShortHome home;
    fill(home);
    const std::string before = home.show();
    base::allocations_left = failures;
    bool failed = false;
    try {
      home.set("on");
    } catch (const std::bad_alloc&) {
      failed = true;
    }
    base::allocations_left = -1;
    if (!failed) break;
    EXPECT_EQ(home.show(), before) << "allocation " << failures;
    home.hub.bus.run_pending();
    EXPECT_TRUE(home.events.empty()) << "allocation " << failures;
  }
}

TEST(MemoryShortage, ChangesTheRegistryOrDoesNot) {
  EXPECT_GE(
      fail_each_allocation(
          kAsItIs, [](ShortHome& home) { home.hub.registry.create_area({.name = "Kitchen"}, home.context).value(); }),
      10);
}

TEST(MemoryShortage, RegistersAServiceOrDoesNot) {
  const auto add = [](ShortHome& home) {
    ServiceDescription description;
    description.domain = "test";
    description.service = "run";
    home.service = home.hub.services.add(description, [](const ServiceCall&, const ServiceReply&) {});
  };
  EXPECT_GE(fail_each_allocation(kAsItIs, add), 5);
}

}  // namespace
}  // namespace hearth::core
