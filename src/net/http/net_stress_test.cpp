// SPDX-License-Identifier: Apache-2.0
// The bus thread and the thread `net` at once: requests that end while others are given up, links that come and go
// while bytes arrive, and the end of the reactor in the middle of it.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "net/http/http_client.h"
#include "net/http/test_http.h"
#include "net/link/link.h"
#include "net/reactor/on_net.h"

namespace hearth::net {
namespace {

using testing::FakeBus;
using testing::ScriptedPeer;
using testing::ScriptedServer;

TEST(NetStressTest, RequestsEndOnceOrWereGivenUp) {
  ScriptedServer server(answer_all("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  FakeBus bus;
  Reactor reactor;
  HttpClient client(reactor, bus.post());
  std::atomic<bool> over = false;
  std::atomic<std::uint64_t> ran = 0;
  std::thread other([&] {
    while (!over) {
      static_cast<void>(reactor.post([&] { ++ran; }));
      std::this_thread::yield();
    }
  });
  std::map<int, int> ends;
  std::vector<base::Handle> kept;
  int wanted = 0;
  for (int i = 0; i < 600; ++i) {
    base::Handle handle = client.ask({.url = HttpTest::url(server)},
                                     [&ends, i](const HttpResult& result) { ends[i] += result ? 1 : 100; });
    // Each third is given up at once, each third after others have ended.
    if (i % 3 == 0) continue;
    if (i % 3 == 1) ++wanted;
    kept.push_back(std::move(handle));
    if (kept.size() < 32) continue;
    bus.run_until([&] { return !ends.empty(); });
    for (std::size_t place = 0; place < kept.size(); ++place)
      if (place % 2 == 1) kept[place] = {};
    const int until = i;
    bus.run_until([&] {
      int ended = 0;
      for (int each = 1; each <= until; each += 3) ended += ends.contains(each) ? 1 : 0;
      return ended == wanted;
    });
    kept.clear();
  }
  over = true;
  other.join();
  EXPECT_GT(ran, 0U);
  for (const auto& [number, times] : ends) EXPECT_EQ(times, 1) << "request " << number;
  for (int each = 0; each < 600; each += 3) EXPECT_FALSE(ends.contains(each)) << "request " << each;
}

// Brings what a link hears to the bus, and stops reading while the bus is behind.
class StressLink final : public Link::Handler {
 public:
  StressLink(Reactor& reactor, std::uint16_t port, BusSender<std::string> to)
      : sender_(std::move(to)),
        link_(make_link(reactor,
                        {.target = {.host = "127.0.0.1", .port = port},
                         .pauses = {std::chrono::milliseconds(1), std::chrono::milliseconds(2)}},
                        *this)) {
    sender_.start(reactor, [this] { link_->resume_reading(); });
  }

  void on_connected() override { link_->set_ready(); }
  void on_bytes(std::string_view bytes) override {
    if (!sender_.put(std::string(bytes), bytes.size())) link_->pause_reading();
  }
  void on_lost(const Failure&, std::chrono::milliseconds) override { static_cast<void>(sender_.put("|", 1)); }

 private:
  BusSender<std::string> sender_;
  std::unique_ptr<Link> link_;
};

// A link, and what the bus has of it.
struct StressConnection {
  StressConnection(FakeBus& bus, Reactor& reactor, std::uint16_t port)
      : queue(bus.post(),
              [this](BusQueue<std::string>::Batch batch) {
                lost = lost || batch.lost;
                for (const std::string& text : batch.items) heard += text;
              }),
        link(reactor, [&reactor, port, sender = std::make_shared<BusSender<std::string>>(queue.sender())] {
          return std::make_unique<StressLink>(reactor, port, std::move(*sender));
        }) {}

  // Each connection's bytes are 0 to 9, again and again, from 0 on.
  bool in_order() const {
    char next = '0';
    for (const char c : heard) {
      if (c == '|') {
        next = '0';
        continue;
      }
      if (c != next) return false;
      next = c == '9' ? '0' : static_cast<char>(c + 1);
    }
    return true;
  }

  std::string heard;
  bool lost = false;
  BusQueue<std::string> queue;
  OnNet<StressLink> link;
};

TEST(NetStressTest, LinksComeAndGoWhileBytesArrive) {
  std::atomic<int> turn = 0;
  ScriptedServer server([&](ScriptedPeer& peer) {
    const int number = ++turn;
    for (int i = 0; i < 200; ++i) peer.send("0123456789");
    if (number % 3 == 0) return peer.reset();
    if (number % 3 == 1) return;
    peer.drain();
  });
  FakeBus bus;
  auto reactor = std::make_unique<Reactor>();
  std::vector<std::unique_ptr<StressConnection>> all(8);
  for (int round = 0; round < 120; ++round) {
    auto& place = all[static_cast<std::size_t>(round) % all.size()];
    if (place) {
      EXPECT_TRUE(place->in_order()) << place->heard;
      EXPECT_FALSE(place->lost);
    }
    place = std::make_unique<StressConnection>(bus, *reactor, server.port());
    StressConnection& one = *place;
    bus.set_full(round % 10 == 5);
    bus.run_pending();
    bus.set_full(false);
    if (round % 4 == 0) bus.run_until([&] { return one.heard.size() >= 100; });
  }
  // Its end meets links that are connecting, that hear something, and that wait.
  reactor->stop();
  bus.run_pending();
  for (const auto& each : all) EXPECT_TRUE(each->in_order()) << each->heard;
  all.clear();
}

}  // namespace
}  // namespace hearth::net
