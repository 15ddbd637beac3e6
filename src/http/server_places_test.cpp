// SPDX-License-Identifier: Apache-2.0
// The server and more connections than it has places for.
#include <gtest/gtest.h>

#include <latch>

#include "base/testing/wait_until.h"
#include "http/test_server.h"

namespace hearth::http {
namespace {

using namespace std::chrono_literals;

using ServerPlacesTest = ServerFixture;

TEST_F(ServerPlacesTest, RefusesConnectionsBeyondTheLimit) {
  options_.limits.connections = 2;
  std::vector<Responder> waiting;
  std::atomic<int> count = 0;
  handler_.on_handle = [&](Request& request, Responder responder) {
    if (request.target_text == "/") return responder.send(Response::json("here"));
    waiting.push_back(std::move(responder));
    ++count;
  };
  start();
  TestClient first(port()), second(port());
  first.send(get_request("/wait"));
  second.send(get_request("/wait"));
  base::wait_until([&] { return count >= 2; });
  EXPECT_TRUE(TestClient(port()).ended());
  std::atomic<bool> looked = false;  // set by a client that might make room, in vain
  server_->workers().front()->post([&] { server_->workers().front()->post([&] { looked = true; }); });
  base::wait_until([&] { return looked.load(); });
  for (Responder& responder : waiting) responder.send(Response::json("at last"));
  EXPECT_EQ(first.read_answer().body, "at last");
  EXPECT_EQ(second.read_answer().body, "at last");
  second.close();
  wait_for_connections(1);
  EXPECT_EQ(TestClient(port()).get("/").status, 200);
}

TEST_F(ServerPlacesTest, ClosesConnectionsWithoutTokenAndThenIdleOnesToMakeRoom) {
  options_.limits.connections = 20;
  handler_.on_check = [](Request& request) -> std::optional<Response> {
    if (request.headers.authorization == "yes") request.principal = std::make_shared<int>();
    return {};
  };
  start();
  std::vector<std::unique_ptr<TestClient>> known, strangers;
  const auto visit = [&](std::vector<std::unique_ptr<TestClient>>& clients, std::string_view fields) {
    clients.push_back(std::make_unique<TestClient>(port()));
    return clients.back()->get("/", fields).status;
  };
  for (int i = 0; i < 10; ++i) EXPECT_EQ(visit(known, "Authorization: yes\r\n"), 200);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(visit(strangers, ""), 200) << i;
    strangers.push_back(std::make_unique<TestClient>(port()));
    EXPECT_TRUE(strangers.back()->send("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n01234"));
  }
  EXPECT_LE(server_->connections(), 20u);
  for (auto& client : known) EXPECT_EQ(client->get("/", "Authorization: yes\r\n").status, 200);
  TestClient works(port());
  EXPECT_TRUE(works.send("GET / HTTP/1.1\r\nHost: h\r\nAuthorization: yes\r\nContent-Length: 10\r\n\r\n01234"));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(visit(known, "Authorization: yes\r\n"), 200) << i;
  EXPECT_LE(server_->connections(), 20u);
  EXPECT_TRUE(known.front()->ended());
  works.send("56789");
  EXPECT_EQ(works.read_answer().status, 200);
}

TEST_F(ServerPlacesTest, NewConnectionsWaitForRoomHoweverFastOthersCome) {
  options_.limits.connections = 20;
  options_.workers = 4;
  start();
  for (int round = 0; round < 20; ++round) {
    std::vector<std::unique_ptr<TestClient>> strangers;
    for (int i = 0; i < 100; ++i) {
      strangers.push_back(std::make_unique<TestClient>(port()));
      strangers.back()->send("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n01234");
    }
    EXPECT_EQ(TestClient(port()).get("/").status, 200) << round;
    EXPECT_LE(server_->connections(), 20u);
  }
}

TEST_F(ServerPlacesTest, EndsNoNewConnectionWhileAWorkerThatIsSlowHasOlderOnes) {
  options_.limits.connections = 20;
  options_.workers = 2;
  std::latch slow(1);
  handler_.on_handle = [&](Request& request, Responder responder) {
    if (request.target_text == "/slow" && Worker::of_this_thread()->index() == 1) slow.wait();
    responder.send(Response::json("here"));
  };
  start();
  std::vector<std::unique_ptr<TestClient>> strangers;
  const auto arrive = [&] { strangers.push_back(std::make_unique<TestClient>(port())); };
  for (int i = 0; i < 2; ++i) {
    arrive();
    strangers.back()->send(get_request("/slow"));
  }
  for (int i = 0; i < 40; ++i) arrive();
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < 5; ++i) clients.push_back(std::make_unique<TestClient>(port()));
  for (auto& client : clients) client->send(get_request("/"));
  slow.count_down();
  for (auto& client : clients) EXPECT_EQ(client->read_answer().status, 200);
}

TEST_F(ServerPlacesTest, RefusesOnePrefixMoreConnectionsThanItMayHave) {
  options_.limits.prefix_connections = 3;
  server_ = std::make_unique<Server>(options_, handler_);
  const auto arrive = [&](const char* peer) {
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    server_->take(FileDescriptor(ends[0]), boost::asio::ip::make_address(peer));
    return FileDescriptor(ends[1]);
  };
  std::vector<FileDescriptor> clients;
  testing::internal::CaptureStderr();
  for (const char* peer : {"203.0.113.1", "203.0.113.1", "203.0.113.1", "203.0.113.1", "::ffff:203.0.113.1"})
    clients.push_back(arrive(peer));
  EXPECT_EQ(server_->connections(), 3u);
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_NE(log.find("203.0.113.1"), std::string::npos) << log;
  EXPECT_EQ(log.find("203.0.113.1"), log.rfind("203.0.113.1")) << log;
  char byte;
  EXPECT_EQ(::read(clients.back().number(), &byte, 1), 0);
  clients.push_back(arrive("203.0.113.2"));
  for (int i = 0; i < 10; ++i) clients.push_back(arrive("127.0.0.1"));
  EXPECT_EQ(server_->connections(), 14u);
  server_->start();
  clients.clear();
  wait_for_connections(0);
}

TEST_F(ServerPlacesTest, ReturnsThePlacesOfAPrefix) {
  options_.limits.prefix_connections = 1;
  server_ = std::make_unique<Server>(options_, handler_);
  server_->start();
  for (int i = 0; i < 20; ++i) {
    int ends[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    FileDescriptor client(ends[1]);
    std::atomic<bool> taken = false;
    server_->workers().front()->post([&] {
      server_->take(FileDescriptor(ends[0]), boost::asio::ip::make_address("203.0.113.1"));
      taken = true;
    });
    base::wait_until([&] { return taken.load(); });
    EXPECT_EQ(server_->connections(), 1u) << i;
    client.close();
    wait_for_connections(0);
    std::atomic<bool> gone = false;  // retired sessions are destroyed in the worker's next turn
    server_->workers().front()->post([&] { gone = true; });
    base::wait_until([&] { return gone.load(); });
  }
}

}  // namespace
}  // namespace hearth::http
