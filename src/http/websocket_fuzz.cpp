// SPDX-License-Identifier: Apache-2.0
// Sends a client's bytes after the upgrade to a WebSocket: the messages, and the server's answers, do not depend on how
// the bytes are cut; messages are bounded, and texts are UTF-8.
#include "base/testing/fuzz_check.h"
#include "base/text/utf8.h"
#include "http/fuzz_worker.h"

namespace {

using namespace hearth;

constexpr std::string_view kUpgrade =
    "GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

// Sends each message back.
class Echo final : public http::WebSocketHandler {
 public:
  Echo(const http::Limits& limits, std::string& received) : limits_(limits), received_(received) {}

  void opened(http::WebSocket& socket) override {
    socket_ = &socket;
    socket.admit();
  }
  void received(std::string_view payload, bool binary) override {
    base::must(payload.size() <= limits_.websocket_message_bytes, "a message is bounded");
    base::must(binary || base::utf8_length(payload).has_value(), "a text is UTF-8");
    received_ += binary ? 'b' : 't';
    received_ += std::to_string(payload.size()) + ":" + std::string(payload) + "\n";
    socket_->send(std::make_shared<const http::Message>(payload));
  }

 private:
  const http::Limits& limits_;
  std::string& received_;
  http::WebSocket* socket_ = nullptr;
};

class Opener final : public http::Handler {
 public:
  explicit Opener(const http::Limits& limits) : limits_(limits) {}

  std::optional<http::Response> check(http::Request&) override { return {}; }
  void handle(http::Request&, http::Responder responder) override {
    responder.open_websocket(std::make_unique<Echo>(limits_, received));
  }

  std::string received;  // worker thread only

 private:
  const http::Limits& limits_;
};

http::FuzzServer<Opener>& server() {
  static auto& server = *new http::FuzzServer<Opener>([] {  // its thread lives as long as the program
    http::ServerOptions options;
    options.workers = 1;
    options.limits.websocket_message_bytes = 1'024;
    return options;
  }());
  return server;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 16 * 1024) return 0;
  std::string first_said, first_received;
  bool begun = false;
  for (auto pieces : http::ways_to_split(base::fuzz_text(data, size))) {
    std::string together(kUpgrade);  // sent in one piece with the request itself
    if (pieces.size() == 1) {
      together += pieces.front();
      pieces = {together};
    } else {
      pieces.insert(pieces.begin(), together);
    }
    server().handler().received.clear();
    const std::string said = http::without_moments(http::talk(server().worker(), pieces));
    base::must(said.starts_with("HTTP/1.1 101 "), "the connection is a WebSocket");
    if (begun) {
      base::must_equal(server().handler().received, first_received, "the messages are the same however they are cut");
      base::must_equal(said, first_said, "what the server says is the same however the messages are cut");
    }
    begun = true;
    first_said = said;
    first_received = server().handler().received;
  }
  return 0;
}
