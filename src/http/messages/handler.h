// SPDX-License-Identifier: Apache-2.0
// The interface that the server's user implements: checks a request when its head has come, and answers when its body
// has.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>

#include "http/messages/request.h"
#include "http/messages/response.h"

namespace hearth::http {

class EventStream;
class WebSocketHandler;
class Worker;

// The right and duty to answer one request. If dropped without an answer, it answers 500. May outlive the server.
// Move-only.
class Responder {
 public:
  Responder(Worker& worker, std::uint64_t session, std::uint64_t request);
  Responder(Responder&& other) noexcept;
  Responder& operator=(Responder&&) = delete;
  ~Responder();

  // Any thread; once. No effect if the client or the server has gone.
  void send(Response response);
  // Instead of send; on the session's worker, within Handler::handle. Answers 200 with this head and a stream as its
  // body. The session owns the stream; null if the client has gone or the server is ending.
  EventStream* open_stream(Response head);
  // Likewise: the connection becomes a WebSocket with this handler. An invalid upgrade, or one while the server is
  // ending, is answered with 400, 426 or 503, and the handler is destroyed before this returns.
  void open_websocket(std::unique_ptr<WebSocketHandler> handler);

  // The worker of the session.
  Worker& worker() const { return *worker_; }

 private:
  Worker* worker_;                             // null after the answer
  std::weak_ptr<boost::asio::io_context> io_;  // the worker's; expired after the worker has gone
  std::uint64_t session_;
  std::uint64_t request_;
};

class Handler {
 public:
  virtual ~Handler() = default;

  // How many routes there are, which `check` numbers from 0 on: their requests are counted one by one.
  virtual std::size_t route_count() const { return 0; }
  // Worker thread; the head is complete, the body not yet read. A response answers the request without its body.
  virtual std::optional<Response> check(Request& request) = 0;
  // Worker thread; the request is complete, and valid during the call only.
  virtual void handle(Request& request, Responder responder) = 0;
  // Worker thread. The request's answer is 403; it has a principal if `check` found one.
  virtual void refused(const Request&) {}
};

}  // namespace hearth::http
