// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "api/test_home.h"
#include "base/testing/wait_until.h"

namespace hearth::api {
namespace {

constexpr std::uint64_t kEvents = 3'000;       // each reader sees so many
constexpr std::uint64_t kStreamAhead = 1'000;  // nobody falls further behind: less than the bus remembers

struct StreamRace {
  TestHome home;
  std::atomic<std::uint64_t> begun = 0;                 // events that were fired, at least
  std::array<std::atomic<std::uint64_t>, 4> seen = {};  // the last sequence number, by reader

  std::uint64_t slowest() const {
    return std::min_element(seen.begin(), seen.end(), [](const auto& a, const auto& b) { return a < b; })->load();
  }
  void fire() {
    while (slowest() < kEvents) {
      base::wait_until([&] { return begun <= slowest() + kStreamAhead || slowest() >= kEvents; });
      ++begun;
      home.hub.bus.fire("tick", "{}", core::Origin::local, core::Context{"c", {}, {}});
    }
  }

  // Reads streams of some frames each; one that resumes asks for what follows the last frame.
  void read(std::size_t reader, bool resumes) {
    std::string last_id;
    for (int round = 0; seen[reader] < kEvents; ++round) {
      http::TestClient client(home.server.port());
      client.send(TestHome::request("GET", "/api/stream", home.admin, "",
                                    resumes && !last_id.empty() ? "Last-Event-ID: " + last_id + "\r\n" : ""));
      ASSERT_TRUE(client.read_until("\r\n\r\n").starts_with("HTTP/1.1 200 "));
      const std::uint64_t latest_first = begun + 1;
      const bool starts_anew = !resumes || last_id.empty();
      if (starts_anew) seen[reader] = latest_first - 1;  // what came before is not for this reader
      ASSERT_NE(client.read_until("data: ping\n\n"), "");
      std::uint64_t last = starts_anew ? 0 : seen[reader].load();
      for (int left = 20 + round % 100; left > 0 && seen[reader] < kEvents; --left) {
        const std::string text = client.read_until("\n\n");
        ASSERT_NE(text.find(R"("event_type":"tick")"), std::string::npos) << text;
        const auto at = text.find("\nid: ");
        ASSERT_NE(at, std::string::npos) << text;
        last_id = text.substr(at + 5, text.size() - at - 7);
        const std::uint64_t sequence = std::stoull(last_id.substr(last_id.find('-') + 1));
        if (last == 0) {
          ASSERT_LE(sequence, latest_first);
        } else {
          ASSERT_EQ(sequence, last + 1);
        }
        last = sequence;
        seen[reader] = last;
      }
    }
    seen[reader] = UINT64_MAX;
  }
};

TEST(StreamHubStress, ShowsEachReaderEveryEventOnceAndInOrder) {
  StreamRace race;
  race.home.start();
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([&] { race.fire(); });
  for (std::size_t i = 0; i < race.seen.size(); ++i) {
    threads.emplace_back([&race, i] {
      race.read(i, i % 2 == 0);
      race.seen[i] = UINT64_MAX;
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace hearth::api
