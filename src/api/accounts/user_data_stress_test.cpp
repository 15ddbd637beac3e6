// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "api/test_home.h"
#include "base/random_id.h"
#include "http/test_websocket.h"

namespace hearth::api {
namespace {

constexpr int kReaders = 3;
constexpr int kClientsOfReader = 5;  // one after the other
constexpr int kChangesOfClient = 40;

// A home whose user stands in a database.
struct Home {
  Home() {
    std::filesystem::create_directory(folder);
    EXPECT_TRUE(home.gate.open(folder / "home.db"));
    auto store = auth::AccountStore::open(folder / "home.db", home.clock);
    EXPECT_TRUE(store && store->add_user("ann", auth::Role::user, "seven small lamps"));
    token = store->create_token("ann", "test").value();
    EXPECT_TRUE(home.gate.accounts.start());
    home.start();
  }
  ~Home() {
    home.gate.accounts.stop();
    home.server.stop(std::chrono::milliseconds(0));
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  void open(http::WebSocketClient& client) const {
    client.open("/api/websocket", http::text_frame(R"({"type":"auth","access_token":")" + token + R"("})"));
    client.read_text();  // auth_required
    client.read_text();  // auth_ok
  }

  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("hearth_" + base::make_random_id());
  TestHome home;
  std::string token;
};

// One client counts a value up; others that know its first value see each next number exactly once.
TEST(UserDataStress, ShowsEachClientEveryChangeOnceFromItsFirstValueOn) {
  Home home;
  std::atomic<int> readers_left = kReaders;
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    http::WebSocketClient client(home.home.server.port());
    home.open(client);
    for (int value = 1; readers_left > 0; ++value) {
      client.send(http::text_frame(
          fmt::format(R"({{"id":{0},"type":"frontend/set_user_data","key":"n","value":{0}}})", value)));
      ASSERT_EQ(client.read_text(), fmt::format(R"({{"id":{},"type":"result","success":true,"result":null}})", value));
    }
  });
  const auto watch = [&home] {
    http::WebSocketClient client(home.home.server.port());
    home.open(client);
    client.send(http::text_frame(R"({"id":1,"type":"frontend/subscribe_user_data","key":"n"})"));
    ASSERT_EQ(client.read_text(), R"({"id":1,"type":"result","success":true,"result":null})");
    std::optional<std::int64_t> last;
    for (int change = 0; change <= kChangesOfClient; ++change) {
      const std::string text = client.read_text();
      const auto message = base::parse_json(text);
      ASSERT_TRUE(message) << text;
      const json::value& value = message->at("event").at("value");
      const std::int64_t number = value.is_null() ? 0 : value.get_int64();
      ASSERT_EQ(number, last.value_or(number - 1) + 1) << text;
      last = number;
    }
  };
  for (int reader = 0; reader < kReaders; ++reader) {
    threads.emplace_back([&] {
      for (int round = 0; round < kClientsOfReader; ++round) watch();
      --readers_left;
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace hearth::api
