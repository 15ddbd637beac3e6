// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/stream_hub.h"

#include <gtest/gtest.h>

#include "api/test_home.h"
#include "base/testing/wait_until.h"

namespace hearth::api {
namespace {

class StreamHubTest : public testing::Test {
 protected:
  StreamHubTest() { home_.start(); }

  std::unique_ptr<http::TestClient> open(std::string_view target = "/api/stream", std::string_view fields = "") {
    auto client = std::make_unique<http::TestClient>(home_.server.port());
    client->send(TestHome::request("GET", target, home_.admin, "", fields));
    head_ = client->read_until("\r\n\r\n");
    return client;
  }
  // The next frame without its ends: `ping`, or the JSON, and the id kept in id_.
  std::string frame(http::TestClient& client) {
    if (buffer_.empty()) buffer_ = client.read_chunk();
    const auto end = buffer_.find("\n\n");
    if (end == std::string::npos) return std::exchange(buffer_, "");
    std::string text = buffer_.substr(0, end);
    buffer_.erase(0, end + 2);
    constexpr std::string_view start = "event: message\ndata: ";
    EXPECT_TRUE(text.starts_with(start)) << text;
    text.erase(0, start.size());
    const auto id = text.find("\nid: ");
    id_ = id == std::string::npos ? "" : text.substr(id + 5);
    return text.substr(0, id);
  }
  void fire(std::string_view type, std::string data = "{}") {
    home_.hub.bus.fire(type, std::move(data), core::Origin::local, core::Context{"c", {}, {}});
  }
  static std::string type_of(const std::string& text) {
    return std::string(base::parse_json(text).value().at("event_type").as_string());
  }
  std::string counts() {
    std::string text;
    for (const auto& [type, count] : home_.hub.bus.listener_counts()) text += fmt::format("{}={} ", type, count);
    return text;
  }

  std::size_t readers_counted() {
    const auto counts = home_.hub.bus.listener_counts();
    std::size_t readers = 0;
    for (const auto& [type, count] : counts) readers += type == "*" || type == "tick" ? count : 0;
    return readers;
  }

