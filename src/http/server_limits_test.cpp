// SPDX-License-Identifier: Apache-2.0
// The server and clients that send too much, take too long, or connect while it stops.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "http/test_server.h"

namespace hearth::http {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kPostHead = "POST / HTTP/1.1\r\nHost: h\r\n";

class ServerLimitsTest : public ServerFixture {
 protected:
  // The answer to a request, after which the server ends the connection.
  TestClient::Answer refused(std::string_view request) {
    TestClient client(port());
    client.send(request);
    auto answer = client.read_answer();
    EXPECT_TRUE(answer.has("Connection: close"));
    EXPECT_TRUE(answer.has("Content-Type: application/json"));
    EXPECT_TRUE(answer.body.starts_with(R"({"message":")")) << answer.body;
    EXPECT_TRUE(client.ended());
    return answer;
  }
};

TEST_F(ServerLimitsTest, RefusesWhatIsNotHttpWith400) {
  start();
  for (const char* request : {"GET / HTTP/1.1\r\n\r\n", "nonsense\r\n\r\n", "GET / HTTP/3.0\r\n\r\n",
                              "GET / HTTP/1.1\nHost: h\n\n", "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n c\r\n\r\n",
                              "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                              "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n"}) {
    EXPECT_EQ(refused(request).status, 400) << request;
  }
}

TEST_F(ServerLimitsTest, RefusesATargetWith400AndGoesOn) {
  start();
  TestClient client(port());
  const auto answer = client.get("/%00");
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(answer.body, R"({"message":"Invalid request target: it has a control character."})");
  EXPECT_EQ(client.get("/x").status, 200);
}

TEST_F(ServerLimitsTest, RefusesATooLongHeadWith431) {
  start();
  const std::string field = "A: " + std::string(options_.limits.header_bytes, 'x') + "\r\n";
  EXPECT_EQ(refused("GET / HTTP/1.1\r\nHost: h\r\n" + field + "\r\n").status, 431);
  EXPECT_EQ(refused("GET /" + std::string(options_.limits.header_bytes, 'x') + " HTTP/1.1\r\nHost: h\r\n\r\n").status,
            431);
  std::string fields;
  for (int i = 0; i < 128; ++i) fields += "A: b\r\n";
  EXPECT_EQ(refused("GET / HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n").status, 431);
}

TEST_F(ServerLimitsTest, RefusesATooLargeBodyWith413) {
  options_.limits.body_bytes = 10;
  start();
  EXPECT_EQ(refused(std::string(kPostHead) + "Content-Length: 11\r\n\r\n").status, 413);
  const auto chunked = refused(std::string(kPostHead) + "Transfer-Encoding: chunked\r\n\r\n6\r\n012345\r\n6\r\n");
  EXPECT_EQ(chunked.status, 413);
  EXPECT_EQ(chunked.body, R"({"message":"The body is larger than 10 bytes."})");
  TestClient client(port());
  client.send(std::string(kPostHead) + "Content-Length: 10\r\n\r\n0123456789");
  EXPECT_EQ(client.read_answer().status, 200);
}

TEST_F(ServerLimitsTest, RefusesEndlessLinesBetweenChunks) {
  start();
  const std::string endless(100'000, 'x');
  EXPECT_EQ(refused(std::string(kPostHead) + "Transfer-Encoding: chunked\r\n\r\n1;" + endless).status, 431);
  EXPECT_EQ(refused(std::string(kPostHead) + "Transfer-Encoding: chunked\r\n\r\n0\r\nA: " + endless).status, 431);
}

TEST_F(ServerLimitsTest, ClosesAConnectionThatSaysNothing) {
  options_.limits.header_time = 1s;
  options_.limits.idle_time = options_.limits.stall_time = 1h;
  start();
  TestClient client(port());
  EXPECT_TRUE(client.ended());
}

TEST_F(ServerLimitsTest, ClosesIfAHeadStaysIncomplete) {
  options_.limits.header_time = 1s;
  options_.limits.idle_time = options_.limits.stall_time = 1h;
  start();
  TestClient client(port());
  EXPECT_EQ(client.get("/").status, 200);
  client.send("GET / HT");
  EXPECT_TRUE(client.ended());
}

TEST_F(ServerLimitsTest, ClosesIdleConnections) {
  options_.limits.idle_time = 1s;
  options_.limits.header_time = options_.limits.stall_time = 1h;
  start();
  TestClient client(port());
  EXPECT_EQ(client.get("/").status, 200);
  EXPECT_TRUE(client.ended());
}

TEST_F(ServerLimitsTest, ClosesIfABodyStalls) {
  options_.limits.stall_time = 1s;
  options_.limits.header_time = options_.limits.idle_time = 1h;
  start();
  TestClient client(port());
  client.send(std::string(kPostHead) + "Content-Length: 10\r\n\r\n01234");
  EXPECT_TRUE(client.ended());
}

TEST_F(ServerLimitsTest, ClosesIfNobodyReadsTheAnswer) {
  options_.limits.stall_time = 1s;
  options_.limits.header_time = options_.limits.idle_time = 1h;
  handler_.on_handle = [](Request&, Responder responder) {
    responder.send(Response::json(std::string(30'000'000, 'x')));
  };
  start();
  TestClient client(port(), 4096);
  client.send(get_request("/"));
  EXPECT_TRUE(client.read_until("\r\n\r\n").starts_with("HTTP/1.1 200"));
  wait_for_connections(0);
}

TEST_F(ServerLimitsTest, RefusesConnectionsBeyondTheLimit) {
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
  while (count < 2) std::this_thread::yield();
  EXPECT_TRUE(TestClient(port()).ended());
  std::atomic<bool> looked = false;  // set by a client that might make room, in vain
  server_->workers().front()->post([&] { server_->workers().front()->post([&] { looked = true; }); });
  while (!looked) std::this_thread::yield();
  for (Responder& responder : waiting) responder.send(Response::json("at last"));
  EXPECT_EQ(first.read_answer().body, "at last");
  EXPECT_EQ(second.read_answer().body, "at last");
  second.close();
  wait_for_connections(1);
  EXPECT_EQ(TestClient(port()).get("/").status, 200);
}

TEST_F(ServerLimitsTest, ClosesConnectionsWithoutTokenAndThenIdleOnesToMakeRoom) {
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

TEST_F(ServerLimitsTest, NewConnectionsWaitForRoomHoweverFastOthersCome) {
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

TEST_F(ServerLimitsTest, RefusesOnePrefixMoreConnectionsThanItMayHave) {
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

TEST_F(ServerLimitsTest, ReturnsThePlacesOfAPrefix) {
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
    while (!taken) std::this_thread::yield();
    EXPECT_EQ(server_->connections(), 1u) << i;
    client.close();
    wait_for_connections(0);
    std::atomic<bool> gone = false;  // retired sessions are destroyed in the worker's next turn
    server_->workers().front()->post([&] { gone = true; });
    while (!gone) std::this_thread::yield();
  }
}

TEST_F(ServerLimitsTest, RefusesABodyLargerThanTheHandlerTakesWith413) {
  handler_.on_check = [](Request& request) -> std::optional<Response> {
    request.body_limit = 5;
    return {};
  };
  start();
  const auto answer = refused(std::string(kPostHead) + "Content-Length: 6\r\n\r\n012345");
  EXPECT_EQ(answer.status, 413);
  EXPECT_EQ(answer.body, R"({"message":"The body is larger than 5 bytes."})");
  EXPECT_EQ(refused(std::string(kPostHead) + "Transfer-Encoding: chunked\r\n\r\n3\r\n012\r\n3\r\n").status, 413);
  TestClient client(port());
  client.send(std::string(kPostHead) + "Content-Length: 5\r\n\r\n01234" + std::string(kPostHead) +
              "Transfer-Encoding: chunked\r\n\r\n3\r\n012\r\n2\r\n34\r\n0\r\n\r\n");
  EXPECT_EQ(client.read_answer().status, 200);
  EXPECT_EQ(client.read_answer().status, 200);
}

TEST_F(ServerLimitsTest, ClosesIfABodyIsSlow) {
  options_.limits.body_rate_time = 1s;
  options_.limits.body_rate = 1'000;
  start();
  TestClient slow(port()), fast(port());
  slow.send(std::string(kPostHead) + "Content-Length: 100000\r\n\r\n" + std::string(500, 'x'));
  fast.send(std::string(kPostHead) + "Content-Length: 100000\r\n\r\n" + std::string(99'999, 'x'));
  EXPECT_TRUE(slow.ended());
  fast.send("x");
  EXPECT_EQ(fast.read_answer().status, 200);
}

TEST_F(ServerLimitsTest, RefusesTheNewestBodyWith503IfTooMuchIsComingIn) {
  options_.limits.receiving_bytes = 100'000;
  handler_.on_handle = [](Request& request, Responder responder) {
    responder.send(Response::json(std::to_string(request.body.size())));
  };
  start();
  const MemoryBudget& receiving = server_->workers().front()->commons().receiving;
  const auto head = [](int size) { return std::string(kPostHead) + fmt::format("Content-Length: {}\r\n\r\n", size); };
  TestClient first(port());
  first.send(head(95'000) + std::string(90'000, 'x'));
  while (receiving.used() < 90'000) std::this_thread::yield();

  const auto newest = refused(head(30'000) + std::string(20'000, 'x'));
  EXPECT_EQ(newest.status, 503);
  EXPECT_TRUE(newest.has("Retry-After: 1"));
  EXPECT_EQ(TestClient(port()).get("/").status, 200);
  TestClient small(port());
  small.send(head(5) + "01234");
  EXPECT_EQ(small.read_answer().body, "5");

  first.send(std::string(5'000, 'x'));
  EXPECT_EQ(first.read_answer().body, "95000");
  EXPECT_EQ(receiving.used(), 0u);
  first.send(head(95'000) + std::string(90'000, 'x'));
  while (receiving.used() < 90'000) std::this_thread::yield();
  first.close();
  wait_for_connections(1);
  while (receiving.used() > 0) std::this_thread::yield();
}

// The handler has read the body; the request only waits for its answer.
TEST_F(ServerLimitsTest, KeepsNoLongBodyWhileTheAnswerWaits) {
  std::unique_ptr<Responder> waiting;
  handler_.on_handle = [&](Request&, Responder responder) {
    waiting = std::make_unique<Responder>(std::move(responder));
  };
  start();
  const MemoryBudget& receiving = server_->workers().front()->commons().receiving;
  TestClient client(port());
  client.send(std::string(kPostHead) + "Content-Length: 200000\r\n\r\n" + std::string(199'999, 'x'));
  while (receiving.used() < 199'999) std::this_thread::yield();
  client.send("x");
  while (receiving.used() > 0) std::this_thread::yield();
  std::atomic<bool> handled = false;
  server_->workers().front()->post([&] { handled = true; });
  while (!handled) std::this_thread::yield();
  waiting->send(Response::json("at last"));
  EXPECT_EQ(client.read_answer().body, "at last");
}

TEST_F(ServerLimitsTest, DrainsIdleConnectionsAndAnswersWhatIsUnderWay) {
  std::unique_ptr<Responder> waiting;
  std::atomic<bool> waits = false;
  handler_.on_handle = [&](Request& request, Responder responder) {
    if (request.target_text != "/wait") return responder.send(Response::json(request.body));
    waiting = std::make_unique<Responder>(std::move(responder));
    waits = true;
  };
  start();
  TestClient idle(port()), busy(port()), halfway(port());
  EXPECT_EQ(idle.get("/").status, 200);
  busy.send(get_request("/wait"));
  halfway.send(std::string(kPostHead) + "Expect: 100-continue\r\nContent-Length: 4\r\n\r\n");
  EXPECT_EQ(halfway.read_answer().status, 100);
  while (!waits) std::this_thread::yield();

  server_->drain();
  EXPECT_TRUE(idle.ended());
  halfway.send("body");
  const auto last = halfway.read_answer();
  EXPECT_EQ(last.body, "body");
  EXPECT_TRUE(last.has("Connection: close"));
  EXPECT_TRUE(halfway.ended());
  waiting->send(Response::json("at last"));
  const auto answer = busy.read_answer();
  EXPECT_EQ(answer.body, "at last");
  EXPECT_TRUE(answer.has("Connection: close"));
  EXPECT_TRUE(busy.ended());
  EXPECT_FALSE(TestClient(port()).connected());
  server_->stop(30s);
  EXPECT_EQ(server_->connections(), 0u);
}

TEST_F(ServerLimitsTest, StopEndsWhatIsStillRunning) {
  std::unique_ptr<Responder> waiting;
  std::atomic<bool> waits = false;
  handler_.on_handle = [&](Request&, Responder responder) {
    waiting = std::make_unique<Responder>(std::move(responder));
    waits = true;
  };
  start();
  TestClient client(port());
  client.send(get_request("/"));
  while (!waits) std::this_thread::yield();
  server_->drain();
  server_->stop(0ms);
  EXPECT_TRUE(client.ended());
  waiting->send(Response::json("too late"));
}

}  // namespace
}  // namespace hearth::http
