// SPDX-License-Identifier: Apache-2.0
// Handshake, messages, control frames and the ways a connection ends.
#include "http/websocket.h"

#include <boost/asio/io_context.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

#include "base/testing/wait_until.h"
#include "http/test_websocket.h"

namespace hearth::http {
namespace {

using namespace std::chrono_literals;

class WebSocketTest : public WebSocketFixture {};

WebSocketClient::Frame frame(Opcode opcode, std::string payload, int code = 0) {
  return {static_cast<int>(opcode), std::move(payload), code};
}

TEST_F(WebSocketTest, AcceptsAnUpgrade) {
  serve();
  WebSocketClient client(port());
  const std::string head = client.open();
  EXPECT_TRUE(head.starts_with("HTTP/1.1 101 Switching Protocols\r\n")) << head;
  // The example of RFC 6455 §1.3.
  EXPECT_NE(head.find("\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"), std::string::npos) << head;
  EXPECT_EQ(head.find("Sec-WebSocket-Extensions"), std::string::npos);
  EXPECT_EQ(head.find("Beast"), std::string::npos);
  client.send(text_frame("hello"));
  EXPECT_EQ(client.read_text(), "hello");
}

TEST_F(WebSocketTest, AnswersInvalidUpgrades) {
  serve();
  TestClient client(port());
  const auto refused = [&](std::string_view from, std::string_view to) {
    std::string fields(WebSocketClient::kUpgrade);
    fields.replace(fields.find(from), from.size(), to);
    return client.get("/", fields);
  };
  const std::string expected =
      "{\"message\":\"This is a WebSocket: Upgrade: websocket and Connection: Upgrade are "
      "expected.\"}";
  EXPECT_EQ(client.get("/").status, 400);
  EXPECT_EQ(client.get("/").body, expected);
  EXPECT_EQ(refused("Upgrade: websocket", "Upgrade: h2c").body, expected);
  EXPECT_EQ(refused("keep-alive, Upgrade", "keep-alive").body, expected);
  for (const char* key : {"dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25j*Q==", "dGhlIHNhbXBsZSBub25jZQ====", ""}) {
    const auto answer = refused("dGhlIHNhbXBsZSBub25jZQ==", key);
    EXPECT_EQ(answer.status, 400) << key;
    EXPECT_EQ(answer.body, "{\"message\":\"Sec-WebSocket-Key must be 16 bytes in Base64.\"}") << key;
  }
  for (const char* version : {"8", "13, 8", ""}) {
    const auto answer = refused("13", version);
    EXPECT_EQ(answer.status, 426) << version;
    EXPECT_TRUE(answer.has("Sec-WebSocket-Version: 13"));
    EXPECT_TRUE(answer.has("Upgrade: websocket"));
    EXPECT_EQ(answer.body, "{\"message\":\"Sec-WebSocket-Version must be 13.\"}");
  }
  EXPECT_EQ(gone_, opened_ + 11);  // all on one connection, which stays open
  client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n" + std::string(WebSocketClient::kUpgrade) + "\r\n");
  EXPECT_EQ(client.read_answer().status, 400);
  client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n" + std::string(WebSocketClient::kUpgrade) + "\r\n");
  EXPECT_EQ(client.read_answer().status, 400);
  EXPECT_EQ(opened_, 0);
}

TEST_F(WebSocketTest, ReadsWhatCameAfterTheRequest) {
  on_open = [](WebSocket& socket) { socket.send(message("welcome")); };
  serve();
  WebSocketClient client(port());
  client.send("GET /http HTTP/1.1\r\nHost: h\r\n\r\n");
  std::string behind, expected;
  for (int i = 0; i < 500; ++i) behind += text_frame("message " + std::to_string(i));
  const std::string cut = text_frame("the last one");
  client.send("GET / HTTP/1.1\r\nHost: h\r\n" + std::string(WebSocketClient::kUpgrade) + "\r\n" + behind +
              cut.substr(0, 9));
  EXPECT_EQ(client.read_answer().body, "http");
  EXPECT_TRUE(client.read_until("\r\n\r\n").starts_with("HTTP/1.1 101 "));
  EXPECT_EQ(client.read_text(), "welcome");
  for (int i = 0; i < 500; ++i) ASSERT_EQ(client.read_text(), "message " + std::to_string(i));
  client.send(cut.substr(9));
  EXPECT_EQ(client.read_text(), "the last one");
}

TEST_F(WebSocketTest, PutsFragmentsTogether) {
  std::atomic<bool> was_binary = false;
  on_message = [&](WebSocket& socket, std::string_view payload, bool binary) {
    was_binary = binary;
    socket.send(message(payload));
  };
  serve();
  WebSocketClient client(port());
  client.open();
  client.send(client_frame(Opcode::text, "one ", false));
  client.send(client_frame(Opcode::continuation, "", false) + client_frame(Opcode::ping, "between"));
  EXPECT_EQ(client.read_frame(), frame(Opcode::pong, "between"));
  client.send(client_frame(Opcode::continuation, "\xC3", false) + client_frame(Opcode::continuation, "\xA4"));
  EXPECT_EQ(client.read_text(), "one \xC3\xA4");
  EXPECT_FALSE(was_binary);
  client.send(client_frame(Opcode::binary, "\xFF\x01"));
  EXPECT_EQ(client.read_text(), "\xFF\x01");
  EXPECT_TRUE(was_binary);
  const std::string long_text(300'000, 'x');
  client.send(text_frame(long_text) + text_frame("") + text_frame("short"));
  EXPECT_EQ(client.read_text(), long_text);
  EXPECT_EQ(client.read_text(), "");
  EXPECT_EQ(client.read_text(), "short");
}

TEST_F(WebSocketTest, AnswersPings) {
  serve();
  WebSocketClient client(port());
  client.open();
  client.send(client_frame(Opcode::ping, "") + client_frame(Opcode::ping, std::string(125, 'p')) +
              client_frame(Opcode::pong, "unasked") + text_frame("on"));
  EXPECT_EQ(client.read_frame(), frame(Opcode::pong, ""));
  EXPECT_EQ(client.read_frame(), frame(Opcode::pong, std::string(125, 'p')));
  EXPECT_EQ(client.read_text(), "on");
}

TEST_F(WebSocketTest, ClosesWhenTheClientDoes) {
  serve();
  WebSocketClient client(port());
  client.open();
  client.send(text_frame("last") + client_frame(Opcode::close, close_payload(1000, "bye")));
  EXPECT_EQ(client.read_text(), "last");
  EXPECT_EQ(client.read_close(), 1000);
  EXPECT_TRUE(client.ended());
  client.close();
  wait_until_gone(1);
  wait_for_connections(0);
}

TEST_F(WebSocketTest, ClosesAfterWhatIsQueued) {
  on_message = [](WebSocket& socket, std::string_view payload, bool) {
    socket.send(message(payload));
    socket.close(4000, "enough");
    EXPECT_FALSE(socket.send(message("too late")));
    socket.close(4001, "again");
  };
  serve();
  WebSocketClient client(port(), 4096);
  client.open();
  const std::string large(3'000'000, 'x');
  client.send(text_frame(large) + text_frame("unheard"));
  EXPECT_EQ(client.read_text(), large);
  EXPECT_EQ(client.read_frame(), frame(Opcode::close, "enough", 4000));
  client.send(text_frame("unheard") + client_frame(Opcode::close, close_payload(4000)));
  EXPECT_TRUE(client.ended());
  client.close();
  wait_until_gone(1);
}

TEST_F(WebSocketTest, CutsALongReason) {
  on_open = [](WebSocket& socket) { socket.close(4000, std::string(122, 'r')); };
  serve();
  WebSocketClient client(port());
  client.open();
  EXPECT_EQ(client.read_frame(), frame(Opcode::close, std::string(117, 'r') + "\xE2\x80\xA6", 4000));
}

TEST_F(WebSocketTest, ClosesWithTheCodeOfWhatTheClientBroke) {
  serve();
  const std::string unmasked{"\x81\x02hi"}, masked = text_frame("hi");
  const auto spoiled = [&](std::size_t at, int byte) {
    std::string frame = masked;
    frame[at] = static_cast<char>(byte);
    return frame;
  };
  const std::string huge{"\x81\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x12\x34\x56\x78"};
  const std::string padded("\x81\xFE\0\x02\x12\x34\x56\x78\0\0", 10);
  const std::pair<std::string, int> cases[] = {
      {unmasked, 1002},
      {spoiled(0, 0xC1), 1002},                                                                    // a reserved bit
      {spoiled(0, 0x83), 1002},                                                                    // a reserved opcode
      {client_frame(Opcode::continuation, "x"), 1002},                                             // continues nothing
      {client_frame(Opcode::text, "x", false) + text_frame("y"), 1002},                            // inside a message
      {client_frame(Opcode::ping, "x", false), 1002},                                              // fragmented control
      {client_frame(Opcode::ping, std::string(126, 'p')), 1002},                                   // too long
      {client_frame(Opcode::close, "x"), 1002},                                                    // half a code
      {client_frame(Opcode::close, close_payload(1005)), 1002},                                    // must not be sent
      {padded, 1002},                                                                              // a padded length
      {huge, 1009},                                                                                // 2^64 - 1 bytes
      {text_frame("\xFF"), 1007},                                                                  // not UTF-8
      {client_frame(Opcode::text, "\xC3", false) + client_frame(Opcode::continuation, ""), 1007},  // incomplete UTF-8
  };
  int gone = 0;
  for (const auto& [bytes, code] : cases) {
    WebSocketClient client(port());
    client.open();
    client.send(bytes);
    EXPECT_EQ(client.read_close(), code) << testing::PrintToString(bytes);
    client.send(client_frame(Opcode::close, close_payload(code)));
    EXPECT_TRUE(client.ended());
    client.close();
    wait_until_gone(++gone);
  }
}

TEST_F(WebSocketTest, ClosesIfItsHandlerFails) {
  on_message = [](WebSocket&, std::string_view payload, bool) { throw std::runtime_error(std::string(payload)); };
  serve();
  WebSocketClient client(port());
  client.open();
  client.send(text_frame("secret"));
  EXPECT_EQ(client.read_frame(), frame(Opcode::close, "Internal error.", 1011));
}

TEST_F(WebSocketTest, EndsAtOnceIfItIsCut) {
  on_message = [](WebSocket& socket, std::string_view, bool) {
    socket.send(message("unsent"));
    socket.cut();
    EXPECT_FALSE(socket.send(message("too late")));
    socket.flush();
    socket.close(1000, "");
    socket.cut();
  };
  serve();
  WebSocketClient client(port());
  client.open();
  client.send(text_frame("x"));
  EXPECT_TRUE(client.ended());
  wait_until_gone(1);
  wait_for_connections(0);
}

TEST_F(WebSocketTest, NoticesAClientThatHasGone) {
  serve();
  {
    WebSocketClient client(port());
    client.open();
    client.send(text_frame("partly").substr(0, 5));
  }
  wait_until_gone(1);
  wait_for_connections(0);
}

TEST_F(WebSocketTest, SendsOneMessageToMany) {
  serve();
  std::vector<std::unique_ptr<WebSocketClient>> clients;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(std::make_unique<WebSocketClient>(port()));
    clients.back()->open("/" + std::to_string(i));
  }
  base::wait_until([&] { return opened_ >= 20; });
  const MessagePtr shared = message("for all");
  on_worker([&] {
    for (auto& [name, socket] : sockets_) {
      EXPECT_TRUE(socket->send(shared));
      socket->flush();
    }
  });
  for (auto& client : clients) EXPECT_EQ(client->read_text(), "for all");
  EXPECT_EQ(shared.use_count(), 1);
}

TEST_F(WebSocketTest, CoalescesWhatWaitsTogether) {
  on_message = [](WebSocket& socket, std::string_view payload, bool) {
    for (const char* text : {"1", "2"}) socket.send(message(text));
    socket.set_coalescing(payload == "on");
  };
  serve();
  WebSocketClient client(port());
  client.open();
  client.send(text_frame("on"));
  EXPECT_EQ(client.read_text(), "[1,2]");
  client.send(text_frame("off"));
  EXPECT_EQ(client.read_text(), "1");
  EXPECT_EQ(client.read_text(), "2");
}

TEST_F(WebSocketTest, ClosesWhenTheServerDrains) {
  serve();
  WebSocketClient client(port()), silent(port());
  client.open("/client");
  silent.open("/silent");
  server_->drain();
  EXPECT_EQ(client.read_frame(), frame(Opcode::close, "The server is shutting down.", 1001));
  client.send(client_frame(Opcode::close, close_payload(1001)));
  EXPECT_TRUE(client.ended());
  client.close();
  wait_until_gone(1);
  server_->stop(0ms);
  EXPECT_EQ(gone_, 2);
  EXPECT_EQ(silent.read_close(), 1001);
}

TEST_F(WebSocketTest, OpensNoSocketWhileItDrains) {
  handler_.on_check = [](Request&) { return std::nullopt; };
  serve();
  WebSocketClient client(port());
  client.send("GET / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1\r\n" +
              std::string(WebSocketClient::kUpgrade) + "\r\n");
  EXPECT_EQ(client.read_answer().status, 100);
  server_->drain();
  client.send("x");
  EXPECT_EQ(client.read_answer().status, 503);
  EXPECT_TRUE(client.ended());
  EXPECT_EQ(opened_, 0);
}

TEST_F(WebSocketTest, TalksToAClientOfBeast) {
  serve();
  namespace websocket = boost::beast::websocket;
  boost::asio::io_context io;
  websocket::stream<boost::asio::ip::tcp::socket> client(io);
  client.next_layer().connect({boost::asio::ip::address_v4::loopback(), port()});
  client.handshake("127.0.0.1", "/");
  client.auto_fragment(true);
  for (const std::size_t size : {0u, 125u, 126u, 65'535u, 65'536u, 4'194'304u}) {
    const std::string text(size, 'x');
    client.write(boost::asio::buffer(text));
    boost::beast::flat_buffer buffer;
    client.read(buffer);
    EXPECT_EQ(std::string_view(static_cast<const char*>(buffer.cdata().data()), buffer.size()), text);
  }
  client.close(websocket::close_code::normal);
  wait_until_gone(1);
}

TEST_F(WebSocketTest, SetsTheRestAsideSoThatOthersHaveTheirTurn) {
  std::vector<std::string> done;
  std::function<void(WebSocket&, int)> step = [&](WebSocket& socket, int left) {
    done.push_back(std::to_string(left));
    if (left > 0) return socket.set_aside([&step, &socket, left] { step(socket, left - 1); });
    socket.send(message("all"));
  };
  on_message = [&](WebSocket& socket, std::string_view payload, bool) {
    if (payload == "long") return step(socket, 5);
    done.emplace_back(payload);
    socket.send(message(payload));
  };
  serve();
  WebSocketClient one(port()), other(port());
  one.open("/one");
  other.open("/other");
  base::wait_until([&] { return opened_ >= 2; });
  on_worker([&] {  // what comes meanwhile waits in the kernel's buffers
    one.send(text_frame("long") + text_frame("next"));
    other.send(text_frame("other"));
  });
  EXPECT_EQ(one.read_text(), "all");
  EXPECT_EQ(one.read_text(), "next");
  EXPECT_EQ(other.read_text(), "other");
  on_worker([&] {
    const auto place = [&](const char* what) { return std::ranges::find(done, what) - done.begin(); };
    EXPECT_EQ(done.size(), 8u);
    EXPECT_LT(place("other"), place("0"));
    EXPECT_EQ(done.back(), "next");
  });
}

TEST_F(WebSocketTest, RunsNothingSetAsideAfterItIsCut) {
  std::atomic<int> ran = 0;
  on_message = [&](WebSocket& socket, std::string_view, bool) {
    socket.set_aside([&] { ++ran; });
    EXPECT_FALSE(socket.over());
    socket.cut();
    EXPECT_TRUE(socket.over());
  };
  serve();
  WebSocketClient client(port());
  client.open();
  client.send(text_frame("long"));
  EXPECT_EQ(client.read_frame().opcode, -1);
  wait_until_gone(1);
  EXPECT_EQ(ran, 0);
}

TEST_F(WebSocketTest, RunsNothingSetAsideIfItIsCutMeanwhile) {
  std::atomic<int> ran = 0;
  on_message = [&](WebSocket& socket, std::string_view, bool) {
    socket.worker().post([&socket] { socket.cut(); });  // before the turn of the rest
    socket.set_aside([&] { ++ran; });
  };
  serve();
  WebSocketClient client(port());
  client.open();
  client.send(text_frame("long"));
  EXPECT_EQ(client.read_frame().opcode, -1);
  wait_until_gone(1);
  EXPECT_EQ(ran, 0);
}

}  // namespace
}  // namespace hearth::http
