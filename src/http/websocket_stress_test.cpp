// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "base/testing/wait_until.h"
#include "http/test_websocket.h"

namespace hearth::http {
namespace {

using namespace std::chrono_literals;

// The sockets of each worker, used by that worker only.
using Sockets = std::map<Worker*, std::set<WebSocket*>>;

class Member final : public WebSocketHandler {
 public:
  Member(std::set<WebSocket*>& sockets, std::atomic<int>& open) : sockets_(sockets), open_(open) { ++open_; }
  ~Member() override {
    sockets_.erase(socket_);
    --open_;
  }
  void opened(WebSocket& socket) override {
    socket_ = &socket;
    sockets_.insert(&socket);
    socket.send(message("welcome"));
  }
  // Echoes; certain words end the connection in one way or another.
  void received(std::string_view payload, bool) override {
    if (payload == "coalesce") socket_->set_coalescing(true);
    if (payload == "cut") socket_->cut();
    if (payload == "close") socket_->close(4000, "as you wish");
    if (payload == "throw") throw std::runtime_error("as you wish");
    socket_->send(message(payload));
  }

 private:
  std::set<WebSocket*>& sockets_;
  std::atomic<int>& open_;
  WebSocket* socket_ = nullptr;
};

// Connects, sends something, reads some of what is sent to all, and disconnects, in every possible way.
void visit(std::uint16_t port, int number, std::atomic<int>& visits, std::atomic<int>& received) {
  for (int round = number; ++visits; ++round) {
    WebSocketClient client(port);
    if (!client.connected()) return;
    const std::string behind = round % 2 == 0 ? text_frame("early") : "";
    if (!client.open("/", behind).starts_with("HTTP/1.1 101 ")) continue;
    client.send(client_frame(Opcode::ping, "p"));
    if (round % 3 == 0) client.send(text_frame("coalesce"));
    int last = -1;
    for (int i = 0; i < round % 20; ++i) {
      const auto frame = client.read_frame();
      if (frame.opcode < 0 || frame.code > 0) break;
      if (!frame.payload.starts_with("tick ")) continue;
      const int next = std::stoi(frame.payload.substr(5));
      EXPECT_TRUE(last < 0 || next == last + 1) << next << " behind " << last;
      last = next;
      ++received;
    }
    switch (round % 7) {
      case 0:
        client.send(client_frame(Opcode::close, close_payload(1000)));
        client.read_to_end();
        break;
      case 1:
        client.send("\xFF is no frame that a client sends");
        client.read_to_end();
        break;
      case 2:
        client.send(text_frame("close") + client_frame(Opcode::close, close_payload(4000)));
        client.read_to_end();
        break;
      case 3:
        client.send(text_frame("cut") + text_frame("unheard"));
        client.read_to_end();
        break;
      case 4:
        client.send(text_frame("throw") + client_frame(Opcode::close, close_payload(1000)));
        break;
      case 5:
        client.send(client_frame(Opcode::text, "half", false));
        break;
      default:
        break;
    }
  }
}

TEST(WebSocketStress, SendsToAllWhileClientsComeAndGo) {
  for (int run = 0; run < 3; ++run) {
    Sockets sockets;
    std::atomic<int> open = 0, visits = 0, received = 0;
    TestHandler handler;
    handler.on_handle = [&](Request&, Responder responder) {
      auto& mine = sockets.at(&responder.worker());
      responder.open_websocket(std::make_unique<Member>(mine, open));
    };
    ServerOptions options;
    options.workers = 2;
    auto server = std::make_unique<Server>(options, handler);
    for (auto& worker : server->workers()) sockets[worker.get()];
    ASSERT_TRUE(server->listen({"127.0.0.1"}, 0));
    server->start();

    std::atomic<bool> ticking = true;
    std::atomic<int> under_way = 0;  // so that a slow machine is not flooded
    std::thread ticker([&] {
      for (int tick = 0; ticking; ++tick) {
        const MessagePtr shared = message("tick " + std::to_string(tick));
        for (auto& worker : server->workers()) {
          ++under_way;
          worker->post([&mine = sockets.at(worker.get()), &under_way, shared] {
            for (WebSocket* const socket : mine) {
              if (socket->send(shared)) socket->flush();
            }
            --under_way;
          });
        }
        do {
          std::this_thread::yield();
        } while (ticking && under_way > 8);
      }
    });
    std::vector<std::thread> clients;
    for (int i = 0; i < 4; ++i) {
      clients.emplace_back([&, i, port = server->port()] { visit(port, i, visits, received); });
    }
    base::wait_until([&] { return visits >= 200 && received >= 500; });
    server->drain();
    if (run > 0) server->stop(run == 1 ? 0s : 2s);
    for (auto& client : clients) client.join();
    ticking = false;
    ticker.join();
    server.reset();
    EXPECT_EQ(open, 0);
  }
}

}  // namespace
}  // namespace hearth::http
