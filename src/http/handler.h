// SPDX-License-Identifier: Apache-2.0
// What stands behind the server: decides on a request when its head is there, answers when its body is, too.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>

#include "http/request.h"
#include "http/response.h"

namespace hearth::http {

class EventStream;
class WebSocketHandler;
class Worker;

// The right and duty to answer one request. Dropped without an answer it answers 500. May outlive the server.
// Move-only.
class Responder {
 public:
  Responder(Worker& worker, std::uint64_t session, std::uint64_t request);
  Responder(Responder&& other) noexcept;
  Responder& operator=(Responder&&) = delete;
  ~Responder();

  // Any thread; once. Where the client, or the server, has gone meanwhile, nothing happens.
  void send(Response response);
  // The session's worker only, within Handler::handle, instead of send: 200 with this head, the body a stream. The
  // stream belongs to the session; null where the client has gone or the server ends.
  EventStream* open_stream(Response head);
  // Likewise: the connection becomes a WebSocket with this behind it. Where the request is no valid upgrade, or the
  // server ends, it is answered with 400, 426 or 503, and the handler is gone when this returns.
  void open_websocket(std::unique_ptr<WebSocketHandler> handler);

  // Whose thread the session lives on.
  Worker& worker() const { return *worker_; }

 private:
  Worker* worker_;                             // null once answered
  std::weak_ptr<boost::asio::io_context> io_;  // the worker's, which is gone with it
  std::uint64_t session_;
  std::uint64_t request_;
};

class Handler {
 public:
  virtual ~Handler() = default;

  // Worker thread; the head is complete, the body is not read. A response ends the request there.
  virtual std::optional<Response> check(Request& request) = 0;
  // Worker thread; the request is whole. It is valid during the call only.
  virtual void handle(Request& request, Responder responder) = 0;
};

}  // namespace hearth::http
