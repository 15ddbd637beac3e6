// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/connection.h"

#include <gtest/gtest.h>

#include "api/test_home.h"
#include "http/test_websocket.h"

namespace hearth::api {
namespace {

class ConnectionTest : public testing::Test {
 protected:
  ConnectionTest() {
    home_.start();
    client_.open("/api/websocket", http::text_frame(R"({"type":"auth","access_token":")" + home_.reader + R"("})"));
    client_.read_text();  // auth_required
    client_.read_text();  // auth_ok
  }
  static std::string array(int commands, std::string_view type) {
    std::string text = "[";
    for (int id = 1; id <= commands; ++id) {
      if (id > 1) text += ", ";
      text += fmt::format(R"({{"id":{},"type":"{}"}})", id, type);
    }
    return text += "]";
  }

  TestHome home_;
  http::WebSocketClient client_{home_.server.port()};
};

TEST_F(ConnectionTest, RunsTheCommandsOfAnArrayInOrder) {
  client_.send(http::text_frame(array(200, "ping")) + http::text_frame(R"({"id":201,"type":"ping"})"));
  for (int id = 1; id <= 201; ++id) {
    ASSERT_EQ(client_.read_text(), fmt::format(R"({{"id":{},"type":"pong"}})", id));
  }
}

TEST_F(ConnectionTest, RefusesOfAnArrayWhatIsMoreThanMayBeUnderWay) {
  const int limit = static_cast<int>(home_.hub.limits.commands);
  client_.send(http::text_frame(array(limit + 100, "ping")));
  for (int id = 1; id <= limit; ++id) {
    ASSERT_EQ(client_.read_text(), fmt::format(R"({{"id":{},"type":"pong"}})", id));
  }
  for (int id = limit + 1; id <= limit + 100; ++id) {
    ASSERT_EQ(client_.read_text(),
              fmt::format(R"({{"id":{},"type":"result","success":false,"error":{{"code":"home_assistant_error",)"
                          R"("message":"Too many commands of this client are under way: 512 are the limit )"
                          R"((commands)."}}}})",
                          id));
  }
  client_.send(http::text_frame(fmt::format(R"({{"id":{},"type":"ping"}})", limit + 101)));
  EXPECT_EQ(client_.read_text(), fmt::format(R"({{"id":{},"type":"pong"}})", limit + 101));
}

TEST_F(ConnectionTest, WaitsWithTheRestOfAnArrayUntilTheClientReads) {
  home_.set("sensor.long", "1", R"({"x":")" + std::string(200'000, 'x') + R"("})");
  client_.send(http::text_frame(array(300, "get_states")));
  for (int id = 1; id <= 300; ++id) {
    ASSERT_TRUE(client_.read_text().starts_with(fmt::format(R"({{"id":{},"type":"result","success":true)", id)));
  }
}

TEST_F(ConnectionTest, SendsTheStatesOfALargeHomeInFragments) {
  for (int i = 0; i < 2'000; ++i) {
    home_.set(fmt::format("sensor.n{}", i), "1", R"({"x":")" + std::string(200, 'x') + R"("})");
  }
  client_.send(http::text_frame(R"({"id":1,"type":"get_states"})") +
               http::text_frame(R"({"id":2,"type":"subscribe_entities"})") +
               http::text_frame(R"({"id":3,"type":"ping"})"));
  const auto states = base::parse_json(client_.read_text());
  ASSERT_TRUE(states);
  EXPECT_EQ(states->at("id"), 1);
  EXPECT_EQ(states->at("result").as_array().size(), 2'000u);
  const int fragments = client_.fragments();
  EXPECT_GE(fragments, 5);
  EXPECT_EQ(client_.read_text(), R"({"id":2,"type":"result","success":true,"result":null})");
  const auto snapshot = base::parse_json(client_.read_text());
  ASSERT_TRUE(snapshot);
  EXPECT_EQ(snapshot->at("event").at("a").as_object().size(), 2'000u);
  EXPECT_GE(client_.fragments(), fragments + 5);
  EXPECT_EQ(client_.read_text(), R"({"id":3,"type":"pong"})");
}

TEST_F(ConnectionTest, GivesAllItsSubscriptionsAllOfABatchInOrderHoweverManyTurnsItTakes) {
  constexpr int kSubscriptions = 400, kChanges = 20;
  home_.set("sensor.a", "start");
  for (int id = 1; id <= kSubscriptions; ++id) {
    client_.send(
        http::text_frame(fmt::format(R"({{"id":{},"type":"subscribe_events","event_type":"state_changed"}})", id)));
    ASSERT_EQ(client_.read_text(), fmt::format(R"({{"id":{},"type":"result","success":true,"result":null}})", id));
  }
  for (int i = 1; i <= kChanges; ++i) home_.set("sensor.a", std::to_string(i));
  std::vector<int> seen(kSubscriptions + 1, 0);
  for (int i = 0; i < kSubscriptions * kChanges; ++i) {
    const json::value message = base::parse_json(client_.read_text()).value();
    const auto id = message.at("id").as_int64();
    const auto& state = message.at("event").at("data").at("new_state").at("state").as_string();
    ASSERT_EQ(state, std::to_string(++seen[static_cast<std::size_t>(id)])) << id;
  }
  client_.send(http::text_frame(fmt::format(R"({{"id":{},"type":"ping"}})", kSubscriptions + 1)));
  EXPECT_EQ(client_.read_text(), fmt::format(R"({{"id":{},"type":"pong"}})", kSubscriptions + 1));
}

}  // namespace
}  // namespace hearth::api
