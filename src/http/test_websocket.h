// SPDX-License-Identifier: Apache-2.0
// For tests: a server that serves WebSockets, and a client that writes and reads their frames byte by byte.
#pragma once

#include "base/testing/wait_until.h"
#include "http/test_server.h"
#include "http/websocket.h"

namespace hearth::http {

enum class Opcode : std::uint8_t { continuation, text, binary, close = 8, ping, pong };

// A client's frame (RFC 6455 §5.2), masked as required.
inline std::string client_frame(Opcode opcode, std::string_view payload, bool final = true) {
  std::string frame(1, static_cast<char>(static_cast<int>(opcode) | (final ? 0x80 : 0)));
  const std::size_t length_bytes = payload.size() < 126 ? 0 : payload.size() <= 0xFFFF ? 2 : 8;
  frame += static_cast<char>(0x80 | (length_bytes == 0 ? payload.size() : length_bytes == 2 ? 126 : 127));
  for (std::size_t i = length_bytes; i > 0; --i) frame += static_cast<char>(payload.size() >> (8 * (i - 1)));
  constexpr std::string_view mask = "\x12\x34\x56\x78";
  frame += mask;
  for (std::size_t i = 0; i < payload.size(); ++i) frame += static_cast<char>(payload[i] ^ mask[i % 4]);
  return frame;
}
inline std::string text_frame(std::string_view text) {
  return client_frame(Opcode::text, text);
}
inline std::string close_payload(int code, std::string_view reason = "") {
  return std::string{static_cast<char>(code >> 8), static_cast<char>(code)}.append(reason);
}

class WebSocketClient : public TestClient {
 public:
  static constexpr std::string_view kUpgrade =
      "Upgrade: websocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

  using TestClient::TestClient;

  // The head of the answer; `behind` is sent together with the request.
  std::string open(std::string_view target = "/", std::string_view behind = "") {
    send("GET " + std::string(target) + " HTTP/1.1\r\nHost: h\r\n" + std::string(kUpgrade) + "\r\n" +
         std::string(behind));
    return read_until("\r\n\r\n");
  }

  struct Frame {
    int opcode = -1;  // -1 if the connection ended first
    std::string payload;
    int code = 0;  // of a close frame

    bool operator==(const Frame&) const = default;
  };
  // Reads a message in several fragments as one frame.
  Frame read_frame() {
    Frame message = read_fragment();
    while (message.opcode != -1 && !last_) {
      const Frame next = read_fragment();
      if (next.opcode == -1) return {};
      EXPECT_EQ(next.opcode, 0);
      message.payload += next.payload;
      ++fragments_;
    }
    return message;
  }
  // How many of the frames read so far were continuations.
  int fragments() const { return fragments_; }
  Frame read_fragment() {
    const std::string start = read_bytes(2);
    if (start.size() < 2) return {};
    EXPECT_EQ(start[0] & 0x70, 0);
    last_ = (start[0] & 0x80) != 0;
    std::size_t size = static_cast<unsigned char>(start[1]);
    if (size >= 126) {
      const std::string length = read_bytes(size == 126 ? 2 : 8);
      size = 0;
      for (const char byte : length) size = size << 8 | static_cast<unsigned char>(byte);
    }
    Frame frame{start[0] & 0x0F, read_bytes(size)};
    if (frame.payload.size() < size) return {};
    if (frame.opcode == static_cast<int>(Opcode::close) && size >= 2) {
      frame.code = static_cast<unsigned char>(frame.payload[0]) << 8 | static_cast<unsigned char>(frame.payload[1]);
      frame.payload.erase(0, 2);
    }
    return frame;
  }
  // A text message; "!" and the opcode if something else comes.
  std::string read_text() {
    Frame frame = read_frame();
    return frame.opcode == static_cast<int>(Opcode::text) ? frame.payload : "!" + std::to_string(frame.opcode);
  }
  // The code of the next frame if that is a close frame; otherwise 0.
  int read_close() { return read_frame().code; }

 private:
  bool last_ = true;  // whether the frame read was the last of its message
  int fragments_ = 0;
};

inline MessagePtr message(std::string_view text) {
  return std::make_shared<const Message>(text);
}

class WebSocketFixture : public ServerFixture {
 protected:
  // The work of the test's connections; worker thread only.
  std::function<void(WebSocket&)> on_open = [](WebSocket&) {};
  std::function<void(WebSocket&, std::string_view, bool binary)> on_message =
      [](WebSocket& socket, std::string_view payload, bool) { socket.send(message(payload)); };
  std::map<std::string, WebSocket*> sockets_;  // open sockets by target; worker thread only
  bool admits_ = true;                         // every client is authenticated at once
  std::atomic<int> opened_ = 0;
  std::atomic<int> gone_ = 0;

  void serve() {
    handler_.on_handle = [this](Request& request, Responder responder) {
      if (request.target_text == "/http") return responder.send(Response::json("http"));
      responder.open_websocket(std::make_unique<Served>(*this, request.target_text));
    };
    start();
  }
  // Runs the task on the only worker and waits for it.
  void on_worker(const std::function<void()>& task) {
    std::atomic<bool> done = false;
    server_->workers().front()->post([&] {
      task();
      done = true;
    });
    base::wait_until([&] { return done.load(); });
  }
  void wait_until_gone(int count) const {
    base::wait_until([&] { return gone_ >= count; });
  }
  void TearDown() override { server_.reset(); }

 private:
  class Served final : public WebSocketHandler {
   public:
    Served(WebSocketFixture& fixture, std::string name) : fixture_(fixture), name_(std::move(name)) {}
    ~Served() override {
      fixture_.sockets_.erase(name_);
      ++fixture_.gone_;
    }
    void opened(WebSocket& socket) override {
      fixture_.sockets_[name_] = socket_ = &socket;
      if (fixture_.admits_) socket.admit();
      ++fixture_.opened_;
      fixture_.on_open(socket);
    }
    void received(std::string_view payload, bool binary) override { fixture_.on_message(*socket_, payload, binary); }

   private:
    WebSocketFixture& fixture_;
    const std::string name_;
    WebSocket* socket_ = nullptr;
  };
};

}  // namespace hearth::http
