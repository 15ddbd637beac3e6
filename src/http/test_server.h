// SPDX-License-Identifier: Apache-2.0
// For tests: a server on a free port of 127.0.0.1 whose handler the test writes.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "base/testing/wait_until.h"
#include "http/event_stream.h"
#include "http/server.h"
#include "http/test_client.h"

namespace hearth::http {

class TestHandler final : public Handler {
 public:
  // Set before the server starts. By default, every request is answered with its own target.
  std::function<std::optional<Response>(Request&)> on_check = [](Request&) { return std::nullopt; };
  std::function<void(Request&, Responder)> on_handle = [](Request& request, Responder responder) {
    responder.send(Response::json(request.target_text));
  };

  std::optional<Response> check(Request& request) override { return on_check(request); }
  void handle(Request& request, Responder responder) override { on_handle(request, std::move(responder)); }
};

class ServerFixture : public testing::Test {
 protected:
  ServerFixture() { options_.workers = 1; }

  void start() {
    server_ = std::make_unique<Server>(options_, handler_);
    const auto listening = server_->listen({"127.0.0.1"}, 0);
    ASSERT_TRUE(listening) << listening.error().message;
    server_->start();
  }
  std::uint16_t port() const { return server_->port(); }
  // Waits until the server has that many connections: for those that it closes without an answer.
  void wait_for_connections(std::size_t count) const {
    base::wait_until([&] { return server_->connections() == count; });
  }

  ServerOptions options_;
  TestHandler handler_;
  std::unique_ptr<Server> server_;
};

inline std::string get_request(std::string_view target) {
  return "GET " + std::string(target) + " HTTP/1.1\r\nHost: h\r\n\r\n";
}

}  // namespace hearth::http
