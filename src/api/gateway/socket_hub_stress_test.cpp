// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "api/test_home.h"
#include "base/testing/wait_until.h"
#include "http/test_websocket.h"

namespace hearth::api {
namespace {

constexpr int kWriters = 2;      // each with an entity of its own
constexpr int kClientsEach = 6;  // one after the other
constexpr int kChangesEach = 300;
constexpr int kAhead = 200;        // nobody falls further behind: less than a queue holds
constexpr int kUnbound = 1 << 30;  // of a client that is not listening

// Writers count each entity up; a client that knows the snapshot sees each next number exactly once.
struct Race {
  TestHome home;
  std::atomic<int> clients_left = 4;
  std::array<std::atomic<int>, 4> seen = {kUnbound, kUnbound, kUnbound, kUnbound};  // the last value, by client

  int slowest() const {
    return std::min_element(seen.begin(), seen.end(), [](const auto& a, const auto& b) { return a < b; })->load();
  }

  static std::string id(int entity) { return "sensor.race_" + std::to_string(entity); }

  void write(int entity) {
    for (int value = 1; clients_left > 0;) {
      base::wait_until([&] { return value <= slowest() + kAhead || clients_left == 0; });
      home.set(id(entity), std::to_string(value), R"({"n":)" + std::to_string(value) + "}");
      ++value;
    }
  }

  static int number(const json::value& text) { return std::stoi(std::string(text.get_string())); }

  void watch(std::size_t self) {
    for (int round = 0; round < kClientsEach; ++round) {
      http::WebSocketClient client(home.server.port());
      client.open("/api/websocket", http::text_frame(R"({"type":"auth","access_token":")" + home.user + R"("})") +
                                        http::text_frame(R"({"id":1,"type":"subscribe_entities"})"));
      client.read_text();  // auth_required
      client.read_text();  // auth_ok
      ASSERT_EQ(client.read_text(), R"({"id":1,"type":"result","success":true,"result":null})");
      std::map<std::string, int, std::less<>> values;
      for (int changes = 0; changes < kChangesEach;) {
        const std::string text = client.read_text();
        const auto message = base::parse_json(text);
        ASSERT_TRUE(message) << text;
        const json::object& event = message->at("event").get_object();
        if (const json::value* added = event.if_contains("a")) {
          for (const auto& [entity, full] : added->get_object()) {
            ASSERT_TRUE(values.emplace(entity, number(full.at("s"))).second) << text;
            seen[self] = values.at(entity);
          }
        }
        if (const json::value* changed = event.if_contains("c")) {
          for (const auto& [entity, change] : changed->get_object()) {
            const int value = number(change.at("+").at("s"));
            ASSERT_EQ(value, ++values.at(entity)) << text;
            ASSERT_EQ(change.at("+").at("a").at("n").to_number<int>(), value) << text;
            seen[self] = value;
            ++changes;
          }
        }
      }
      seen[self] = kUnbound;
    }
  }
};

TEST(SocketHubStress, ShowsEachClientEveryChangeOnceFromItsSnapshotOn) {
  Race race;
  race.home.start();
  for (int entity = 0; entity < kWriters; ++entity) race.home.set(Race::id(entity), "0", R"({"n":0})");
  std::vector<std::thread> threads;
  for (int i = 0; i < kWriters; ++i) {
    threads.emplace_back([&race, i] { race.write(i); });
  }
  for (std::size_t i = 0; i < race.seen.size(); ++i) {
    threads.emplace_back([&race, i] {
      race.watch(i);
      race.seen[i] = kUnbound;
      --race.clients_left;
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace hearth::api
