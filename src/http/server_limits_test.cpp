// SPDX-License-Identifier: Apache-2.0
// The server and clients that send too much, take too long, or stay while it stops.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/testing/wait_until.h"
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
  base::wait_until([&] { return receiving.used() >= 90'000; });

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
  base::wait_until([&] { return receiving.used() >= 90'000; });
  first.close();
  wait_for_connections(1);
  base::wait_until([&] { return receiving.used() == 0; });
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
  base::wait_until([&] { return receiving.used() >= 199'999; });
  client.send("x");
  base::wait_until([&] { return receiving.used() == 0; });
  std::atomic<bool> handled = false;
  server_->workers().front()->post([&] { handled = true; });
  base::wait_until([&] { return handled.load(); });
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
  base::wait_until([&] { return waits.load(); });

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
  base::wait_until([&] { return waits.load(); });
  server_->drain();
  server_->stop(0ms);
  EXPECT_TRUE(client.ended());
  waiting->send(Response::json("too late"));
}

}  // namespace
}  // namespace hearth::http
