// SPDX-License-Identifier: Apache-2.0
#include "net/http/http_client.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>

#include "net/http/test_http.h"

namespace hearth::net {
namespace {

using HttpClientTest = HttpTest;

TEST_F(HttpClientTest, BeginsNoThreadBeforeTheFirstRequest) {
  EXPECT_FALSE(reactor.running());
  testing::ScriptedServer server(answer_all(std::string(kEmptyAnswer)));
  EXPECT_TRUE(get(server));
  EXPECT_TRUE(reactor.running());
}

TEST_F(HttpClientTest, SendsARequestAndTakesTheAnswerApart) {
  std::promise<std::string> head;
  testing::ScriptedServer server([&](testing::ScriptedPeer& peer) {
    head.set_value(read_head(peer));
    peer.send(
        "HTTP/1.1 404 Not here\r\nContent-Type: Text/HTML; a=b; charset=\"ISO-8859-1\"\r\nX-A: 1\r\n"
        "Content-Length: 5\r\n\r\nsorry");
  });
  const auto result = ask({.url = url(server, "/a?b=c"), .headers = {{"X-Key", "k"}, {"Content-Length", "9"}}});
  EXPECT_EQ(head.get_future().get(),
            fmt::format("GET /a?b=c HTTP/1.1\r\nHost: {}\r\nX-Key: k\r\nUser-Agent: Hearth\r\nAccept: */*\r\n"
                        "Accept-Encoding: identity\r\n\r\n",
                        at(server)));
  ASSERT_TRUE(result) << failure(result);
  EXPECT_EQ(result->status, 404);
  EXPECT_EQ(result->body, "sorry");
  EXPECT_EQ(result->media_type, "text/html");
  EXPECT_EQ(result->charset, "iso-8859-1");
  EXPECT_EQ(*result->header("x-a"), "1");
  EXPECT_EQ(result->header("X-B"), nullptr);
  EXPECT_EQ(result->url, url(server, "/a?b=c"));
}

TEST_F(HttpClientTest, ReadsBodiesInChunksAndUntilTheEnd) {
  testing::ScriptedServer chunks(
      answer_all("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                 "3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nTrailer: 1\r\n\r\n"));
  EXPECT_EQ(get(chunks)->body, "abcde");
  testing::ScriptedServer to_end(answer_all("HTTP/1.0 200 OK\r\n\r\nall of it"));
  EXPECT_EQ(get(to_end)->body, "all of it");
  testing::ScriptedServer none(
      answer_all("HTTP/1.1 102 Wait\r\n\r\nHTTP/1.1 204 Nothing\r\nContent-Length: 0\r\n\r\n"));
  EXPECT_EQ(get(none)->status, 204);
}

TEST_F(HttpClientTest, SendsABodyThatIsLargerThanItsQueue) {
  const std::string body(HttpRequest::kMaxSent, 'x');
  testing::ScriptedServer server([&](testing::ScriptedPeer& peer) {
    EXPECT_TRUE(read_head(peer).contains(fmt::format("\r\nContent-Length: {}\r\n", body.size())));
    EXPECT_TRUE(peer.receive(body.size()) == body);
    peer.send(kEmptyAnswer);
  });
  const auto result = ask({.method = "POST", .url = url(server), .body = body});
  EXPECT_TRUE(result) << failure(result);
}

TEST_F(HttpClientTest, UsesAConnectionAgain) {
  testing::ScriptedServer server(answer_all(std::string(kEmptyAnswer)));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(get(server));
  EXPECT_EQ(server.connections(), 1);
}

TEST_F(HttpClientTest, AsksAgainIfAKeptConnectionBreaks) {
  testing::ScriptedServer server([&](testing::ScriptedPeer& peer) {
    read_head(peer);
    peer.send(kEmptyAnswer);
    read_head(peer);  // and no answer
    peer.reset();
  });
  EXPECT_TRUE(get(server));
  const auto result = get(server);
  EXPECT_TRUE(result) << failure(result);
  EXPECT_EQ(server.connections(), 2);
}

TEST_F(HttpClientTest, NeverSendsAnOrderTwice) {
  testing::ScriptedServer server([&](testing::ScriptedPeer& peer) { read_head(peer); });
  EXPECT_EQ(failure(ask({.method = "POST", .url = url(server)})),
            fmt::format("cannot_connect: {} closes the connection without an answer", at(server)));
  EXPECT_EQ(server.connections(), 1);
}

TEST_F(HttpClientTest, SaysWhatIsWrongWithAnAnswer) {
  const auto failure_of = [this](std::string answer, std::size_t repeated = 0) {
    testing::ScriptedServer server([&](testing::ScriptedPeer& peer) {
      read_head(peer);
      peer.send(answer);
      for (std::size_t i = 0; i < repeated; ++i) peer.send(std::string(1'024, 'x'));
    });
    std::string text = failure(get(server));
    const auto place = text.find(at(server));
    return place == std::string::npos ? text : text.erase(place, at(server).size() + 1);
  };
  EXPECT_EQ(failure_of("HTTP/1.1 200 OK\r\nContent-Length: 1048577\r\n\r\n"),
            "unsupported: answers with more than 1024 KiB");
  EXPECT_EQ(failure_of("HTTP/1.1 200 OK\r\n\r\n", 10'240), "unsupported: answers with more than 1024 KiB");
  EXPECT_EQ(failure_of("HTTP/1.1 200 OK\r\nX: ", 160), "unsupported: answers with more than 16 KiB of headers");
  EXPECT_EQ(failure_of("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", 10'240),
            "unsupported: sends a line without an end");
  EXPECT_EQ(failure_of("SSH-2.0-OpenSSH\r\n"), "unsupported: does not answer with HTTP: bad version");
  EXPECT_EQ(failure_of("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"),
            "cannot_connect: closes the connection within its answer");
  EXPECT_EQ(failure_of("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n"),
            "unsupported: answers in the coding gzip, for which nobody has asked");
  std::string interim;
  for (int i = 0; i < 100; ++i) interim += "HTTP/1.1 102 Wait\r\n\r\n";
  EXPECT_EQ(failure_of(interim), "unsupported: answers again and again with 1xx");
}

TEST_F(HttpClientTest, SaysWhatIsWrongWithARequest) {
  EXPECT_EQ(failure(ask({.url = "host/path"})),
            "invalid_host: expected an address as http://host:80/path, got host/path");
  EXPECT_EQ(failure(ask({.method = "G T", .url = "http://host/"})), "unknown: expected a method such as GET, got G T");
  EXPECT_EQ(failure(ask({.url = "http://host/", .headers = {{"X", "a\r\nY: b"}}})),
            "unknown: the header X has a line break");
  EXPECT_EQ(failure(ask({.url = "http://nobody/"})), "invalid_host: the host nobody is not found");
}

TEST_F(HttpClientTest, GivesUpAfterItsTime) {
  testing::ScriptedServer server([](testing::ScriptedPeer& peer) { peer.drain(); });
  EXPECT_EQ(failure(ask({.url = url(server), .timeout = std::chrono::milliseconds(20)})),
            fmt::format("timeout: {} does not answer within 0.02 s", at(server)));
}

TEST_F(HttpClientTest, IsCancelledByItsHandle) {
  std::promise<void> asked, gone;
  testing::ScriptedServer server([&](testing::ScriptedPeer& peer) {
    read_head(peer);
    asked.set_value();
    peer.expect_end();
    gone.set_value();
  });
  base::Handle handle = client.ask({.url = url(server)}, [](HttpResult) { FAIL(); });
  base::wait_for(asked.get_future());
  handle = {};
  base::wait_for(gone.get_future());
  bus.run_pending();
}

TEST_F(HttpClientTest, AsksAHostForTwoThingsAtATime) {
  std::promise<void> answer;
  const auto may_answer = answer.get_future().share();
  std::atomic<int> asked = 0;
  testing::ScriptedServer server([&](testing::ScriptedPeer& peer) {
    if (read_head(peer).empty()) return;
    ++asked;
    may_answer.wait();
    peer.send(kEmptyAnswer);
    // The others come on the connections of the first two: they have waited for those.
    while (!read_head(peer).empty()) peer.send("HTTP/1.1 201 Later\r\nContent-Length: 0\r\n\r\n");
  });
  std::vector<int> statuses;
  std::vector<base::Handle> handles;
  for (int i = 0; i < 6; ++i) {
    handles.push_back(
        client.ask({.url = url(server)}, [&](HttpResult result) { statuses.push_back(result ? result->status : 0); }));
  }
  base::wait_until([&] { return asked == 2; });
  answer.set_value();
  bus.run_until([&] { return statuses.size() == 6; });
  std::ranges::sort(statuses);
  EXPECT_EQ(statuses, (std::vector{200, 200, 201, 201, 201, 201}));
  EXPECT_EQ(server.connections(), 2);
}

TEST_F(HttpClientTest, AsksForEightThingsAtATime) {
  std::promise<void> answer;
  const auto may_answer = answer.get_future().share();
  std::atomic<int> asked = 0;
  const auto script = [&](testing::ScriptedPeer& peer) {
    if (read_head(peer).empty()) return;
    ++asked;
    may_answer.wait();
    peer.send(kEmptyAnswer);
  };
  std::vector<std::unique_ptr<testing::ScriptedServer>> servers;
  std::vector<base::Handle> handles;
  std::atomic<int> answers = 0;
  for (int i = 0; i < 12; ++i) {
    servers.push_back(std::make_unique<testing::ScriptedServer>(script));
    handles.push_back(client.ask({.url = url(*servers.back())}, [&](HttpResult) { ++answers; }));
  }
  // Nobody answers: only the limit keeps the others from coming.
  base::wait_until([&] { return asked >= 8; });
  bus.run_pending();
  EXPECT_EQ(asked, 8);
  answer.set_value();
  bus.run_until([&] { return answers == 12; });
}

TEST_F(HttpClientTest, LosesNoAnswerIfTheBusIsFull) {
  testing::ScriptedServer server(
      answer_all("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + std::string(1'000'000, 'x')));
  bus.set_full(true);
  int answers = 0;
  std::vector<base::Handle> handles;
  for (int i = 0; i < 20; ++i) {
    handles.push_back(client.ask({.url = url(server)}, [&](HttpResult result) {
      answers += result && result->body.size() == 1'000'000 ? 1 : 0;
    }));
  }
  base::wait_until([&] { return bus.refused() > 2; });
  bus.set_full(false);
  bus.run_until([&] { return answers == 20; });
}

TEST_F(HttpClientTest, MayBeDestroyedByWhoWaits) {
  testing::ScriptedServer server(answer_all(std::string(kEmptyAnswer)));
  auto own = std::make_unique<HttpClient>(reactor, bus.post());
  bool done = false;
  const base::Handle one = own->ask({.url = url(server)}, [&](HttpResult) {
    own.reset();
    done = true;
  });
  bus.run_until([&] { return done; });
}

TEST_F(HttpClientTest, OutlivesWhoThrows) {
  testing::ScriptedServer server(answer_all(std::string(kEmptyAnswer)));
  bool called = false;
  const base::Handle one = client.ask({.url = url(server)}, [&](HttpResult) {
    called = true;
    throw std::runtime_error("broken integration");
  });
  bus.run_until([&] { return called; });
  EXPECT_TRUE(get(server));
}

TEST_F(HttpClientTest, SaysSoAfterTheReactorHasStopped) {
  testing::ScriptedServer server(answer_all(std::string(kEmptyAnswer)));
  EXPECT_TRUE(get(server));
  reactor.stop();
  EXPECT_EQ(failure(get(server)), "busy: the thread of outgoing links takes no more");
}

}  // namespace
}  // namespace hearth::net
