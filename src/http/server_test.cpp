// SPDX-License-Identifier: Apache-2.0
#include "http/server.h"

#include <gtest/gtest.h>

#include "base/testing/wait_until.h"
#include "http/test_server.h"

namespace hearth::http {
namespace {

class ServerTest : public ServerFixture {};

void throw_failure() {
  throw std::runtime_error("the cellar is flooded");
}

// Answers on another thread.
void answer_elsewhere(std::string text, Responder responder) {
  std::thread([text = std::move(text), responder = std::move(responder)]() mutable {
    responder.send(Response::json(std::move(text)));
  }).detach();
}

TEST(Server, AnswersAnUnexpectedFailureWith500AndLogsTheReason) {
  TestHandler handler;
  handler.on_check = [](Request& request) {
    if (request.target_text == "/check") throw_failure();
    return std::nullopt;
  };
  handler.on_handle = [](Request& request, Responder responder) {
    if (request.target_text == "/handle") throw_failure();
    responder.send(Response::json("fine"));
  };
  Server server(ServerOptions(), handler);
  ASSERT_TRUE(server.listen({"127.0.0.1"}, 0));
  server.start();
  TestClient client(server.port());
  for (const char* target : {"/check", "/handle"}) {
    testing::internal::CaptureStderr();
    const auto answer = client.get(target);
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_EQ(answer.status, 500) << target;
    EXPECT_EQ(answer.body, R"({"message":"Internal error."})");
    EXPECT_NE(log.find("the cellar is flooded"), std::string::npos) << log;
  }
  EXPECT_EQ(client.get("/").body, "fine");
}

TEST_F(ServerTest, AnswersWithTheHeadersOfTheContract) {
  start();
  const auto answer = TestClient(port()).get("/x");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "/x");
  for (const char* line : {"Content-Type: application/json", "Content-Length: 2", "X-Content-Type-Options: nosniff",
                           "Referrer-Policy: no-referrer", "X-Frame-Options: SAMEORIGIN", "Cache-Control: no-store"}) {
    EXPECT_TRUE(answer.has(line)) << line;
  }
  EXPECT_NE(answer.head.find("\r\nDate: "), std::string::npos);
  EXPECT_EQ(answer.head.find("\r\nServer:"), std::string::npos);
  EXPECT_EQ(answer.head.find("\r\nConnection:"), std::string::npos);
}

TEST_F(ServerTest, AnswersPipelinedRequestsInOrder) {
  handler_.on_handle = [](Request& request, Responder responder) {
    if (request.target_text.ends_with("0")) return answer_elsewhere(request.target_text, std::move(responder));
    responder.send(Response::json(request.target_text));
  };
  start();
  TestClient client(port());
  std::string requests;
  for (int i = 0; i < 300; ++i) requests += get_request("/" + std::to_string(i));
  ASSERT_TRUE(client.send(requests));
  for (int i = 0; i < 300; ++i) ASSERT_EQ(client.read_answer().body, "/" + std::to_string(i));
}

TEST_F(ServerTest, KeepsTheOrderIfAnswersWaitForTheClient) {
  handler_.on_handle = [](Request& request, Responder responder) {
    const char kind = request.target_text[1];
    if (kind == 'a') return answer_elsewhere(request.target_text, std::move(responder));
    std::string text(kind == 'b' ? 300'000 : 5'000, '.');
    responder.send(Response::json(request.target_text + text));
  };
  start();
  TestClient client(port(), 4096);
  std::string requests;
  constexpr int kRounds = 60;
  for (int i = 0; i < kRounds; ++i) {
    requests += get_request("/b");
    for (int j = 0; j < 9; ++j) requests += get_request("/s" + std::to_string(i));
    requests += get_request("/a" + std::to_string(i));
  }
  std::thread sender([&] { client.send(requests); });
  for (int i = 0; i < kRounds; ++i) {
    ASSERT_TRUE(client.read_answer().body.starts_with("/b."));
    for (int j = 0; j < 9; ++j) ASSERT_TRUE(client.read_answer().body.starts_with("/s" + std::to_string(i) + "."));
    ASSERT_EQ(client.read_answer().body, "/a" + std::to_string(i));
  }
  sender.join();
}

TEST_F(ServerTest, LetsAHandlerAnswerAnotherConnection) {
  std::unique_ptr<Responder> waiting;
  std::atomic<bool> waits = false;
  handler_.on_handle = [&](Request& request, Responder responder) {
    if (request.target_text == "/wait") {
      waiting = std::make_unique<Responder>(std::move(responder));
      waits = true;
    } else if (request.target_text == "/release") {
      waiting->send(Response::json("for the first"));
      responder.send(Response::json("for the second"));
    } else {
      responder.send(Response::json("another"));
    }
  };
  start();
  TestClient first(port());
  TestClient second(port());
  EXPECT_EQ(first.get("/").body, "another");
  first.send(get_request("/wait"));
  base::wait_until([&] { return waits.load(); });
  ASSERT_TRUE(second.send(get_request("/x") + get_request("/release") + get_request("/y")));
  EXPECT_EQ(second.read_answer().body, "another");
  EXPECT_EQ(second.read_answer().body, "for the second");
  EXPECT_EQ(second.read_answer().body, "another");
  EXPECT_EQ(first.read_answer().body, "for the first");
}

TEST_F(ServerTest, AnswersADroppedRequestWith500) {
  handler_.on_handle = [](Request&, Responder) {};
  start();
  TestClient client(port());
  EXPECT_EQ(client.get("/").status, 500);
  EXPECT_EQ(client.get("/").status, 500);
}

TEST_F(ServerTest, LetsAResponderOutliveIt) {
  std::vector<Responder> kept;
  std::atomic<int> handled = 0;
  handler_.on_handle = [&](Request&, Responder responder) {
    kept.push_back(std::move(responder));
    ++handled;
  };
  start();
  TestClient client(port());
  client.send(get_request("/"));
  TestClient second(port());
  second.send(get_request("/"));
  base::wait_until([&] { return handled >= 2; });
  server_.reset();
  for (Responder& responder : kept) responder.send(Response::json("too late"));
  EXPECT_TRUE(client.ended());
}

TEST_F(ServerTest, IgnoresAnAnswerToAClientThatHasGone) {
  std::atomic<int> handled = 0;
  std::unique_ptr<Responder> waiting;
  handler_.on_handle = [&](Request& request, Responder responder) {
    if (request.target_text == "/wait")
      waiting = std::make_unique<Responder>(std::move(responder));
    else
      responder.send(Response::json("here"));
    ++handled;
  };
  start();
  {
    TestClient gone(port());
    gone.send(get_request("/wait"));
    base::wait_until([&] { return handled != 0; });
  }
  waiting->send(Response::json("anybody?"));
  EXPECT_EQ(TestClient(port()).get("/").body, "here");
  wait_for_connections(0);
}

TEST_F(ServerTest, AnswersHeadWithoutABody) {
  start();
  TestClient client(port());
  client.send("HEAD /four HTTP/1.1\r\nHost: h\r\n\r\n");
  const auto answer = client.read_answer(true);
  EXPECT_EQ(answer.status, 200);
  EXPECT_TRUE(answer.has("Content-Length: 5"));
  EXPECT_EQ(client.get("/next").body, "/next");
}

TEST_F(ServerTest, ClosesAndLingersAfterAnAnswerThatDoesNotWaitForTheBody) {
  handler_.on_check = [](Request&) { return Response::error({base::ErrorCode::unauthorized, "Who?"}); };
  start();
  TestClient client(port());
  const std::string body(3'000'000, 'x');
  client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3000000\r\n\r\n");
  ASSERT_TRUE(client.send(body));
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.status, 401);
  EXPECT_EQ(answer.body, R"({"message":"Who?"})");
  EXPECT_TRUE(answer.has("Connection: close"));
  EXPECT_TRUE(answer.has("WWW-Authenticate: Bearer"));
  EXPECT_TRUE(client.ended());
}

