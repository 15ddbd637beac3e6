// SPDX-License-Identifier: Apache-2.0
// For tests of the HTTP client: a client, a bus, and servers that answer.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "net/http/http_client.h"
#include "net/testing/fake_bus.h"
#include "net/testing/scripted_server.h"

namespace hearth::net {

inline constexpr std::string_view kEmptyAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

inline std::string read_head(testing::ScriptedPeer& peer) {
  return peer.receive_until("\r\n\r\n");
}

// A server that answers each request, whatever it is, with the same bytes, and closes if they do not say how long they
// are.
inline testing::ScriptedServer::Script answer_all(std::string answer) {
  return [answer = std::move(answer)](testing::ScriptedPeer& peer) {
    while (!read_head(peer).empty()) {
      peer.send(answer);
      if (!answer.contains("ontent-Length") && !answer.contains("chunked")) return;
    }
  };
}

struct HttpTest : ::testing::Test {
  HttpTest() {
    reactor.use([](const std::string& host) -> std::expected<Addresses, Failure> {
      if (host.ends_with(".test")) return Addresses{boost::asio::ip::make_address("127.0.0.1")};
      return std::unexpected(Failure{Reason::invalid_host, "the host " + host + " is not found"});
    });
  }
  HttpResult ask(HttpRequest request) {
    std::optional<HttpResult> result;
    const base::Handle handle = client.ask(std::move(request), [&](HttpResult got) { result = std::move(got); });
    EXPECT_FALSE(result);
    bus.run_until([&] { return result.has_value(); });
    return *std::move(result);
  }
  HttpResult get(const testing::ScriptedServer& server, std::string path = "/") {
    return ask({.url = url(server, std::move(path))});
  }
  static std::string url(const testing::ScriptedServer& server, std::string_view path = "/",
                         std::string_view scheme = "http") {
    return fmt::format("{}://127.0.0.1:{}{}", scheme, server.port(), path);
  }
  static std::string failure(const HttpResult& result) {
    return result ? "answered " + std::to_string(result->status)
                  : fmt::format("{}: {}", code_of(result.error().reason), result.error().message);
  }
  static std::string at(const testing::ScriptedServer& server) { return fmt::format("127.0.0.1:{}", server.port()); }

  testing::FakeBus bus;
  Reactor reactor;
  HttpClient client{reactor, bus.post()};
};

}  // namespace hearth::net
