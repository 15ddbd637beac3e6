// SPDX-License-Identifier: Apache-2.0
// Bodies that a sink takes as they come.
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>

#include "base/mutex.h"
#include "base/testing/wait_until.h"
#include "http/test_server.h"

namespace hearth::http {
namespace {

// The bytes that the sinks of a test have got, and the pieces that wait to be taken.
struct Taken {
  using Ready = std::move_only_function<void(bool)>;

  void write(std::string piece, Ready ready) {
    base::MutexLock lock(mutex);
    text += piece;
    ++pieces;
    waiting = std::move(ready);
    changed.notify_all();
  }
  Ready next() {
    base::MutexLock lock(mutex);
    while (!waiting) changed.wait(mutex);
    return std::exchange(waiting, nullptr);
  }
  // Takes pieces until `length` bytes are there. A piece may come as soon as the one before is taken: the length is
  // read before.
  void take_all(std::size_t length, Ready ready) {
    for (bool whole = false; !whole;) {
      if (!ready) ready = next();
      whole = text.size() >= length;
      std::exchange(ready, nullptr)(true);
    }
  }

  base::Mutex mutex;
  base::ConditionVariable changed;
  std::string text;
  int pieces = 0;
  Ready waiting;
  std::atomic<int> alive{0};
};

class Sink final : public BodySink {
 public:
  explicit Sink(Taken& taken) : taken_(taken) { ++taken_.alive; }
  ~Sink() override { --taken_.alive; }
  void write(std::string piece, std::move_only_function<void(bool)> ready) override {
    taken_.write(std::move(piece), std::move(ready));
  }

 private:
  Taken& taken_;
};

class ServerSinkTest : public ServerFixture {
 protected:
  void serve() {
    handler_.on_check = [this](Request& request) -> std::optional<Response> {
      if (request.target_text != "/sink") return {};
      request.sink = std::make_shared<Sink>(taken_);
      request.body_limit = 4 << 20;
      return {};
    };
    handler_.on_handle = [](Request& request, Responder responder) {
      responder.send(Response::json(request.target_text + " " + std::to_string(request.body.size())));
    };
    start();
  }
  static std::string post(std::size_t length) {
    return "POST /sink HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(length) + "\r\n\r\n";
  }

  Taken taken_;
};

TEST_F(ServerSinkTest, GivesABodyInPiecesAndThenCallsTheHandler) {
  serve();
  TestClient client(port());
  const std::string body(700'000, 'b');
  client.send(post(body.size()));
  std::thread sender([&] { client.send(body + get_request("/next")); });
  taken_.take_all(body.size(), taken_.next());
  EXPECT_EQ("/sink 0", client.read_answer().body);
  EXPECT_EQ("/next 0", client.read_answer().body);
  sender.join();
  EXPECT_EQ(body, taken_.text);
  EXPECT_LE(3, taken_.pieces);
  EXPECT_EQ(0, taken_.alive);
}

TEST_F(ServerSinkTest, ReadsNothingMoreUntilTheSinkIsReady) {
  serve();
  TestClient client(port());
  client.send(post(3 << 20));
  std::thread sender([&] { client.send(std::string(3 << 20, 'b')); });
  auto first = taken_.next();
  EXPECT_LE(taken_.text.size(), BodySink::kPiece + Worker::kReadBuffer);
  EXPECT_EQ("/other 0", TestClient(port()).get("/other").body);  // the worker goes on
  EXPECT_EQ(1, taken_.pieces);
  taken_.take_all(3 << 20, std::move(first));
  sender.join();
  EXPECT_EQ("/sink 0", client.read_answer().body);
}

TEST_F(ServerSinkTest, AnswersAtOnceAndClosesIfTheSinkWantsNoMore) {
  serve();
  TestClient client(port());
  client.send(post(1 << 20) + std::string(300'000, 'b'));
  taken_.next()(false);
  const auto answer = client.read_answer();
  EXPECT_EQ("/sink 0", answer.body);
  EXPECT_TRUE(answer.has("Connection: close"));
}

TEST_F(ServerSinkTest, ADroppedPieceCountsAsRefused) {
  serve();
  TestClient client(port());
  client.send(post(1 << 20) + std::string(300'000, 'b'));
  taken_.next() = nullptr;
  EXPECT_TRUE(client.read_answer().has("Connection: close"));
}

TEST_F(ServerSinkTest, ASinkEndsWithItsClient) {
  serve();
  {
    TestClient client(port());
    client.send(post(1 << 20) + "a part");
    base::wait_until([&] { return taken_.alive != 0; });
  }
  wait_for_connections(0);
  base::wait_until([&] { return taken_.alive == 0; });  // a moment after the connection
  EXPECT_EQ(0, taken_.pieces);
}

TEST_F(ServerSinkTest, TheHandlersLimitHolds) {
  serve();
  TestClient client(port());
  client.send(post((4 << 20) + 1));
  EXPECT_EQ(413, client.read_answer().status);
}

TEST_F(ServerSinkTest, AnEmptyBodyNeedsNoPiece) {
  serve();
  TestClient client(port());
  client.send(post(0));
  EXPECT_EQ("/sink 0", client.read_answer().body);
  EXPECT_EQ(0, taken_.pieces);
}

}  // namespace
}  // namespace hearth::http
