// SPDX-License-Identifier: Apache-2.0
// HTTP/1.1 requests to other servers, for all integrations. Bus thread only; the requests themselves are on the thread
// `net`, which begins with the first one.
//
// Bounds (HttpRequest, HttpEngine): 10 s and 1 MiB of answer by default, 3 redirections, none from https to http nor to
// this machine by another host; 8 requests at a time, 2 to one host (HttpBounds), 1,024 that wait. Credentials go to
// the origin of the URL only. No proxy, no cookies, no compression. Connections are kept for the next request for 45 s.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>

#include "base/handle.h"
#include "net/http/http_message.h"
#include "net/reactor/bus_queue.h"
#include "net/reactor/on_net.h"
#include "net/reactor/reactor.h"

namespace hearth::net {

class HttpEngine;
struct HttpEnd;

class HttpClient {
 public:
  using Done = std::move_only_function<void(HttpResult result)>;

  // The reactor must outlive it. `post` must take what the bus thread itself posts.
  HttpClient(Reactor& reactor, PostToBus post, HttpBounds bounds = {});
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // Calls `done` once, later, on the bus thread; not after the handle's end, which cancels the request. An answer with
  // any status is a result: the caller looks at it.
  [[nodiscard]] base::Handle ask(HttpRequest request, Done done);

 private:
  using Open = std::unordered_map<std::uint64_t, Done>;

  void begin();

  Reactor& reactor_;
  const PostToBus post_;
  const HttpBounds bounds_;
  const std::shared_ptr<Open> open_ = std::make_shared<Open>();
  std::uint64_t last_ = 0;
  std::unique_ptr<BusQueue<HttpEnd>> ends_;              // null before the first request
  std::shared_ptr<OnNet<HttpEngine>> engine_ = nullptr;  // likewise
};

}  // namespace hearth::net
