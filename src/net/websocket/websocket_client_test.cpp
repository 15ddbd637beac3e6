// SPDX-License-Identifier: Apache-2.0
#include "net/websocket/websocket_client.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <future>
#include <stdexcept>

#include "base/testing/wait_until.h"
#include "net/reactor/on_net.h"
#include "net/testing/scripted_websocket.h"
#include "net/websocket/websocket_layer.h"

namespace hearth::net {
namespace {

using Peer = testing::ScriptedPeer;
using Server = testing::ScriptedServer;
using Socket = testing::ScriptedWebSocket;

// Says hello, and keeps what it hears.
class WebSocketTestClient final : public WebSocketClient::Handler {
 public:
  WebSocketTestClient(Reactor& reactor, WebSocketOptions options)
      : client(WebSocketClient::create(reactor, std::move(options), *this).value()) {}

  void on_open() override {
    ++opened;
    client->send("hello");
  }
  void on_message(std::string_view message, bool binary) override {
    if (message == "throw") throw std::runtime_error("broken protocol");
    if (message == "leave") return client.reset();
    messages.push_back((binary ? "b:" : "t:") + std::string(message));
  }
  void on_lost(const Failure& why, std::chrono::milliseconds) override {
    ++lost;
    failure = why;
  }

  std::unique_ptr<WebSocketClient> client;
  std::vector<std::string> messages;
  int opened = 0, lost = 0;
  Failure failure;
};

struct WebSocketClientTest : ::testing::Test {
  using Client = OnNet<WebSocketTestClient>;

  static WebSocketOptions options(const Server& server) {
    return {.url = fmt::format("ws://127.0.0.1:{}/api?x=1", server.port()),
            .ping = std::chrono::hours(1),
            .pauses = {std::chrono::hours(1), std::chrono::hours(1)}};
  }
  std::unique_ptr<Client> client(const WebSocketOptions& with) {
    return std::make_unique<Client>(reactor,
                                    [this, with] { return std::make_unique<WebSocketTestClient>(reactor, with); });
  }
  template <class Question>
  auto ask(Client& of, Question question) {
    std::promise<decltype(question(std::declval<WebSocketTestClient&>()))> promise;
    auto future = promise.get_future();
    EXPECT_TRUE(of.call([&promise, &question](WebSocketTestClient& it) { promise.set_value(question(it)); }));
    return base::wait_for(std::move(future));
  }
  std::vector<std::string> messages(Client& of) {
    return ask(of, [](WebSocketTestClient& it) { return it.messages; });
  }
  void await_messages(Client& of, std::size_t count) {
    base::wait_until([&] { return messages(of).size() >= count; });
  }
  // Without the host.
  std::string failure(Client& of, const Server& server) {
    base::wait_until([&] { return ask(of, [](WebSocketTestClient& it) { return it.lost; }) > 0; });
    const Failure why = ask(of, [](WebSocketTestClient& it) { return it.failure; });
    const std::string host = fmt::format("127.0.0.1:{} ", server.port());
    EXPECT_TRUE(why.message.starts_with(host)) << why.message;
    return fmt::format("{}: {}", code_of(why.reason), why.message.substr(host.size()));
  }
  // The fate of a client whose server does this.
  std::string failure_after(const std::function<void(Socket& socket)>& script) {
    Server server([&](Peer& peer) {
      Socket socket(peer);
      if (socket.accept().empty()) return;
      script(socket);
      peer.drain();
    });
    const auto one = client(options(server));
    return failure(*one, server);
  }

