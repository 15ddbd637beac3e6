// SPDX-License-Identifier: Apache-2.0
#include "net/http/http_exchange.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>

#include "net/http/digest_auth.h"
#include "net/http/test_http.h"

namespace hearth::net {
namespace {

using HttpExchangeTest = HttpTest;

TEST_F(HttpExchangeTest, SendsThePasswordOfTheAddress) {
  std::promise<std::string> head;
  testing::ScriptedServer server([&](testing::ScriptedPeer& peer) {
    head.set_value(read_head(peer));
    peer.send(kEmptyAnswer);
  });
  EXPECT_TRUE(ask({.url = fmt::format("http://Aladdin:open%20sesame@{}/", at(server))}));
  EXPECT_TRUE(head.get_future().get().contains("\r\nAuthorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n"));
}

// A server with digest authentication: it takes the word of `secret`.
testing::ScriptedServer::Script ask_for_digest(std::atomic<int>& refusals) {
  return [&refusals](testing::ScriptedPeer& peer) {
    for (;;) {
      const std::string head = read_head(peer);
      if (head.empty()) return;
      const DigestChallenge challenge{
          .algorithm = DigestChallenge::Algorithm::sha256, .with_qop = true, .realm = "r", .nonce = "n"};
      const auto value_of = [&](std::string_view name) {
        const auto begin = head.find(name) + name.size();
        return std::string_view(head).substr(begin, head.find_first_of("\",\r", begin) - begin);
      };
      std::string expected;
      if (head.contains("Authorization: Digest")) {
        expected = answer_digest(
            challenge, {.method = "GET",
                        .target = "/x",
                        .user = "ann",
                        .password = "secret",
                        .client_nonce = value_of("cnonce=\""),
                        .count = static_cast<std::uint32_t>(std::stoul(std::string(value_of("nc=")), nullptr, 16))});
      }
      const bool right = !expected.empty() && head.contains(expected);
      refusals += right ? 0 : 1;
      peer.send(right ? std::string(kEmptyAnswer)
                      : "HTTP/1.1 401 Who?\r\nContent-Length: 0\r\n"
                        "WWW-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256\r\n\r\n");
    }
  };
}

TEST_F(HttpExchangeTest, ProvesThatItKnowsThePassword) {
  std::atomic<int> refusals = 0;
  testing::ScriptedServer server(ask_for_digest(refusals));
  HttpRequest request{.url = url(server, "/x"),
                      .credentials = HttpCredentials{HttpCredentials::Kind::digest, "ann", "secret"}};
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ask(request)->status, 200);
  EXPECT_EQ(refusals, 1);  // the next requests begin with what the server has said
  request.credentials->password = "guess";
  EXPECT_EQ(ask(request)->status, 401);
  EXPECT_LE(refusals, 4);
}

TEST_F(HttpExchangeTest, FollowsThreeRedirections) {
  testing::ScriptedServer server([](testing::ScriptedPeer& peer) {
    for (;;) {
      const std::string head = read_head(peer);
      if (head.empty()) return;
      const int number = head[std::string_view("GET /").size()] - '0';
      peer.send(number == 0 ? "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhere"
                            : fmt::format("HTTP/1.1 302 Go\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n", number - 1));
    }
  });
  const auto result = get(server, "/3");
  ASSERT_TRUE(result) << failure(result);
  EXPECT_EQ(result->body, "here");
  EXPECT_EQ(result->url, url(server, "/0"));
  EXPECT_EQ(failure(get(server, "/4")), fmt::format("unsupported: {} redirects more than 3 times", at(server)));
  EXPECT_EQ(ask({.url = url(server, "/1"), .redirections = 0})->status, 302);
}

TEST_F(HttpExchangeTest, SendsAnOrderOnOnlyWhereTheServerSaysSo) {
  std::atomic<int> turn = 0;
  std::promise<std::string> second, third;
  testing::ScriptedServer other([&](testing::ScriptedPeer& peer) {
    const std::string head = read_head(peer);
    if (turn++ == 0) {
      peer.receive(4);
      peer.send("HTTP/1.1 307 Go\r\nLocation: /b\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    } else if (turn == 2) {
      second.set_value(head + peer.receive(4));
      peer.send("HTTP/1.1 303 Go\r\nLocation: /c\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    } else {
      third.set_value(head);
      peer.send(kEmptyAnswer);
    }
  });
  const auto result =
      ask({.method = "POST", .url = url(other, "/a"), .headers = {{"Content-Type", "text/plain"}}, .body = "body"});
  ASSERT_TRUE(result) << failure(result);
  const std::string again = base::wait_for(second.get_future());
  EXPECT_TRUE(again.starts_with("POST /b ") && again.ends_with("\r\n\r\nbody")) << again;
  const std::string last = base::wait_for(third.get_future());
  EXPECT_TRUE(last.starts_with("GET /c ") && !last.contains("Content-")) << last;
}

TEST_F(HttpExchangeTest, TellsNoSecretsToAnotherOrigin) {
  std::promise<std::string> head;
  testing::ScriptedServer other([&](testing::ScriptedPeer& peer) {
    head.set_value(read_head(peer));
    peer.send(kEmptyAnswer);
  });
  testing::ScriptedServer server(
      answer_all(fmt::format("HTTP/1.1 301 Go\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n", url(other, "/x"))));
  EXPECT_TRUE(ask({.url = url(server),
                   .headers = {{"X-Api-Key", "key"}, {"Cookie", "c"}, {"Host", "h"}, {"Accept", "text/plain"}},
                   .credentials = HttpCredentials{HttpCredentials::Kind::basic, "ann", "secret"}}));
  EXPECT_EQ(head.get_future().get(),
            fmt::format("GET /x HTTP/1.1\r\nHost: {}\r\nAccept: text/plain\r\nUser-Agent: Hearth\r\n"
                        "Accept-Encoding: identity\r\n\r\n",
                        at(other)));
}

TEST_F(HttpExchangeTest, FollowsNobodyToThisMachine) {
  testing::ScriptedServer other(answer_all(std::string(kEmptyAnswer)));
  testing::ScriptedServer server(answer_all(
      fmt::format("HTTP/1.1 301 Go\r\nLocation: http://hub.test:{}/\r\nContent-Length: 0\r\n\r\n", other.port())));
  EXPECT_EQ(failure(get(server)),
            fmt::format("invalid_host: hub.test:{} leads to 127.0.0.1, which is this machine", other.port()));
  EXPECT_TRUE(ask({.url = fmt::format("http://hub.test:{}/", other.port())}));  // a person may name it
}

TEST_F(HttpExchangeTest, LeavesTlsForNobody) {
  const testing::Certificate certificate("127.0.0.1");
  testing::ScriptedServer plain(answer_all(std::string(kEmptyAnswer)));
  testing::ScriptedServer server(
      answer_all(
          fmt::format("HTTP/1.1 301 Go\r\nLocation: {}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", url(plain))),
      {.certificate = &certificate});
  HttpRequest request{.url = url(server, "/", "https"), .authorities = certificate.certificate_file()};
  EXPECT_EQ(failure(ask(request)),
            fmt::format("unsupported: {} redirects from https to {}, which is not followed", at(server), url(plain)));
  EXPECT_EQ(plain.connections(), 0);
  request.redirections = 0;
  EXPECT_EQ(ask(request)->status, 301);
  request.authorities.clear();
  EXPECT_EQ(failure(ask(request)),
            fmt::format("cannot_connect: {}: its certificate is refused: self-signed certificate", at(server)));
  request.verify_certificate = false;
  EXPECT_EQ(ask(request)->status, 301);
}

}  // namespace
}  // namespace hearth::net
