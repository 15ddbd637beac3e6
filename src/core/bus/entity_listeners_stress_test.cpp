// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

#include "base/testing/wait_until.h"
#include "core/bus/entity_listeners.h"
#include "core/states/state_machine.h"

namespace hearth::core {
namespace {

const base::SystemClock kWallClock;

struct ListeningHome {
  void set(std::string_view id, int value) {
    states.set(*EntityId::parse(id), {std::to_string(value), "{}", Context{"c", {}, {}}}).value();
  }

  EventBus bus{kWallClock};
  StateMachine states{bus};
  EntityListeners listeners{bus};
};

TEST(EntityListenersStress, GetEachChangeAfterTheirStartAndNoneAfterTheirEnd) {
  constexpr int kThreads = 4, kRounds = 300;
  ListeningHome home;
  home.bus.start();
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0};
  {
    std::jthread writer([&] {
      for (int n = 0; !done; ++n) home.set("light.shared", n);
    });
    std::vector<std::jthread> threads;
    std::latch ended(kThreads);
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        const std::string own = "light.n" + std::to_string(i);
        for (int round = 0; round < kRounds; ++round) {
          // Freed with the listener: a later call would touch freed memory.
          const auto last = std::make_unique<std::atomic<int>>(-1);
          const auto shared = std::make_unique<std::atomic<int>>(-1);
          const auto follow = [&wrong](std::atomic<int>* before) {
            return [&wrong, before](const StateChange& change, const Event&) {
              const int value = std::stoi(std::string(change.new_state->value()));
              if (before->exchange(value) >= value) ++wrong;
            };
          };
          const auto one = home.listeners.listen({own}, follow(last.get()));
          const auto two = home.listeners.listen({"light.shared"}, follow(shared.get()));
          home.set(own, 2 * round);
          home.set(own, 2 * round + 1);
          base::wait_until([&] { return *last >= 2 * round + 1; });
        }
        ended.count_down();
      });
    }
    ended.wait();
    done = true;
  }
  home.bus.stop();
  EXPECT_EQ(0, wrong);
}

TEST(EntityListenersStress, EndThemselvesOnTheBusThreadWhileOthersEndThemElsewhere) {
  constexpr int kRounds = 500;
  ListeningHome home;
  home.bus.start();
  for (int round = 0; round < kRounds; ++round) {
    std::atomic<int> calls{0};
    auto ends_itself = std::make_unique<EntityListeners::Listening>();
    auto ended_elsewhere = std::make_unique<EntityListeners::Listening>();
    std::latch begun(1);
    *ends_itself = home.listeners.listen({"light.a"}, [&](const StateChange&, const Event&) {
      ++calls;
      ends_itself.reset();
      begun.count_down();
    });
    std::atomic<bool> inside{false};
    *ended_elsewhere = home.listeners.listen({"light.a"}, [&](const StateChange&, const Event&) {
      inside = true;
      for (int i = 0; i < 20; ++i) std::this_thread::yield();
      ++calls;
      inside = false;
    });
    home.set("light.a", 2 * round);
    home.set("light.a", 2 * round + 1);
    begun.wait();
    ended_elsewhere.reset();
    EXPECT_FALSE(inside);
    const int then = calls;
    home.set("light.a", -round - 1);
    EXPECT_LE(then, 3);
    EXPECT_EQ(then, calls);
  }
  home.bus.stop();
}

}  // namespace
}  // namespace hearth::core
