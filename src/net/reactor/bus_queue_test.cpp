// SPDX-License-Identifier: Apache-2.0
#include "net/reactor/bus_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "net/reactor/on_net.h"
#include "net/testing/fake_bus.h"

namespace hearth::net {
namespace {

using Numbers = BusQueue<int>;

// Something on the thread that sends numbers until there is no room.
struct NumberSource {
  NumberSource(Reactor& reactor, BusSender<int> to) : sender(std::move(to)) {
    sender.start(reactor, [this] { ++rooms; });
  }
  BusSender<int> sender;
  int rooms = 0;
};

struct BusQueueTest : ::testing::Test {
  BusQueueTest() {
    queue.emplace(
        bus.post(),
        [this](Numbers::Batch batch) {
          ++batches;
          lost = lost || batch.lost;
          got.insert(got.end(), batch.items.begin(), batch.items.end());
        },
        2);
    source.emplace(reactor, [this, sender = std::make_shared<BusSender<int>>(queue->sender())] {
      return std::make_unique<NumberSource>(reactor, std::move(*sender));
    });
  }
  // How many of the puts said that there is room for more.
  std::size_t put(int first, int count, std::size_t bytes = 1) {
    std::promise<std::size_t> done;
    EXPECT_TRUE(source->call([&](NumberSource& it) {
      std::size_t with_room = 0;
      for (int i = 0; i < count; ++i) with_room += it.sender.put(first + i, bytes) ? 1 : 0;
      done.set_value(with_room);
    }));
    return base::wait_for(done.get_future());
  }
  int rooms() {
    std::promise<int> done;
    EXPECT_TRUE(source->call([&](NumberSource& it) { done.set_value(it.rooms); }));
    return base::wait_for(done.get_future());
  }

  testing::FakeBus bus;
  Reactor reactor;
  int batches = 0;
  bool lost = false;
  std::vector<int> got;
  std::optional<Numbers> queue;
  std::optional<OnNet<NumberSource>> source;
};

TEST_F(BusQueueTest, DeliversInOrderAndInOneTask) {
  EXPECT_EQ(put(0, 100), 100U);
  EXPECT_EQ(bus.tasks(), 1);
  bus.run_pending();
  EXPECT_EQ(batches, 1);
  EXPECT_EQ(got.size(), 100U);
  EXPECT_TRUE(std::ranges::is_sorted(got));
  put(100, 1);
  bus.run_until([&] { return got.size() == 101; });
  EXPECT_FALSE(lost);
  EXPECT_EQ(rooms(), 0);
}

TEST_F(BusQueueTest, SaysWhenItIsFullAndWhenThereIsRoom) {
  constexpr int kMost = static_cast<int>(Numbers::kMaxItems);
  EXPECT_EQ(put(0, kMost), Numbers::kMaxItems - 1);
  bus.run_until([&] { return got.size() == Numbers::kMaxItems; });
  base::wait_until([&] { return rooms() == 1; });
  EXPECT_EQ(put(0, 3, Numbers::kMaxBytes / 2), 1U);
  bus.run_until([&] { return got.size() == Numbers::kMaxItems + 3; });
  base::wait_until([&] { return rooms() == 2; });
  EXPECT_FALSE(lost);
}

TEST_F(BusQueueTest, LosesWhatComesFarBeyondItsBoundAndSaysSo) {
  put(0, 20 * static_cast<int>(Numbers::kMaxItems));
  bus.run_pending();
  EXPECT_TRUE(lost);
  EXPECT_EQ(got.size(), 2 * Numbers::kMaxItems);
}

TEST_F(BusQueueTest, TriesAFullBusAgain) {
  bus.set_full(true);
  put(0, 3);
  base::wait_until([&] { return bus.refused() > 2; });
  bus.set_full(false);
  bus.run_until([&] { return got.size() == 3; });
  EXPECT_EQ(batches, 1);
}

TEST_F(BusQueueTest, DeliversNothingAfterItsEnd) {
  put(0, 3);
  queue.reset();
  bus.run_pending();
  put(3, 3);
  bus.run_pending();
  EXPECT_TRUE(got.empty());
}

}  // namespace
}  // namespace hearth::net
