// SPDX-License-Identifier: Apache-2.0
// Bodies whose pieces are made on another thread.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/testing/wait_until.h"
#include "http/test_server.h"

namespace hearth::http {
namespace {

// Pieces p0 to p(count − 1), each `size` bytes, made on a thread of its own; without the last one if it fails.
class Counting final : public PieceSource {
 public:
  Counting(int count, std::size_t size, bool fails, std::atomic<int>& made, std::atomic<int>& alive)
      : count_(count), size_(size), fails_(fails), made_(made), alive_(alive) {
    ++alive_;
  }
  ~Counting() override { --alive_; }

  void next(std::function<void(std::optional<Piece>)> ready) override {
    const int number = next_++;
    const bool last = number == count_ - 1;
    ++made_;
    std::thread([ready = std::move(ready), last, fails = fails_, size = size_, number] {
      if (last && fails) return ready({});
      ready(Piece{std::string(size, static_cast<char>('a' + number % 26)), !last});
    }).detach();
  }

 private:
  const int count_;
  const std::size_t size_;
  const bool fails_;
  std::atomic<int>& made_;
  std::atomic<int>& alive_;
  int next_ = 0;
};

class ServerPiecesTest : public ServerFixture {
 protected:
  void serve(int count, std::size_t size, bool fails = false) {
    handler_.on_handle = [=, this](Request& request, Responder responder) {
      if (request.target_text == "/short") return responder.send(Response::json("short"));
      Response response = Response::json("first ");
      response.pieces = std::make_shared<Counting>(count, size, fails, made_, alive_);
      if (request.target_text == "/sized") response.length = expected(count, size).size();
      responder.send(std::move(response));
    };
    start();
  }
  static std::string expected(int count, std::size_t size) {
    std::string text = "first ";
    for (int i = 0; i < count; ++i) text += std::string(size, static_cast<char>('a' + i % 26));
    return text;
  }

  std::atomic<int> made_{0}, alive_{0};
};

TEST_F(ServerPiecesTest, SendsThemInOrderAndGoesOn) {
  serve(30, 100'000);
  TestClient client(port());
  for (int round = 0; round < 2; ++round) {
    const auto answer = client.get("/long");
    EXPECT_TRUE(answer.has("Transfer-Encoding: chunked"));
    EXPECT_FALSE(answer.has("Vary: Accept-Encoding"));
    EXPECT_EQ(answer.body, expected(30, 100'000));
    EXPECT_EQ(client.get("/short").body, "short");
  }
}

TEST_F(ServerPiecesTest, SendsThemAfterTheirLengthIfItIsKnown) {
  serve(30, 100'000);
  TestClient client(port());
  for (int round = 0; round < 2; ++round) {
    const auto answer = client.get("/sized");
    EXPECT_TRUE(answer.has("Content-Length: 3000006"));
    EXPECT_FALSE(answer.has("Transfer-Encoding: chunked"));
    EXPECT_EQ(answer.body, expected(30, 100'000));
    client.send("HEAD /sized HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_TRUE(client.read_answer(true).has("Content-Length: 3000006"));
  }
}

TEST_F(ServerPiecesTest, CutsTheConnectionIfTheLengthIsNotReached) {
  serve(3, 10, true);
  TestClient client(port());
  client.send(get_request("/sized"));
  EXPECT_NE(std::string::npos, client.read_until("\r\n\r\n").find("Content-Length: 36\r\n"));
  EXPECT_EQ(client.read_bytes(100), expected(2, 10));
}

TEST_F(ServerPiecesTest, EndsAnOldClientsBodyWithTheConnection) {
  serve(3, 1'000);
  TestClient client(port());
  client.send("GET /long HTTP/1.0\r\n\r\n");
  const std::string head = client.read_until("\r\n\r\n");
  EXPECT_EQ(head.find("chunked"), std::string::npos);
  EXPECT_EQ(client.read_bytes(expected(3, 1'000).size()), expected(3, 1'000));
  EXPECT_EQ(client.read_bytes(1), "");
}

TEST_F(ServerPiecesTest, TakesEmptyOnes) {
  serve(3, 0);
  EXPECT_EQ(TestClient(port()).get("/long").body, "first ");
}

TEST_F(ServerPiecesTest, CutsTheConnectionIfOneIsMissing) {
  serve(3, 10, true);
  TestClient client(port());
  client.send(get_request("/long"));
  client.read_until("\r\n\r\n");
  std::string body;
  for (std::string chunk; !(chunk = client.read_chunk()).empty();) body += chunk;
  EXPECT_EQ(body, expected(2, 10));
  EXPECT_EQ(client.read_bytes(1), "");
  wait_for_connections(0);
}

// Drops its callback, as a task that throws does.
class Forgetful final : public PieceSource {
 public:
  void next(std::function<void(std::optional<Piece>)> ready) override {
    std::thread([ready = std::move(ready)]() mutable { ready = nullptr; }).detach();
  }
};

TEST_F(ServerPiecesTest, CutsTheConnectionIfTheCallbackIsDropped) {
  handler_.on_handle = [](Request&, Responder responder) {
    Response response = Response::json("first ");
    response.pieces = std::make_shared<Forgetful>();
    responder.send(std::move(response));
  };
  start();
  TestClient client(port());
  client.send(get_request("/long"));
  client.read_until("\r\n\r\n");
  EXPECT_EQ(client.read_chunk(), "first ");
  EXPECT_EQ(client.read_bytes(1), "");
  wait_for_connections(0);
}

TEST_F(ServerPiecesTest, AsksForNoMoreThanTheClientTakes) {
  serve(1'000, 1'000'000);
  {
    TestClient client(port());
    client.send(get_request("/long"));
    client.read_until("\r\n\r\n");
    base::wait_until([&] { return made_ != 0; });
  }
  wait_for_connections(0);
  base::wait_until([&] { return alive_ == 0; });  // destroyed with the connection
  EXPECT_LT(made_, 200);
}

}  // namespace
}  // namespace hearth::http
