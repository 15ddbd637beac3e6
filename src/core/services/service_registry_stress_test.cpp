// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/testing/wait_until.h"
#include "core/hub.h"

namespace hearth::core {
namespace {

constexpr int kCallers = 4, kCalls = 1'000;

ServiceDescription describe(std::string service) {
  ServiceDescription description;
  description.domain = "test";
  description.service = std::move(service);
  description.fields = {{"way", "How to answer", 0, field::Integer{0, 5}}};
  return description;
}

ServiceRequest request(std::string service, int way, std::string_view entity_id, base::Timestamp now) {
  ServiceRequest made;
  made.domain = "test";
  made.service = std::move(service);
  made.data = {{"entity_id", entity_id}, {"way", way}};
  made.context = Context::create(now);
  made.wait = std::chrono::milliseconds(5);
  return made;
}

// Answers in each of the ways that a handler may.
void handle(Hub& hub, const ServiceCall& call, const ServiceReply& reply) {
  const Context context = call.context();
  const EntityId id = *EntityId::parse(call.entity_ids().at(0));
  const auto change = [&hub, context, id] { hub.states.set(id, {context.id, "{}", context}).value(); };
  switch (call.data().at("way").as_int64()) {
    case 0:
      change();
      return reply(nullptr);
    case 1:
      return hub.bus.post([change, reply] { change(), reply(nullptr); });
    case 2:
      hub.services.expect_report(context, id.str());
      hub.bus.post([&hub, change, context, id] { change(), hub.services.reported(context, id.str()); });
      return reply(nullptr);
    case 3:  // a device that never reports
      change();
      hub.services.expect_report(context, id.str());
      return reply(nullptr);
    case 4:
      throw std::runtime_error("broken on purpose");
    default:
      return;  // no answer
  }
}

TEST(ServiceRegistryStress, AnswersEveryCallOnceWithWhatItChanged) {
  const base::SystemClock clock;
  Hub hub(clock);
  for (int i = 0; i < kCallers; ++i) {
    hub.states.set(*EntityId::parse("light.number_" + std::to_string(i)), {"off", "{}", Context{"A", {}, {}}}).value();
  }
  const auto registration = hub.services.add(
      describe("run"), [&](const ServiceCall& call, const ServiceReply& reply) { handle(hub, call, reply); });
  hub.bus.start();

  std::vector<std::atomic<int>> answers(kCallers * kCalls);
  std::atomic<int> calls = 0, answered = 0;
  {
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < kCallers; ++caller) {
      callers.emplace_back([&, caller] {
        const std::string id = "light.number_" + std::to_string(caller);
        for (int i = 0; i < kCalls; ++i) {
          const int way = i % 7;  // 6 is refused at once
          base::wait_until([&] { return calls - answered < 40; });
          ++calls;
          auto made = request("run", way, id, clock.now());
          hub.services.call(std::move(made), [&, caller, i, way](base::Result<CallOutcome> result) {
            ++answers[caller * kCalls + i];
            EXPECT_EQ(result.has_value(), way < 4);
            // If the device reports late, the time limit may have passed.
            if (result && way != 2) {
              EXPECT_EQ(result->changed.size(), 1u);
            }
            if (result) {
              EXPECT_LE(result->changed.size(), 1u);
            }
            ++answered;
          });
        }
      });
    }
  }
  base::wait_until([&] { return answered >= kCallers * kCalls; });
  hub.bus.stop();
  for (const auto& count : answers) EXPECT_EQ(count, 1);
}

TEST(ServiceRegistryStress, ListsAndCallsServicesThatComeAndGo) {
  const base::SystemClock clock;
  Hub hub(clock);
  hub.states.set(*EntityId::parse("light.a"), {"off", "{}", Context{"A", {}, {}}}).value();
  hub.bus.start();
  std::atomic<bool> done = false;
  std::atomic<int> called = 0, answered = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] {
      const std::string service = "service_" + std::to_string(i);
      for (int n = 0; n < 300; ++n) {
        auto alive = std::make_shared<std::atomic<bool>>(true);
        auto registration = std::make_shared<Registration>(
            hub.services.add(describe(service), [alive](const ServiceCall&, const ServiceReply& reply) {
              EXPECT_TRUE(*alive);
              reply(nullptr);
            }));
        // On the bus thread, so that no handler runs meanwhile.
        std::atomic<bool> gone = false;
        hub.bus.post([&, registration] {
          *registration = Registration();
          *alive = false;
          gone = true;
        });
        base::wait_until([&] { return gone.load(); });
      }
      done = true;
    });
  }
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] {
      while (!done) {
        if (called - answered >= 40) continue;
        ++called;
        hub.services.call(request("service_" + std::to_string(i), 0, "light.a", clock.now()),
                          [&](const base::Result<CallOutcome>& result) {
                            if (!result) {
                              EXPECT_EQ(result.error().code, base::ErrorCode::not_found);
                            }
                            ++answered;
                          });
        for (const auto all = hub.services.snapshot(); const auto& [domain, services] : *all)
          EXPECT_FALSE(services->empty()) << domain;
      }
    });
  }
  threads.clear();
  base::wait_until([&] { return answered >= called; });
  hub.bus.stop();
  EXPECT_TRUE(hub.services.snapshot()->empty());
}

// One thread removes what the other adds again as soon as it is gone, perhaps before the removal is announced.
TEST(ServiceRegistryStress, AnnouncesServicesInTheOrderOfChanges) {
  constexpr int kComings = 500;
  const base::SystemClock clock;
  Hub hub(clock);
  bool there = false;
  int announced = 0, wrong = 0;  // bus thread only
  const auto heard = [&](bool comes) {
    return [&, comes](const Event&) {
      wrong += there == comes ? 1 : 0;
      there = comes;
      ++announced;
    };
  };
  const auto come = hub.bus.listen(event_type::kServiceRegistered, heard(true));
  const auto gone = hub.bus.listen(event_type::kServiceRemoved, heard(false));
  hub.bus.start();
  base::Mutex mutex;
  std::optional<Registration> handed_over;
  std::atomic<bool> done = false;
  // So that code that takes two turns for one change is likely to wait between them.
  const auto take_turns = [&] {
    while (!done) EventBus::Turn(hub.bus, IfFull::wait, 0);
  };
  std::jthread crowd[] = {std::jthread(take_turns), std::jthread(take_turns)};
  {
    std::jthread adding([&] {
      for (int i = 0; i < kComings; ++i) {
        base::wait_until([&] { return !hub.services.find("test", "run"); });
        auto registration = hub.services.add(describe("run"), [](const ServiceCall&, const ServiceReply&) {});
        base::MutexLock lock(mutex);
        handed_over = std::move(registration);
      }
    });
    std::jthread removing([&] {
      for (int i = 0; i < kComings;) {
        std::this_thread::yield();
        std::optional<Registration> registration;
        base::MutexLock lock(mutex);
        registration.swap(handed_over);
        if (registration) ++i;
      }
    });
  }
  done = true;
  hub.bus.stop();
  EXPECT_EQ(announced, 2 * kComings);
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace hearth::core
