// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/connection/hub_end.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "integrations/home_assistant/protocol/text_parts.h"
#include "net/testing/fake_bus.h"
#include "net/testing/scripted_websocket.h"

namespace hearth::integrations::home_assistant {
namespace {

using Peer = net::testing::ScriptedPeer;
using Server = net::testing::ScriptedServer;
using Socket = net::testing::ScriptedWebSocket;

// The hub there: answers each command with success, and the subscription of states with one light. Until the hub here
// goes, or `more` has returned false after a command.
struct MadeServer {
  explicit MadeServer(Peer& peer) : socket(peer) { socket.accept(); }

  void greet(std::string_view answer = R"({"type":"auth_ok"})") {
    socket.send_text(R"({"type":"auth_required"})");
    socket.receive();
    socket.send_text(answer);
  }
  // True until the hub here has gone.
  bool serve_one() {
    const Socket::Frame frame = socket.receive();
    if (frame.opcode != Socket::kText) return false;
    const json::object command = object_of(frame.payload);
    const auto id = command.at("id").as_int64();
    const std::string_view type = command.at("type").as_string();
    std::string_view result = "null";
    if (type == "ping") return socket.send_text(fmt::format(R"({{"id":{},"type":"pong"}})", id)), true;
    if (type == "get_config") result = R"({"version":"2026.2.3","state":"RUNNING"})";
    if (type.ends_with("/list")) result = "[]";
    socket.send_text(fmt::format(R"({{"id":{},"type":"result","success":true,"result":{}}})", id, result));
    if (type == "subscribe_entities") {
      states = id;
      socket.send_text(fmt::format(R"({{"id":{},"type":"event","event":{{"a":{{"light.a":{{"s":"on"}}}}}}}})", id));
    }
    if (type == "config/entity_registry/get_entries") complete = true;
    return true;
  }

  Socket socket;
  std::int64_t states = 0;
  bool complete = false;  // the last of the first commands is answered
};

struct HubEndTest : ::testing::Test {
  using End = net::OnNet<HubEnd>;

  std::unique_ptr<End> connect(const Server& server) {
    return std::make_unique<End>(reactor, [this, url = fmt::format("http://127.0.0.1:{}/api/websocket", server.port()),
                                           sender = queue.sender()]() mutable {
      return std::make_unique<HubEnd>(
          reactor, net::WebSocketOptions{.url = url, .ping = std::chrono::hours(1), .pauses = kShort},
          SessionOptions{.token = core::Secret("t"), .max_updates = 1'000'000}, waiting, std::move(sender));
    });
  }
  void take(net::BusQueue<HubArrival>::Batch batch) {
    EXPECT_FALSE(batch.lost);
    for (HubArrival& one : batch.items) {
      waiting->changes -= one.changes;
      waiting->bytes -= one.bytes;
      if (const auto* const changes = std::get_if<Changes>(&one.news)) taken += changes->changes.size();
      if (const auto* const lost = std::get_if<Lost>(&one.news)) losses.push_back(*lost);
      if (const auto* const picture = std::get_if<Picture>(&one.news)) pictures += picture->running;
    }
  }

  static constexpr net::Pauses kShort{std::chrono::milliseconds(1), std::chrono::milliseconds(1)};
  net::testing::FakeBus bus;
  std::shared_ptr<HubArrival::Waiting> waiting = std::make_shared<HubArrival::Waiting>();
  std::size_t taken = 0;
  int pictures = 0;
  std::vector<Lost> losses;
  net::BusQueue<HubArrival> queue{bus.post(), [this](auto batch) { take(std::move(batch)); }, 4'096};
  net::Reactor reactor;
};

TEST_F(HubEndTest, ComesBackForEver) {
  std::atomic<int> turn = 0;
  Server server([&](Peer& peer) {
    MadeServer made(peer);
    if (turn++ == 0) return;  // without a word
    made.greet();
    while (made.serve_one())
      if (made.complete && turn < 30) return;
  });
  const auto end = connect(server);
  bus.run_until([&] { return turn >= 30 && pictures > 0 && waiting->bytes == 0; });
  EXPECT_GE(losses.size(), 29u);
  for (const Lost& lost : losses) EXPECT_EQ(lost.why, Lost::Why::link) << lost.message;
}

TEST_F(HubEndTest, WaitsForAPersonIfTheTokenIsRefused) {
  std::atomic<int> turn = 0;
  Server server([&](Peer& peer) {
    MadeServer made(peer);
    if (turn++ == 0) return made.greet(R"({"type":"auth_invalid","message":"no"})");
    made.greet();
    while (made.serve_one()) {
    }
  });
  const auto end = connect(server);
  bus.run_until([&] { return !losses.empty(); });
  EXPECT_EQ(losses.at(0).why, Lost::Why::refused);
  EXPECT_EQ(losses.at(0).retry_in, HubEnd::kRefused);
  EXPECT_EQ(losses.at(0).message,
            fmt::format("http://127.0.0.1:{}/api/websocket refuses the token: no", server.port()));
  EXPECT_EQ(turn, 1);
  end->call([](HubEnd& it) { it.reconnect(); });
  bus.run_until([&] { return pictures > 0; });
  end->call([](HubEnd& it) { it.reconnect(); });
  bus.run_until([&] { return pictures > 1; });
  EXPECT_EQ(turn, 3) << "anew, too";
}

TEST_F(HubEndTest, DoesNotReadMoreThanTheBusTakes) {
  constexpr std::size_t kFrames = 60, kChanges = 5'000;
  Server server([&](Peer& peer) {
    MadeServer made(peer);
    made.greet();
    while (!made.complete && made.serve_one()) {
    }
    std::string changes;
    for (std::size_t i = 0; i < kChanges; ++i)
      changes += fmt::format(R"({}"light.a":{{"+":{{"s":"{}"}}}})", i ? "," : "", i);
    for (std::size_t i = 0; i < kFrames; ++i)
      made.socket.send_text(fmt::format(R"({{"id":{},"type":"event","event":{{"c":{{{}}}}}}})", made.states, changes));
    while (made.serve_one()) {
    }
  });
  const auto end = connect(server);
  bus.run_until([&] { return pictures > 0; });
  // The bus is behind.
  base::wait_until([&] { return waiting->paused.load(); });
  EXPECT_LE(waiting->changes, HubConnection::kMaxChanges + kChanges);
  const auto resume = [&] {
    if (waiting->changes == 0 && waiting->paused.exchange(false)) end->call([](HubEnd& it) { it.resume(); });
    return taken >= kFrames * kChanges;
  };
  bus.run_until(resume);
  EXPECT_EQ(taken, kFrames * kChanges);
  EXPECT_TRUE(losses.empty());
}

}  // namespace
}  // namespace hearth::integrations::home_assistant
