// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/testing/wait_until.h"
#include "domains/entities/kinds.h"
#include "domains/entities/later_answers.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

constexpr int kAnswering = 3, kCalls = 3'000;

// Hands each answer that it owes to another thread.
class RemoteDevice final : public ThingDevice {
 public:
  void act(const Action&, const json::object&) override {
    CommandAnswer owed = thing->answer_later();
    thing->report({.value = true});
    base::MutexLock lock(mutex_);
    owed_.push_back(std::move(owed));
  }
  std::vector<CommandAnswer> take() {
    base::MutexLock lock(mutex_);
    return std::exchange(owed_, {});
  }

  Thing* thing = nullptr;

 private:
  base::Mutex mutex_;
  std::vector<CommandAnswer> owed_ __attribute__((guarded_by(mutex_)));
};

TEST(LaterAnswersStress, AnswerEachCallOnceFromAnyThread) {
  RemoteDevice device;
  const base::SystemClock clock;
  core::Hub hub(clock);
  Domains domains(hub);
  device.thing = *domains.entities().add(std::make_unique<Thing>(kSwitch, test_entity("pump"), Abilities(), &device));
  hub.bus.start();

  std::vector<std::atomic<int>> answers(kCalls);
  std::atomic<int> answered = 0, refused = 0;
  std::atomic<bool> over = false;
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < kAnswering; ++thread) {
    threads.emplace_back([&, thread] {
      for (int count = 0; !over;) {
        std::this_thread::yield();
        for (const CommandAnswer& owed : device.take()) {
          // Done, refused, dropped, or two threads at once.
          const int way = (thread + count++) % 4;
          if (way == 0) owed.done();
          if (way == 1) owed.refuse("No.");
          if (way == 3) {
            const std::jthread other([owed] { owed.done(); });
            owed.refuse("No.");
          }
        }
      }
    });
  }
  for (int i = 0; i < kCalls; ++i) {
    base::wait_until([&] { return i - answered < 100; });
    hub.services.call({.domain = "switch",
                       .service = "turn_on",
                       .data = {{"entity_id", "switch.pump"}},
                       .context = core::Context::create(clock.now())},
                      [&, i](const base::Result<core::CallOutcome>& outcome) {
                        ++answers[i];
                        if (!outcome) ++refused;
                        ++answered;
                      });
  }
  base::wait_until([&] { return answered >= kCalls; });
  over = true;
  threads.clear();
  hub.bus.stop();
  for (const auto& count : answers) EXPECT_EQ(count, 1);
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, kCalls);
}

}  // namespace
}  // namespace hearth::domains
