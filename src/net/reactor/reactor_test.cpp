// SPDX-License-Identifier: Apache-2.0
#include "net/reactor/reactor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <stdexcept>

#include "base/testing/wait_until.h"
#include "net/reactor/on_net.h"
#include "net/reactor/timer.h"

namespace hearth::net {
namespace {

// Waits until the thread has done all that was posted.
void settle(Reactor& reactor) {
  std::promise<void> done;
  EXPECT_TRUE(reactor.post([&] { done.set_value(); }));
  base::wait_for(done.get_future());
}

TEST(Reactor, BeginsItsThreadWithTheFirstTask) {
  Reactor reactor;
  EXPECT_FALSE(reactor.running());
  settle(reactor);
  EXPECT_TRUE(reactor.running());
  reactor.stop();
  EXPECT_FALSE(reactor.running());
  EXPECT_FALSE(reactor.post([] { FAIL(); }));
}

TEST(Reactor, KeepsTheOrderOfPosts) {
  Reactor reactor;
  std::vector<int> order;
  for (int i = 0; i < 1'000; ++i) EXPECT_TRUE(reactor.post([&order, i] { order.push_back(i); }));
  settle(reactor);
  ASSERT_EQ(order.size(), 1'000U);
  EXPECT_TRUE(std::ranges::is_sorted(order));
}

TEST(Reactor, GoesOnAfterATaskThatThrows) {
  Reactor reactor;
  EXPECT_TRUE(reactor.post([] { throw std::runtime_error("broken"); }));
  EXPECT_TRUE(reactor.post([] { throw 1; }));
  settle(reactor);
}

TEST(Reactor, RefusesTasksBeyondItsBound) {
  Reactor reactor;
  std::promise<void> go, waits;
  EXPECT_TRUE(reactor.post([&waits, may = go.get_future().share()] {
    waits.set_value();
    may.wait();
  }));
  base::wait_for(waits.get_future());
  std::size_t taken = 0;
  while (reactor.post([] {})) ++taken;
  EXPECT_EQ(taken, Reactor::kMaxTasks);
  go.set_value();
}

TEST(Reactor, DestroysWhatItOwnsOnItsThreadWhenItStops) {
  struct Object {
    explicit Object(std::promise<std::thread::id>& to) : ended(to) {}
    ~Object() { ended.set_value(std::this_thread::get_id()); }
    std::promise<std::thread::id>& ended;
  };
  std::promise<std::thread::id> ended, runs;
  Reactor reactor;
  OnNet<Object> object(reactor, [&] { return std::make_unique<Object>(ended); });
  EXPECT_TRUE(object.call([&](Object&) { runs.set_value(std::this_thread::get_id()); }));
  const auto thread = base::wait_for(runs.get_future());
  reactor.stop();
  EXPECT_EQ(base::wait_for(ended.get_future()), thread);
  EXPECT_FALSE(object.call([](Object&) { FAIL(); }));
}

TEST(Reactor, CallsNothingOfAnObjectThatCouldNotBeMade) {
  struct Object {
    Object() { throw std::runtime_error("broken"); }
  };
  Reactor reactor;
  {
    OnNet<Object> object(reactor, [] { return std::make_unique<Object>(); });
    EXPECT_TRUE(object.call([](Object&) { FAIL(); }));
  }
  settle(reactor);
}

TEST(Timer, CallsOnceUnlessItIsCancelled) {
  struct Timers {
    explicit Timers(Reactor& reactor) : kept(reactor), cancelled(reactor), replaced(reactor) {}
    Timer kept, cancelled, replaced;
  };
  Reactor reactor;
  std::promise<std::string> done;
  std::string calls;
  OnNet<Timers> timers(reactor, [&] {
    auto made = std::make_unique<Timers>(reactor);
    made->cancelled.start(std::chrono::milliseconds(0), [&] { calls += "cancelled "; });
    made->replaced.start(std::chrono::milliseconds(0), [&] { calls += "first "; });
    made->replaced.start(std::chrono::milliseconds(1), [&] { calls += "second "; });
    made->kept.start(std::chrono::milliseconds(2), [&, at = made.get()] {
      at->kept.start(std::chrono::milliseconds(1), [&] { done.set_value(calls); });
      throw std::runtime_error("broken timer");
    });
    made->cancelled.cancel();
    return made;
  });
  EXPECT_EQ(base::wait_for(done.get_future()), "second ");
}

}  // namespace
}  // namespace hearth::net