TEST_F(ServerTest, GoesOnAfterAnEarlyAnswerIfThereIsNoBody) {
  handler_.on_check = [](Request&) { return Response::message(404, "Nothing."); };
  start();
  TestClient client(port());
  EXPECT_EQ(client.get("/").status, 404);
  EXPECT_EQ(client.get("/").status, 404);
}

TEST_F(ServerTest, HandsOverBodies) {
  handler_.on_handle = [](Request& request, Responder responder) { responder.send(Response::json(request.body)); };
  start();
  TestClient client(port());
  client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbodyPOST / HTTP/1.1\r\nHost: h\r\n");
  EXPECT_EQ(client.read_answer().body, "body");
  client.send("Transfer-Encoding: chunked\r\n\r\n3\r\none\r\n4\r");
  client.send("\n two\r\n0\r\nTrailer: x\r\n\r\n");
  EXPECT_EQ(client.read_answer().body, "one two");
  const std::string large(5'000'000, 'x');
  client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5000000\r\n\r\n");
  std::thread sender([&] { client.send(large); });
  EXPECT_EQ(client.read_answer().body, large);
  sender.join();
}

TEST_F(ServerTest, AsksForABodyThatWaits) {
  handler_.on_handle = [](Request& request, Responder responder) { responder.send(Response::json(request.body)); };
  start();
  TestClient client(port());
  client.send("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("body");
  EXPECT_EQ(client.read_answer().body, "body");
  client.send("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
  client.send("body");
  EXPECT_EQ(client.read_answer().status, 200);
}

// Nagle's algorithm holds such a body back until the head is acknowledged, which the kernel does after 40 ms.
TEST_F(ServerTest, AcknowledgesAHeadWhoseBodyComesApart) {
  start();
  TestClient client(port());
  auto quickest = std::chrono::steady_clock::duration::max();
  for (int i = 0; i < 60; ++i) {
    const auto started = std::chrono::steady_clock::now();
    client.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\n");
    client.send("body");
    ASSERT_EQ(client.read_answer().status, 200);
    // The kernel acknowledges the first segments of a connection at once anyway.
    if (i >= 40) quickest = std::min(quickest, std::chrono::steady_clock::now() - started);
  }
  EXPECT_LT(quickest, std::chrono::milliseconds(30));
}

TEST_F(ServerTest, KeepsConnectionsAsTheClientWishes) {
  start();
  TestClient client(port());
  EXPECT_EQ(client.get("/1").status, 200);
  const auto last = client.get("/2", "Connection: close\r\n");
  EXPECT_TRUE(last.has("Connection: close"));
  EXPECT_TRUE(client.ended());

  TestClient old(port());
  old.send("GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_TRUE(old.read_answer().has("Connection: keep-alive"));
  old.send("GET /2 HTTP/1.0\r\n\r\n");
  EXPECT_EQ(old.read_answer().body, "/2");
  EXPECT_TRUE(old.ended());
}

TEST_F(ServerTest, AnswersAClientThatHasShutDownSending) {
  handler_.on_handle = [](Request& request, Responder responder) {
    answer_elsewhere(request.target_text, std::move(responder));
  };
  start();
  TestClient client(port());
  client.send(get_request("/1") + get_request("/2"));
  client.finish();
  EXPECT_EQ(client.read_answer().body, "/1");
  EXPECT_EQ(client.read_answer().body, "/2");
  EXPECT_TRUE(client.ended());
}

TEST_F(ServerTest, CompressesAsTheClientAccepts) {
  handler_.on_handle = [](Request& request, Responder responder) {
    responder.send(Response::json(std::string(request.target_text == "/long" ? 1024 : 1023, 'x')));
  };
  start();
  TestClient client(port());
  const auto compressed = client.get("/long", "Accept-Encoding: gzip\r\n");
  EXPECT_TRUE(compressed.has("Content-Encoding: gzip"));
  EXPECT_TRUE(compressed.has("Vary: Accept-Encoding"));
  EXPECT_LT(compressed.body.size(), 200u);
  const auto plain = client.get("/long");
  EXPECT_TRUE(plain.has("Vary: Accept-Encoding"));
  EXPECT_EQ(plain.body.size(), 1024u);
  const auto small = client.get("/short", "Accept-Encoding: gzip\r\n");
  EXPECT_EQ(small.body.size(), 1023u);
  EXPECT_FALSE(small.has("Vary: Accept-Encoding"));
}

TEST_F(ServerTest, NamesAnAllowedOriginOnly) {
  options_.cors_allowed_origins = {"https://panel.example"};
  start();
  TestClient client(port());
  const auto allowed = client.get("/", "Origin: https://panel.example\r\n");
  EXPECT_TRUE(allowed.has("Access-Control-Allow-Origin: https://panel.example"));
  EXPECT_TRUE(allowed.has("Vary: Origin"));
  const auto other = client.get("/", "Origin: https://evil.example\r\n");
  EXPECT_EQ(other.head.find("Access-Control"), std::string::npos);
  EXPECT_TRUE(other.has("Vary: Origin"));
}

TEST_F(ServerTest, BelievesOnlyTrustedProxies) {
  handler_.on_handle = [](Request& request, Responder responder) {
    responder.send(Response::json(request.client.to_string()));
  };
  start();
  testing::internal::CaptureStderr();
  TestClient stranger(port());
  for (const char* field : {"X-Forwarded-For: 192.0.2.7\r\n", "X-Forwarded-For:\r\n", "Forwarded: for=192.0.2.7\r\n"}) {
    const auto refused = stranger.get("/", field);
    EXPECT_EQ(refused.status, 400) << field;
    EXPECT_NE(refused.body.find("http: trusted_proxies"), std::string::npos) << refused.body;
  }
  EXPECT_EQ(stranger.get("/").body, "127.0.0.1");
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_EQ(log.find("127.0.0.1"), log.rfind("127.0.0.1")) << log;
  EXPECT_NE(log.find("http: trusted_proxies"), std::string::npos) << log;
  options_.trusted_proxies = {*base::IpNetwork::parse("127.0.0.0/8")};
  start();
  TestClient proxy(port());
  EXPECT_EQ(proxy.get("/", "X-Forwarded-For: 192.0.2.7:51234\r\n").body, "192.0.2.7");
  EXPECT_EQ(proxy.get("/", "Forwarded: for=192.0.2.7\r\n").body, "192.0.2.7");
  for (const char* field : {"X-Forwarded-For: unknown\r\n", "X-Forwarded-For:\r\n", "Forwarded: proto=https\r\n"}) {
    EXPECT_EQ(proxy.get("/", field).status, 400) << field;
  }
  EXPECT_EQ(proxy.get("/").body, "127.0.0.1");
}

TEST_F(ServerTest, NamesTheAddressItCannotListenOn) {
  start();
  Server second(options_, handler_);
  const auto taken = second.listen({"127.0.0.1"}, port());
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, base::ErrorCode::unavailable);
  EXPECT_NE(taken.error().message.find("127.0.0.1 port " + std::to_string(port())), std::string::npos);
  const auto wrong = second.listen({"kitchen"}, 0);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, base::ErrorCode::invalid);
}

}  // namespace
}  // namespace hearth::http
