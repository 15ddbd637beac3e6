// SPDX-License-Identifier: Apache-2.0
// All requests of a client: so many at a time, and so many of them to one host; others wait for their turn. Thread
// `net` only.
#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>

#include "net/http/http_exchange.h"
#include "net/reactor/bus_queue.h"

namespace hearth::net {

struct HttpEnd {
  std::uint64_t id;
  HttpResult result;
};

class HttpEngine {
 public:
  static constexpr std::size_t kMaxWaiting = 1'024;          // further ones fail with busy
  static constexpr std::size_t kMaxWaitingBytes = 16 << 20;  // of their bodies
  static constexpr std::chrono::seconds kMaxWait{60};        // after it a request fails with busy

  HttpEngine(Reactor& reactor, BusSender<HttpEnd> ends, HttpBounds bounds = {});

  // Each id once. What becomes of it is put into the queue, except after cancel.
  void ask(std::uint64_t id, HttpRequest request);
  void cancel(std::uint64_t id);

 private:
  struct Waiting {
    std::uint64_t id;
    HttpRequest request;
    Url url;
    std::chrono::steady_clock::time_point until;
  };
  struct Active {
    std::string host;
    std::unique_ptr<HttpExchange> exchange;
  };

  void dispatch();
  void begin(Waiting next);
  void expire();
  void end(std::uint64_t id, HttpResult result);

  Reactor& reactor_;
  const HttpBounds bounds_;
  BusSender<HttpEnd> ends_;
  HttpPool pool_;
  DigestMemory digests_;
  std::list<Waiting> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::unordered_map<std::uint64_t, Active> active_;
  std::unordered_map<std::string, std::size_t> active_of_host_;
  bool bus_has_room_ = true;
  Timer expiry_;
};

}  // namespace hearth::net
