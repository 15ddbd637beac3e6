// SPDX-License-Identifier: Apache-2.0
// Bodies that are not complete at once: long answers in pieces, and event streams.
#include <gtest/gtest.h>

#include "base/testing/wait_until.h"
#include "http/test_server.h"

namespace hearth::http {
namespace {

using namespace std::chrono_literals;

FramePtr frame(std::string_view text) {
  return std::make_shared<const Frame>(text);
}

class ServerStreamTest : public ServerFixture {
 protected:
  // Each request opens a stream, kept in streams_ under its target until it closes.
  void serve_streams() {
    handler_.on_handle = [this](Request& request, Responder responder) {
      Response head;
      head.content_type = "text/event-stream";
      const std::string name = request.target_text;
      EventStream* const stream = responder.open_stream(std::move(head));
      ASSERT_NE(stream, nullptr);
      streams_[name] = stream;
      stream->on_closed([this, name] {
        streams_.erase(name);
        ++closed_;
      });
      ++opened_;
      on_open(name, *stream);
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
  void send_to(const std::string& name, const FramePtr& what) {
    on_worker([&] {
      if (streams_.contains(name) && streams_[name]->queue(what)) streams_[name]->flush();
    });
  }
  std::string open(TestClient& client, const std::string& name) {
    client.send(get_request(name));
    return client.read_until("\r\n\r\n");
  }
  void TearDown() override { server_.reset(); }

  std::function<void(const std::string&, EventStream&)> on_open = [](const std::string&, EventStream&) {};
  std::map<std::string, EventStream*> streams_;  // worker thread only
  std::atomic<int> opened_ = 0;
  std::atomic<int> closed_ = 0;
};

// 200 pieces of 50,000 bytes; piece 7 is empty.
BodySource long_body() {
  return [i = 0](std::string& out) mutable {
    if (i != 7) out.append(50'000, static_cast<char>('a' + i % 26));
    return ++i < 200;
  };
}

std::string whole_body() {
  std::string body;
  auto source = long_body();
  while (source(body)) {
  }
  return body;
}

TEST_F(ServerStreamTest, SendsALongBodyToASlowReader) {
  handler_.on_handle = [](Request&, Responder responder) {
    Response response;
    response.source = long_body();
    responder.send(std::move(response));
  };
  start();
  TestClient client(port(), 4096);
  client.send(get_request("/") + get_request("/"));
  for (int i = 0; i < 2; ++i) {
    const auto answer = client.read_answer();
    EXPECT_TRUE(answer.has("Transfer-Encoding: chunked"));
    EXPECT_EQ(answer.body, whole_body());
  }
  const auto compressed = client.get("/", "Accept-Encoding: zstd\r\n");
  EXPECT_TRUE(compressed.has("Content-Encoding: zstd"));
  EXPECT_LT(compressed.body.size(), 100'000u);

  client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(client.read_answer(true).status, 200);
  client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  const auto old = client.read_answer();
  EXPECT_FALSE(old.has("Transfer-Encoding: chunked"));
  EXPECT_TRUE(old.has("Connection: close"));
  EXPECT_EQ(old.body, whole_body());
  EXPECT_TRUE(client.ended());
}

TEST_F(ServerStreamTest, SendsAKeptBodyToAllReaders) {
  std::weak_ptr<const BodyFile> kept;
  handler_.on_handle = [&, file = BodyFile::create(long_body())](Request& request, Responder responder) mutable {
    if (request.target_text == "/short") return responder.send(Response::json("here"));
    kept = file;
    if (request.target_text == "/last") return responder.send(Response::kept(std::move(file), Encoding::identity));
    responder.send(Response::kept(file, Encoding::identity));
  };
  start();
  TestClient slow(port(), 4096), other(port());
  slow.send(get_request("/") + get_request("/short") + get_request("/"));
  other.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\nAccept-Encoding: gzip\r\n\r\n");
  const auto second = other.read_answer();
  EXPECT_TRUE(second.has("Connection: keep-alive"));
  EXPECT_TRUE(second.has("Vary: Accept-Encoding"));
  EXPECT_EQ(second.head.find("Content-Encoding"), std::string::npos);
  EXPECT_EQ(second.body, whole_body());
  EXPECT_EQ(slow.read_answer().body, whole_body());
  EXPECT_EQ(slow.read_answer().body, "here");
  EXPECT_EQ(slow.read_answer().body, whole_body());

  other.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(other.read_answer(true).has("Content-Length: " + std::to_string(whole_body().size())));
  EXPECT_EQ(other.get("/short").body, "here");

  // A reader that leaves halfway affects no other.
  TestClient gone(port(), 4096);
  gone.send(get_request("/last"));
  EXPECT_EQ(gone.read_until("\r\n\r\n").substr(0, 15), "HTTP/1.1 200 OK");
  EXPECT_FALSE(kept.expired());
  gone.close();
  base::wait_until([&] { return kept.expired(); });
  EXPECT_EQ(other.get("/short").body, "here");
}

TEST_F(ServerStreamTest, NamesTheEncodingOfAKeptBody) {
  handler_.on_handle = [file = BodyFile::create(compress(long_body(), Encoding::zstd))](Request&, Responder responder) {
    responder.send(Response::kept(file, Encoding::zstd));
  };
  start();
  const auto answer = TestClient(port()).get("/", "Accept-Encoding: gzip, zstd\r\n");
  EXPECT_TRUE(answer.has("Content-Encoding: zstd"));
  std::string body;
  const BodySource compressed = compress(long_body(), Encoding::zstd);
  while (compressed(body)) {
  }
  EXPECT_EQ(answer.body, body);
}

TEST_F(ServerStreamTest, EndsTheConnectionIfALongBodyFails) {
  handler_.on_handle = [](Request&, Responder responder) {
    Response response;
    response.source = [i = 0](std::string& out) mutable {
      if (++i == 3) throw std::runtime_error("no more");
      out += "piece";
      return true;
    };
    responder.send(std::move(response));
  };
  start();
  TestClient client(port());
  client.send(get_request("/"));
  client.read_until("\r\n\r\n");
  EXPECT_EQ(client.read_to_end(), "00000005\r\npiece\r\n00000005\r\npiece\r\n");

  TestClient compressed(port());
  EXPECT_EQ(compressed.get("/", "Accept-Encoding: gzip\r\n").status, 500);
  EXPECT_EQ(compressed.get("/", "Accept-Encoding: gzip\r\n").status, 500);
}

TEST_F(ServerStreamTest, SendsFramesAsChunks) {
  serve_streams();
  TestClient client(port());
  const std::string head = open(client, "/s");
  EXPECT_NE(head.find("\r\nContent-Type: text/event-stream\r\n"), std::string::npos);
  EXPECT_NE(head.find("\r\nTransfer-Encoding: chunked\r\n"), std::string::npos);
  send_to("/s", frame("data: 1\n\n"));
  EXPECT_EQ(client.read_chunk(), "data: 1\n\n");
  on_worker([&] { streams_["/s"]->end(); });
  EXPECT_EQ(client.read_to_end(), "0\r\n\r\n");
  EXPECT_EQ(closed_, 1);
}

TEST_F(ServerStreamTest, SendsFramesBareToHttp10) {
  serve_streams();
  TestClient client(port());
  client.send("GET /s HTTP/1.0\r\n\r\n");
  EXPECT_NE(client.read_until("\r\n\r\n").find("\r\nConnection: close\r\n"), std::string::npos);
  send_to("/s", frame("data: 1\n\n"));
  on_worker([&] { streams_["/s"]->end(); });
  EXPECT_EQ(client.read_to_end(), "data: 1\n\n");
}

// The kernel accepts only a part at first. The run is destroyed before they read.
TEST_F(ServerStreamTest, SendsALongRunToManyReaders) {
  options_.limits.stream_bytes = 100'000'000;
  serve_streams();
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < 48; ++i) {
    clients.push_back(std::make_unique<TestClient>(port(), i % 3 == 0 ? 4096 : 0));
    open(*clients.back(), "/" + std::to_string(i));
  }
  TestClient gone(port(), 4096);
  open(gone, "/gone");
  std::vector<FramePtr> frames;
  for (int i = 0; i < 30; ++i) frames.push_back(frame(std::to_string(i) + std::string(100'000 + i % 7, 'x')));
  const auto send_all = [&] {
    FrameRun run;
    for (const auto& frame : frames) run.add(frame);
    // A reader that has gone is noticed here and leaves the map.
    for (const auto& [name, stream] : std::map(streams_)) EXPECT_TRUE(stream->send(run) || name == "/gone") << name;
  };
  on_worker(send_all);
  gone.close();
  on_worker([&] {
    send_all();  // queued after what waits
    FrameRun last;
    last.add(frame("last"));
    for (const auto& [name, stream] : std::map(streams_)) stream->send(last);
  });
  for (const auto& client : clients) {
    for (int round = 0; round < 2; ++round) {
      for (const auto& frame : frames) ASSERT_EQ(client->read_chunk(), frame->payload());
    }
    ASSERT_EQ(client->read_chunk(), "last");
  }
  on_worker([&] {
    for (const auto& [name, stream] : std::map(streams_)) stream->end();
  });
  for (const auto& client : clients) ASSERT_EQ(client->read_to_end(), "0\r\n\r\n");
}

TEST_F(ServerStreamTest, SendsTheHeadBeforeManyFirstFrames) {
  options_.limits.stream_frames = 4;
  on_open = [](const std::string&, EventStream& stream) {
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(stream.queue(frame("data: " + std::to_string(i) + "\n\n")));
  };
  serve_streams();
  TestClient client(port());
  client.send(get_request("/s"));
  EXPECT_TRUE(client.read_until("\r\n\r\n").starts_with("HTTP/1.1 200 OK\r\n"));
  for (int i = 0; i < 100; ++i) ASSERT_EQ(client.read_chunk(), "data: " + std::to_string(i) + "\n\n");
}

TEST_F(ServerStreamTest, CutsASlowReaderWhileAnotherGoesOn) {
  options_.limits.stream_frames = 50;
  serve_streams();
  TestClient slow(port(), 4096), fast(port());
  open(slow, "/slow");
  open(fast, "/fast");
  const FramePtr large = frame(std::string(100'000, 'x'));
  for (int sent = 0; closed_ == 0; ++sent) {
    ASSERT_LT(sent, 10'000);
    send_to("/slow", large);
    send_to("/fast", large);
    ASSERT_EQ(fast.read_chunk().size(), 100'000u);
  }
  on_worker([&] { EXPECT_FALSE(streams_.contains("/slow")); });
  send_to("/fast", frame("last"));
  EXPECT_EQ(fast.read_chunk(), "last");
}

TEST_F(ServerStreamTest, CutsAReaderIfTooManyBytesWait) {
  options_.limits.stream_bytes = 1'000'000;
  serve_streams();
  TestClient slow(port(), 4096);
  open(slow, "/slow");
  int sent = 0;
  for (; closed_ == 0; ++sent) {
    ASSERT_LT(sent, 1'000);
    send_to("/slow", frame(std::string(400'000, 'x')));
  }
  EXPECT_GT(sent, 2);
}

TEST_F(ServerStreamTest, SendsOneFrameThatIsLargerThanTheQueue) {
  options_.limits.stream_bytes = 1'000;
  serve_streams();
  TestClient client(port());
  open(client, "/s");
  const std::string large(20'000'000, 'x');
  send_to("/s", frame(large));
  EXPECT_EQ(client.read_chunk(), large);
}

TEST_F(ServerStreamTest, NoticesAClientThatHasGone) {
  serve_streams();
  {
    TestClient client(port());
    open(client, "/s");
  }
  wait_for_connections(0);
  EXPECT_EQ(closed_, 1);
}

TEST_F(ServerStreamTest, EndsStreamsWithTheLastChunkWhenItDrains) {
  serve_streams();
  TestClient client(port());
  open(client, "/s");
  on_worker([&] { EXPECT_TRUE(streams_["/s"]->queue(frame("bye"))); });
  server_->drain();
  EXPECT_EQ(client.read_chunk(), "bye");
  EXPECT_EQ(client.read_to_end(), "0\r\n\r\n");
  server_->stop(30s);
  EXPECT_EQ(closed_, 1);
}

TEST_F(ServerStreamTest, OpensNoStreamWhileItDrains) {
  EventStream* opened = nullptr;
  handler_.on_handle = [&](Request&, Responder responder) { opened = responder.open_stream({}); };
  start();
  TestClient client(port());
  client.send("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n");
  EXPECT_EQ(client.read_answer().status, 100);
  server_->drain();
  client.send("x");
  EXPECT_EQ(client.read_answer().status, 503);
  EXPECT_TRUE(client.ended());
  EXPECT_EQ(opened, nullptr);
}

TEST_F(ServerStreamTest, ClosesStreamsWhenItStops) {
  serve_streams();
  TestClient client(port());
  open(client, "/s");
  server_->stop(0ms);
  EXPECT_EQ(closed_, 1);
  EXPECT_EQ(client.read_to_end(), "");
}

}  // namespace
}  // namespace hearth::http
