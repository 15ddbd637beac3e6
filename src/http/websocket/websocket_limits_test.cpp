// SPDX-License-Identifier: Apache-2.0
// Limits of one client of a WebSocket, for which nobody else waits.
#include "base/testing/wait_until.h"
#include "http/test_websocket.h"

namespace hearth::http {
namespace {

using namespace std::chrono_literals;

class WebSocketLimitsTest : public WebSocketFixture {
 protected:
  void open(WebSocketClient& client, const std::string& name) {
    const int before = opened_;
    ASSERT_TRUE(client.open(name).starts_with("HTTP/1.1 101 "));
    base::wait_until([&] { return opened_ != before; });
  }
  // False if this cuts the connection, or it was cut before.
  bool send_to(const std::string& name, const MessagePtr& what, int times = 1) {
    bool sent = false;
    on_worker([&] {
      const auto found = sockets_.find(name);
      if (found == sockets_.end()) return;
      for (int i = 0; i < times; ++i) sent = found->second->send(what);
      found->second->flush();
    });
    return sent;
  }
  // Sends until the kernel accepts no more.
  void clog(const std::string& name) {
    const MessagePtr large = message(std::string(4'000'000, 'x'));
    for (bool waits = false; !waits;) {
      ASSERT_TRUE(send_to(name, large));
      waits = large.use_count() > 1;
    }
  }
};

TEST_F(WebSocketLimitsTest, CutsAClientIfTooManyMessagesWait) {
  options_.limits.stream_frames = 50;
  serve();
  WebSocketClient slow(port(), 4096), fast(port());
  open(slow, "/slow");
  open(fast, "/fast");
  clog("/slow");
  const MessagePtr small = message("small");
  EXPECT_TRUE(send_to("/slow", small, 49));
  EXPECT_TRUE(send_to("/fast", small, 60));
  EXPECT_FALSE(send_to("/slow", small));
  wait_until_gone(1);
  for (int i = 0; i < 60; ++i) ASSERT_EQ(fast.read_text(), "small");
  EXPECT_TRUE(send_to("/fast", message("last")));
  EXPECT_EQ(fast.read_text(), "last");
  on_worker([&] { EXPECT_FALSE(sockets_.contains("/slow")); });
}

TEST_F(WebSocketLimitsTest, CutsAClientIfTooManyBytesWait) {
  options_.limits.stream_bytes = 1'000'000;
  serve();
  WebSocketClient slow(port(), 4096);
  open(slow, "/slow");
  clog("/slow");
  const MessagePtr third = message(std::string(300'000, 'x'));
  EXPECT_TRUE(send_to("/slow", third, 3));
  EXPECT_FALSE(send_to("/slow", third));
  wait_until_gone(1);
}

TEST_F(WebSocketLimitsTest, CutsAClientThatDoesNotReadItsPongs) {
  options_.limits.stream_frames = 50;
  serve();
  WebSocketClient slow(port(), 4096);
  open(slow, "/slow");
  clog("/slow");
  for (int i = 0; i < 100; ++i) slow.send(client_frame(Opcode::ping, "p"));
  wait_until_gone(1);
}

TEST_F(WebSocketLimitsTest, CutsAClientIfManyMessagesWaitForLong) {
  options_.limits.websocket_high = 10;
  options_.limits.websocket_high_time = 1s;
  serve();
  WebSocketClient slow(port(), 4096), almost(port(), 4096);
  open(slow, "/slow");
  open(almost, "/almost");
  clog("/slow");
  clog("/almost");
  EXPECT_TRUE(send_to("/slow", message("small"), 10));
  EXPECT_TRUE(send_to("/almost", message("small"), 9));
  wait_until_gone(1);
  EXPECT_TRUE(send_to("/almost", message("last")));
}

TEST_F(WebSocketLimitsTest, SendsOneMessageThatIsLargerThanTheQueue) {
  options_.limits.stream_bytes = 1'000;
  serve();
  WebSocketClient client(port());
  open(client, "/");
  const std::string large(35'000'000, 'x');
  EXPECT_TRUE(send_to("/", message(large)));
  EXPECT_EQ(client.read_text(), large);
}

TEST_F(WebSocketLimitsTest, ReadsOnlyOnceItsAnswersAreTaken) {
  std::atomic<int> handled = 0;
  const std::string large(3'000'000, 'x');
  on_message = [&](WebSocket& socket, std::string_view, bool) {
    ++handled;
    socket.send(message(large));
  };
  serve();
  WebSocketClient client(port(), 4096);
  open(client, "/");
  for (int i = 0; i < 30; ++i) client.send(text_frame("more"));
  client.send(client_frame(Opcode::close, close_payload(1000)));
  EXPECT_EQ(client.read_text(), large);
  EXPECT_LT(handled, 10);
  for (int i = 1; i < 30; ++i) ASSERT_EQ(client.read_text(), large);
  EXPECT_EQ(client.read_close(), 1000);
}

TEST_F(WebSocketLimitsTest, ReadsNothingMoreWhileManyAnswersWait) {
  constexpr int kMessages = 20'000;  // whose answers exceed what the kernel buffers
  options_.limits.stream_frames = 1'000;
  options_.limits.websocket_high = 500;
  std::atomic<int> received = 0;
  on_message = [&](WebSocket& socket, std::string_view payload, bool) {
    ++received;
    socket.send(message(std::string(payload) + std::string(500, '.')));
  };
  serve();
  WebSocketClient client(port(), 4096);
  client.open();
  std::thread sender([&] {
    for (int i = 0; i < kMessages; ++i) client.send(text_frame(std::to_string(i)));
  });
  // The client reads after the hub has taken all that it will.
  int before = -1;
  for (int tries = 0; tries < 100 && (before != received || before == 0); ++tries) {
    before = received;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_LT(received, kMessages);
  for (int i = 0; i < kMessages; ++i) {
    const std::string answer = client.read_text();
    if (answer == std::to_string(i) + std::string(500, '.')) continue;
    ADD_FAILURE() << i << ": " << answer.substr(0, 20);
    break;
  }
  sender.join();
}

TEST_F(WebSocketLimitsTest, GivesOthersTheirTurn) {
  std::string order;
  on_message = [&](WebSocket&, std::string_view payload, bool) { order += payload; };
  serve();
  WebSocketClient eager(port()), other(port());
  open(eager, "/eager");
  open(other, "/other");
  std::string many;
  for (int i = 0; i < 3'000; ++i) many += text_frame(".");
  on_worker([&] {  // both find the worker busy
    eager.send(many);
    other.send(text_frame("!"));
  });
  for (bool all = false; !all;) on_worker([&] { all = order.size() == 3'001; });
  EXPECT_LT(order.find('!'), 10u);
}

TEST_F(WebSocketLimitsTest, RefusesMessagesThatAreTooLong) {
  options_.limits.websocket_message_bytes = 1'000;
  serve();
  const std::string most(1'000, 'x');
  for (const std::string& excess :
       {text_frame(most + "x"), client_frame(Opcode::text, most, false) + client_frame(Opcode::continuation, "x")}) {
    WebSocketClient client(port());
    client.open();
    client.send(text_frame(most) + excess);
    EXPECT_EQ(client.read_text(), most);
    EXPECT_EQ(client.read_close(), 1009);
  }
}

TEST_F(WebSocketLimitsTest, CutsAClientThatDoesNotAuthenticateInTime) {
  options_.limits.websocket_login_time = 1s;
  admits_ = false;
  on_message = [](WebSocket& socket, std::string_view payload, bool) {
    if (payload == "token") socket.admit();
    socket.send(message(payload));
  };
  serve();
  WebSocketClient known(port()), unknown(port());
  open(known, "/known");
  known.send(text_frame("token"));
  EXPECT_EQ(known.read_text(), "token");
  open(unknown, "/unknown");
  unknown.send(text_frame("nonsense"));
  EXPECT_EQ(unknown.read_text(), "nonsense");
  EXPECT_TRUE(unknown.ended());
  wait_until_gone(1);
  known.send(text_frame("still here"));
  EXPECT_EQ(known.read_text(), "still here");
}

TEST_F(WebSocketLimitsTest, TakesLongMessagesFromAuthenticatedClientsOnly) {
  options_.limits.websocket_login_bytes = 100;
  admits_ = false;
  on_message = [](WebSocket& socket, std::string_view payload, bool) {
    if (payload == "token") socket.admit();
    socket.send(message(std::to_string(payload.size())));
  };
  serve();
  WebSocketClient known(port());
  open(known, "/known");
  known.send(text_frame(std::string(100, 'x')));
  EXPECT_EQ(known.read_text(), "100");
  known.send(text_frame("token"));
  EXPECT_EQ(known.read_text(), "5");
  known.send(text_frame(std::string(options_.limits.websocket_message_bytes, 'x')));
  EXPECT_EQ(known.read_text(), std::to_string(options_.limits.websocket_message_bytes));

  WebSocketClient whole(port()), in_pieces(port());
  open(whole, "/whole");
  whole.send(text_frame(std::string(101, 'x')));
  EXPECT_EQ(whole.read_close(), 1009);
  open(in_pieces, "/pieces");
  in_pieces.send(client_frame(Opcode::text, std::string(60, 'x'), false));
  in_pieces.send(client_frame(Opcode::continuation, std::string(60, 'x')));
  EXPECT_EQ(in_pieces.read_close(), 1009);
}

TEST_F(WebSocketLimitsTest, ClosesTheNewestIfTooMuchIsComingIn) {
  options_.limits.receiving_bytes = 100'000;
  on_message = [](WebSocket& socket, std::string_view payload, bool) {
    socket.send(message(std::to_string(payload.size())));
  };
  serve();
  const MemoryBudget& receiving = server_->workers().front()->commons().receiving;
  WebSocketClient first(port()), newest(port());
  open(first, "/first");
  open(newest, "/newest");
  first.send(client_frame(Opcode::text, std::string(90'000, 'x'), false));
  base::wait_until([&] { return receiving.used() >= 90'000; });
  newest.send(text_frame("short"));
  EXPECT_EQ(newest.read_text(), "5");
  newest.send(client_frame(Opcode::text, std::string(20'000, 'x'), false));
  EXPECT_EQ(newest.read_close(), 1013);
  EXPECT_TRUE(newest.ended());
  first.send(client_frame(Opcode::continuation, "end"));
  EXPECT_EQ(first.read_text(), "90003");
  newest.close();
  wait_until_gone(1);
  EXPECT_EQ(receiving.used(), 0u);
  first.send(client_frame(Opcode::text, std::string(90'000, 'x'), false));
  base::wait_until([&] { return receiving.used() >= 90'000; });
  first.close();
  wait_until_gone(2);
  base::wait_until([&] { return receiving.used() == 0; });  // given back after the connection is gone
}

// So that such a client cannot keep others out by opening more connections.
TEST_F(WebSocketLimitsTest, ClosesClientsThatHaveNotAuthenticatedToMakeRoom) {
  options_.limits.connections = 10;
  admits_ = false;
  on_message = [](WebSocket& socket, std::string_view payload, bool) {
    socket.admit();
    socket.send(message(payload));
  };
  serve();
  WebSocketClient known(port());
  open(known, "/known");
  known.send(text_frame("token"));
  EXPECT_EQ(known.read_text(), "token");
  std::vector<std::unique_ptr<WebSocketClient>> strangers;
  for (int i = 0; i < 50; ++i) {
    strangers.push_back(std::make_unique<WebSocketClient>(port()));
    open(*strangers.back(), "/stranger" + std::to_string(i));
  }
  EXPECT_LE(server_->connections(), 10u);
  EXPECT_TRUE(strangers.front()->ended());
  known.send(text_frame("still here"));
  EXPECT_EQ(known.read_text(), "still here");
}

TEST_F(WebSocketLimitsTest, CutsAClientThatStopsInsideAMessage) {
  options_.limits.stall_time = 1s;
  serve();
  WebSocketClient stalled(port()), idle(port());
  open(idle, "/idle");
  open(stalled, "/stalled");
  stalled.send(client_frame(Opcode::text, "half", false));
  EXPECT_TRUE(stalled.ended());
  wait_until_gone(1);
  idle.send(text_frame("still here"));
  EXPECT_EQ(idle.read_text(), "still here");
}

TEST_F(WebSocketLimitsTest, PingsAndCutsAClientThatDoesNotAnswer) {
  options_.limits.websocket_ping_time = 1s;
  serve();
  WebSocketClient alive(port()), dead(port());
  open(alive, "/alive");
  open(dead, "/dead");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(alive.read_frame().opcode, static_cast<int>(Opcode::ping));
    alive.send(client_frame(Opcode::pong, ""));
  }
  EXPECT_EQ(dead.read_frame().opcode, static_cast<int>(Opcode::ping));
  EXPECT_TRUE(dead.ended());
  wait_until_gone(1);
  alive.send(text_frame("still here"));
  EXPECT_EQ(alive.read_text(), "still here");
}

TEST_F(WebSocketLimitsTest, BoundsTheTimeOfTheCloseHandshake) {
  options_.limits.websocket_close_time = 1s;
  on_open = [](WebSocket& socket) {
    socket.close(4000, "");
    socket.admit();
  };
  serve();
  WebSocketClient client(port());
  client.open();
  EXPECT_EQ(client.read_close(), 4000);
  EXPECT_TRUE(client.ended());
  wait_until_gone(1);
}

TEST_F(WebSocketLimitsTest, WaitsLittleForTheCloseHandshakeWhenItDrains) {
  options_.limits.websocket_close_time = 600s;
  serve();
  WebSocketClient silent(port()), closing(port()), full(port(), 4096);
  open(silent, "/silent");
  open(closing, "/closing");
  open(full, "/full");
  on_worker([&] { sockets_.at("/closing")->close(4000, ""); });
  clog("/full");
  server_->drain();
  EXPECT_EQ(silent.read_close(), 1001);
  EXPECT_TRUE(silent.ended());
  EXPECT_EQ(closing.read_close(), 4000);
  EXPECT_TRUE(closing.ended());
  wait_until_gone(3);
}

}  // namespace
}  // namespace hearth::http
