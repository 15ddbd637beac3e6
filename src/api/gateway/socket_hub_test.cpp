// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/socket_hub.h"

#include <gtest/gtest.h>

#include "api/test_home.h"
#include "http/test_websocket.h"

namespace hearth::api {
namespace {

class SocketHubTest : public testing::Test {
 protected:
  SocketHubTest() { home_.start(); }

  // Both on the same worker, or not: it makes no difference to what they get.
  std::unique_ptr<http::WebSocketClient> subscribed(std::string_view command) {
    return subscribed(command, home_.admin);
  }
  std::unique_ptr<http::WebSocketClient> subscribed(std::string_view command, const std::string& token) {
    auto client = std::make_unique<http::WebSocketClient>(home_.server.port());
    client->open("/api/websocket",
                 http::text_frame(R"({"type":"auth","access_token":")" + token + R"("})") + http::text_frame(command));
    client->read_text();  // auth_required
    client->read_text();  // auth_ok
    EXPECT_EQ(client->read_text(), R"({"id":1,"type":"result","success":true,"result":null})");
    return client;
  }

  TestHome home_;
};

// Attributes that are no JSON, which no part of the hub lets through, stand for whatever makes a delivery fail.
TEST_F(SocketHubTest, CutsWhomItCannotTellAndTellsTheOthersEachEventOnceInOrder) {
  home_.set("sensor.odd", "1", R"({"n":1})");
  std::vector<std::unique_ptr<http::WebSocketClient>> wanting, hearing;
  for (int i = 0; i < 4; ++i) {
    wanting.push_back(subscribed(R"({"id":1,"type":"subscribe_entities"})"));
    wanting.back()->read_text();  // what there is
    hearing.push_back(subscribed(R"({"id":1,"type":"subscribe_events","event_type":"tick"})"));
  }
  const auto tick = [&](int n) {
    home_.hub.bus.fire("tick", fmt::format(R"({{"n":{}}})", n), core::Origin::local, core::Context{"c", {}, {}});
  };
  for (int n = 0; n < 10; ++n) {
    tick(n);
    if (n == 4) home_.set("sensor.odd", "2", R"({"n":an})");
  }
  for (const auto& client : wanting) EXPECT_EQ(client->read_frame().opcode, -1);
  for (int n = 10; n < 20; ++n) tick(n);
  for (const auto& client : hearing) {
    for (int n = 0; n < 20; ++n) {
      const std::string text = client->read_text();
      ASSERT_NE(text.find(fmt::format(R"("data":{{"n":{}}})", n)), std::string::npos) << n << ": " << text;
    }
  }
}

TEST_F(SocketHubTest, EndsAllWhoseTokensHaveExpiredAlsoIfLookingAtOneThrows) {
  std::vector<std::unique_ptr<http::WebSocketClient>> clients;
  for (int i = 0; i < 8; ++i) {
    clients.push_back(subscribed(R"({"id":1,"type":"subscribe_events"})", home_.brief));
  }
  home_.clock.advance(std::chrono::hours(2));
  home_.gate_clock.failures = 1;
  home_.api.check_callers();
  int cut = 0;
  for (const auto& client : clients) {
    const auto frame = client->read_frame();
    if (frame.opcode == -1)
      ++cut;
    else
      EXPECT_EQ(frame.code, 1008);
  }
  EXPECT_EQ(cut, 1);
}

}  // namespace
}  // namespace hearth::api