  TestHome home_;
  std::string head_, buffer_, id_;
};

TEST_F(StreamHubTest, BeginsWithAPing) {
  const auto client = open();
  EXPECT_TRUE(head_.starts_with("HTTP/1.1 200 OK\r\n"));
  for (const char* line : {"Content-Type: text/event-stream", "Cache-Control: no-cache", "X-Accel-Buffering: no"}) {
    EXPECT_NE(head_.find("\r\n" + std::string(line) + "\r\n"), std::string::npos) << line;
  }
  EXPECT_EQ(frame(*client), "ping");
  EXPECT_EQ(id_, "");
}

TEST_F(StreamHubTest, SendsEventsInOrder) {
  const auto client = open();
  EXPECT_EQ(frame(*client), "ping");
  for (int i = 0; i < 100; ++i) fire("tick", fmt::format(R"({{"n":{}}})", i));
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(frame(*client), fmt::format(R"({{"event_type":"tick","data":{{"n":{}}},"origin":"LOCAL","time_fired":)"
                                          R"("2026-11-21T00:00:00.000000+00:00","context":)"
                                          R"({{"id":"c","parent_id":null,"user_id":null}}}})",
                                          i));
    EXPECT_FALSE(id_.empty());
  }
}

TEST_F(StreamHubTest, SendsOnlyTheTypesAskedFor) {
  const auto client = open("/api/stream?restrict=a,%20b%20,&restrict=c&other=d");
  EXPECT_EQ(frame(*client), "ping");
  EXPECT_EQ(counts(), "a=1 b=1 c=1 state_changed=1 ");
  for (const char* type : {"d", "a", "d", "b", "state_changed", "c"}) fire(type);
  for (const char* type : {"a", "b", "c"}) EXPECT_EQ(type_of(frame(*client)), type);
}

TEST_F(StreamHubTest, CountsReadersAsListeners) {
  auto first = open();
  auto second = open("/api/stream?restrict=");
  EXPECT_EQ(counts(), "*=2 state_changed=1 ");
  first.reset();
  base::wait_until([&] { return counts() == "*=1 state_changed=1 "; });
  second.reset();
  base::wait_until([&] { return counts() == "state_changed=1 "; });
}

TEST_F(StreamHubTest, SendsToAllWhoAreLeft) {
  std::vector<std::unique_ptr<http::TestClient>> readers;
  const auto join = [&](const char* target) {
    readers.push_back(open(target));
    ASSERT_NE(readers.back()->read_until("data: ping\n\n\r\n"), "");
  };
  const auto expect_tick = [&](int n) {
    fire("tick", fmt::format(R"({{"n":{}}})", n));
    for (const auto& reader : readers) {
      const std::string chunk = reader->read_chunk();
      EXPECT_NE(chunk.find(fmt::format(R"("event_type":"tick","data":{{"n":{}}})", n)), std::string::npos) << chunk;
    }
  };
  for (int i = 0; i < 3; ++i) join("/api/stream");
  for (int i = 0; i < 3; ++i) join("/api/stream?restrict=tick");
  expect_tick(1);
  for (const std::size_t leaves : {4, 0, 3}) {
    readers.erase(readers.begin() + static_cast<std::ptrdiff_t>(leaves));
    base::wait_until([&] { return readers_counted() == readers.size(); });
    expect_tick(static_cast<int>(leaves));
    join("/api/stream?restrict=tick,tock");
    expect_tick(static_cast<int>(leaves) + 10);
  }
}

// Each is cut amid a delivery, as the first of all, one of them or the last.
TEST_F(StreamHubTest, CutsThoseWhoDoNotReadAndNobodyElse) {
  constexpr int kEvents = 40;
  std::vector<std::unique_ptr<http::TestClient>> readers;
  for (int i = 0; i < 7; ++i) readers.push_back(open());
  std::vector<std::thread> threads;
  std::array<std::atomic<int>, 4> seen{};
  for (std::size_t i = 0; i < seen.size(); ++i) {
    threads.emplace_back([&client = *readers[i + 1 + i / 2], &seen = seen[i]] {
      for (int n = 0; n < kEvents; ++n) {
        const std::string marker = fmt::format(R"("n":{},)", n);
        const bool came = client.read_until(marker).ends_with(marker);
        EXPECT_TRUE(came) << n;
        seen = came ? n + 1 : kEvents;
        if (!came) return;
      }
    });
  }
  for (int n = 0; n < kEvents; ++n) {
    // Reading clients are not overtaken by more than a stream may hold for them.
    base::wait_until([&] { return std::ranges::none_of(seen, [&](const auto& count) { return count + 4 < n; }); });
    fire("tick", fmt::format(R"({{"n":{},"pad":"{}"}})", n, std::string(1 << 20, 'x')));
  }
  for (auto& thread : threads) thread.join();
  base::wait_until([&] { return readers_counted() <= seen.size(); });
  EXPECT_EQ(readers_counted(), seen.size());
}

TEST_F(StreamHubTest, GoesOnAfterTheLastEvent) {
  auto client = open();
  frame(*client);
  fire("one");
  EXPECT_EQ(type_of(frame(*client)), "one");
  client.reset();
  fire("two");
  fire("three");
  client = open("/api/stream", fmt::format("Last-Event-ID: {}\r\n", id_));
  EXPECT_EQ(frame(*client), "ping");
  EXPECT_EQ(type_of(frame(*client)), "two");
  EXPECT_EQ(type_of(frame(*client)), "three");
  fire("four");
  EXPECT_EQ(type_of(frame(*client)), "four");
}

TEST_F(StreamHubTest, SaysWhereItCannotGoOn) {
  for (const std::string id : {"nonsense", "0-1", "7", "caf\xE9"}) {
    const auto client = open("/api/stream?restrict=one", "Last-Event-ID: " + id + "\r\n");
    EXPECT_EQ(frame(*client), "ping");
    const json::value gap = base::parse_json(frame(*client)).value();
    EXPECT_EQ(gap.at("event_type"), "stream_gap");
    EXPECT_EQ(id_, "");
    fire("one");
    EXPECT_EQ(type_of(frame(*client)), "one");
    buffer_.clear();
  }
}

TEST_F(StreamHubTest, SaysWhereTooMuchHappenedMeanwhile) {
  auto client = open();
  frame(*client);
  fire("one");
  frame(*client);
  client.reset();
  for (std::size_t i = 0; i <= core::EventBus::kMaxRecent; ++i) fire("many");
  client = open("/api/stream", fmt::format("Last-Event-ID: {}\r\n", id_));
  EXPECT_EQ(frame(*client), "ping");
  EXPECT_EQ(type_of(frame(*client)), "stream_gap");
}

TEST_F(StreamHubTest, EndsTheStreamsOfARevokedToken) {
  const auto client = open();
  EXPECT_EQ(frame(*client), "ping");
  home_.publish({"admin"});
  home_.api.check_callers();
  EXPECT_EQ(client->read_to_end(), "0\r\n\r\n");
  base::wait_until([&] { return counts() == "state_changed=1 "; });
}

TEST_F(StreamHubTest, GoesOnLookingForExpiredTokensAfterSomethingWasThrown) {
  // As many for each worker.
  std::vector<std::unique_ptr<http::TestClient>> readers;
  for (int i = 0; i < 6; ++i) {
    readers.push_back(std::make_unique<http::TestClient>(home_.server.port()));
    readers.back()->send(TestHome::request("GET", "/api/stream", home_.brief));
    ASSERT_NE(readers.back()->read_until("data: ping\n\n\r\n"), "");
  }
  home_.gate_clock.failures = 1;
  base::wait_until([&] { return readers_counted() != 6; });  // the one that was looked at is cut
  EXPECT_EQ(readers_counted(), 5u);
  home_.clock.advance(std::chrono::hours(2));
  for (const auto& reader : readers) reader->read_to_end();
  base::wait_until([&] { return readers_counted() == 0; });
}

TEST_F(StreamHubTest, EndsStreamsWhenTheServerDrains) {
  const auto client = open();
  EXPECT_EQ(frame(*client), "ping");
  home_.server.drain();
  EXPECT_EQ(client->read_to_end(), "0\r\n\r\n");
}

TEST_F(StreamHubTest, OutlivesItsReadersWhenTheServerStops) {
  const auto client = open();
  EXPECT_EQ(frame(*client), "ping");
  home_.server.stop(std::chrono::milliseconds(0));
  EXPECT_EQ(counts(), "state_changed=1 ");
  fire("nobody");
}

}  // namespace
}  // namespace hearth::api