  Reactor reactor;
};

TEST_F(WebSocketClientTest, ExchangesMessages) {
  const std::string large(300'000, 'x');
  std::promise<std::string> head;
  Server server([&](Peer& peer) {
    Socket socket(peer);
    head.set_value(socket.accept());
    EXPECT_EQ(socket.receive().payload, "hello");
    socket.send_text("gr\xC3\xBC\xC3\x9F");
    socket.send_frame(Socket::kBinary, "ab", false);
    socket.ping("are you there?");
    socket.send_frame(0, std::string_view("c\0", 2));
    const auto pong = socket.receive();
    EXPECT_EQ(pong.opcode, Socket::kPong);
    EXPECT_EQ(pong.payload, "are you there?");
    socket.send_text(large);
    for (const std::size_t size : {0UL, 125UL, 126UL, 65'535UL, 65'536UL}) {
      const auto frame = socket.receive();
      EXPECT_EQ(frame.opcode, Socket::kBinary);
      EXPECT_EQ(frame.payload, std::string(size, 'y'));
    }
    socket.send_text("all");
    const auto last = socket.receive();
    EXPECT_EQ(last.opcode, Socket::kClose);
    EXPECT_EQ(last.payload, std::string("\x03\xE8") + "done");  // 1000
    peer.expect_end();
  });
  auto with = options(server);
  with.headers = {{"Authorization", "Bearer x"}};
  with.subprotocol = "s";
  const auto one = client(with);
  await_messages(*one, 3);
  EXPECT_EQ(messages(*one),
            (std::vector<std::string>{"t:gr\xC3\xBC\xC3\x9F", std::string("b:abc\0", 6), "t:" + large}));
  ask(*one, [](WebSocketTestClient& it) {
    for (const std::size_t size : {0UL, 125UL, 126UL, 65'535UL, 65'536UL})
      it.client->send(std::string(size, 'y'), true);
    return 0;
  });
  await_messages(*one, 4);
  ask(*one, [](WebSocketTestClient& it) { return it.client->stop(1000, "done"), 0; });
  const std::string request = head.get_future().get();
  EXPECT_TRUE(request.starts_with("GET /api?x=1 HTTP/1.1\r\n")) << request;
  EXPECT_TRUE(request.contains(fmt::format("\r\nHost: 127.0.0.1:{}\r\n", server.port())));
  EXPECT_TRUE(request.contains("\r\nAuthorization: Bearer x\r\n"));
  EXPECT_TRUE(request.contains("\r\nSec-WebSocket-Protocol: s\r\n"));
  EXPECT_FALSE(request.contains("permessage-deflate"));
}

TEST_F(WebSocketClientTest, SpeaksTls) {
  const testing::Certificate certificate("127.0.0.1");
  Server server(
      [](Peer& peer) {
        Socket socket(peer);
        socket.accept();
        socket.send_text("secret");
        peer.drain();
      },
      {.certificate = &certificate});
  auto with = options(server);
  with.url = fmt::format("wss://127.0.0.1:{}/", server.port());
  with.authorities = certificate.certificate_file();
  const auto one = client(with);
  await_messages(*one, 1);
}

TEST_F(WebSocketClientTest, ComesBack) {
  std::atomic<int> turn = 0;
  Server server([&](Peer& peer) {
    Socket socket(peer);
    socket.accept();
    EXPECT_EQ(socket.receive().payload, "hello");
    if (turn++ < 3) return peer.reset();
    socket.send_text("at last");
    peer.drain();
  });
  auto with = options(server);
  with.pauses = {std::chrono::milliseconds(1), std::chrono::milliseconds(1)};
  const auto one = client(with);
  await_messages(*one, 1);
  EXPECT_EQ(ask(*one, [](WebSocketTestClient& it) { return it.opened; }), 4);
}

TEST_F(WebSocketClientTest, SaysWhyAServerIsNone) {
  const auto refused = [this](const std::string& answer) {
    Server server([&](Peer& peer) {
      peer.receive_until("\r\n\r\n");
      peer.send(answer);
      peer.drain();
    });
    const auto one = client(options(server));
    return failure(*one, server);
  };
  EXPECT_EQ(refused("HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n"),
            "invalid_auth: answers 401: it wants other credentials");
  EXPECT_EQ(refused("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
            "unsupported: answers 200 instead of agreeing on a WebSocket");
  EXPECT_EQ(refused("220 mail.test ESMTP\r\n"), "unsupported: does not agree on a WebSocket: bad version");
}

TEST_F(WebSocketClientTest, CutsAServerThatBreaksTheProtocol) {
  EXPECT_EQ(failure_after([](Socket& socket) { socket.send_frame(7, "?"); }),
            "unsupported: breaks the WebSocket protocol: The WebSocket frame contained an illegal opcode");
  EXPECT_TRUE(failure_after([](Socket& socket) {
                socket.send_text("\xC3(");
              }).starts_with("unsupported: breaks the WebSocket protocol: "));
  EXPECT_EQ(failure_after([](Socket& socket) {
              socket.send_frame(Socket::kText, "\xC3", false);
              socket.send_frame(0, "");
            }),
            "unsupported: sends a text that is not UTF-8");
  EXPECT_EQ(failure_after([](Socket& socket) { socket.send_binary(std::string(4 * 1024 * 1024 + 1, 'x')); }),
            "unsupported: sends a message of more than 4096 KiB");
  EXPECT_EQ(failure_after([](Socket& socket) {
              for (int i = 0; i < 5; ++i) socket.send_frame(i == 0 ? 2 : 0, std::string(1'000'000, 'x'), false);
            }),
            "unsupported: sends a message of more than 4096 KiB");
}

TEST_F(WebSocketClientTest, SaysWhyTheServerHasClosedIt) {
  std::promise<int> answer;
  EXPECT_EQ(failure_after([&](Socket& socket) {
              socket.receive();
              socket.close(1008, "who are you?");
              answer.set_value(socket.receive().code());
            }),
            "cannot_connect: has closed the WebSocket (1008, who are you?)");
  EXPECT_EQ(base::wait_for(answer.get_future()), 1008);
}

TEST_F(WebSocketClientTest, LosesAServerThatDoesNotAnswerPings) {
  std::atomic<int> pings = 0;
  Server server([&](Peer& peer) {
    Socket socket(peer);
    socket.accept();
    while (const int opcode = socket.receive().opcode) {
      if (opcode != Socket::kPing) continue;
      if (++pings <= 3) socket.send_frame(Socket::kPong, "");
    }
  });
  auto with = options(server);
  with.ping = std::chrono::milliseconds(100);
  const auto one = client(with);
  EXPECT_EQ(failure(*one, server), "timeout: does not answer any more");
  EXPECT_GE(pings, 1);
}

TEST_F(WebSocketClientTest, OutlivesAHandlerThatThrows) {
  Server server([](Peer& peer) {
    Socket socket(peer);
    socket.accept();
    socket.send_text("throw");
    peer.drain();
  });
  const auto one = client(options(server));
  base::wait_until([&] { return ask(*one, [](WebSocketTestClient& it) { return it.lost; }) > 0; });
  EXPECT_EQ(ask(*one, [](WebSocketTestClient& it) { return it.failure.message; }),
            fmt::format("127.0.0.1:{}: what it sent cannot be handled: broken protocol", server.port()));
}

TEST_F(WebSocketClientTest, MayBeDestroyedByItsHandler) {
  std::promise<void> gone;
  Server server([&](Peer& peer) {
    Socket socket(peer);
    socket.accept();
    socket.send_text("leave");
    socket.send_text("more");
    peer.drain();
    gone.set_value();
  });
  const auto one = client(options(server));
  base::wait_for(gone.get_future());
}

TEST_F(WebSocketClientTest, ReadsNothingWhileItIsPaused) {
  std::promise<void> paused;
  const auto is_paused = paused.get_future().share();
  Server server([is_paused](Peer& peer) {
    Socket socket(peer);
    socket.accept();
    is_paused.wait();
    for (int i = 0; i < 50; ++i) socket.send_text("m");
    peer.drain();
  });
  const auto one = client(options(server));
  base::wait_until([&] { return ask(*one, [](WebSocketTestClient& it) { return it.opened; }) > 0; });
  ask(*one, [](WebSocketTestClient& it) { return it.client->pause_reading(), 0; });
  paused.set_value();
  for (int i = 0; i < 100; ++i) EXPECT_LE(messages(*one).size(), 1U);  // a read may have been under way
  ask(*one, [](WebSocketTestClient& it) { return it.client->resume_reading(), 0; });
  await_messages(*one, 50);
}

// A link that was paused in the middle of a large message goes on by this.
TEST(WebSocketLayer, TellsThatSomeOfWhatWaitedWasTaken) {
  boost::asio::io_context io;
  int told = 0;
  WebSocketLayer layer(io, [](std::string_view) {}, [&told] { ++told; });
  layer.feed("abcdef");
  std::array<char, 4> place{};
  std::size_t got = 0;
  layer.async_read_some(boost::asio::buffer(place), [&](boost::system::error_code, std::size_t size) { got = size; });
  EXPECT_EQ(told, 1);
  EXPECT_EQ(layer.waiting(), 2U);
  io.run();
  EXPECT_EQ(got, place.size());
  layer.end();
  layer.async_read_some(boost::asio::buffer(place), [](boost::system::error_code, std::size_t) {});
  EXPECT_EQ(told, 1);
}

TEST(WebSocketClient, RefusesWhatIsNoAddress) {
  Reactor reactor;
  struct Deaf final : WebSocketClient::Handler {
    void on_open() override {}
    void on_message(std::string_view, bool) override {}
    void on_lost(const Failure&, std::chrono::milliseconds) override {}
  } deaf;
  EXPECT_EQ(WebSocketClient::create(reactor, {.url = "mqtt://host"}, deaf).error().reason, Reason::invalid_host);
  EXPECT_EQ(WebSocketClient::create(reactor, {.url = "ws://host", .headers = {{"A", "b\nc"}}}, deaf).error().message,
            "the header A has a line break");
}

}  // namespace
}  // namespace hearth::net
