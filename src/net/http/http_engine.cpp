// SPDX-License-Identifier: Apache-2.0
#include "net/http/http_engine.h"

#include <fmt/format.h>

#include <utility>

#include "base/log/guarded.h"

namespace hearth::net {
namespace {

constexpr std::size_t kOwnWeight = 256;

std::size_t weight_of(const HttpResult& result) {
  return kOwnWeight + (result ? result->body.size() : result.error().message.size());
}

}  // namespace

HttpEngine::HttpEngine(Reactor& reactor, BusSender<HttpEnd> ends, HttpBounds bounds)
    : reactor_(reactor), bounds_(bounds), ends_(std::move(ends)), pool_(reactor), expiry_(reactor) {
  ends_.start(reactor, [this] {
    bus_has_room_ = true;
    dispatch();
  });
}

void HttpEngine::ask(std::uint64_t id, HttpRequest request) {
  if (auto wrong = check_request(request)) return end(id, std::unexpected(std::move(*wrong)));
  auto url = parse_url(request.url);
  if (!url) return end(id, std::unexpected(std::move(url.error())));
  if (waiting_.size() >= kMaxWaiting || waiting_bytes_ + request.body.size() > kMaxWaitingBytes) {
    return end(id, std::unexpected(Failure{
                       Reason::busy, fmt::format("{}: too many requests wait for their turn", url->authority())}));
  }
  const auto until = std::chrono::steady_clock::now() + kMaxWait;
  waiting_bytes_ += request.body.size();
  waiting_.push_back({id, std::move(request), std::move(*url), until});
  dispatch();
}

void HttpEngine::cancel(std::uint64_t id) {
  std::erase_if(waiting_, [&](const Waiting& each) {
    if (each.id == id) waiting_bytes_ -= each.request.body.size();
    return each.id == id;
  });
  auto active = active_.extract(id);
  if (!active) return;
  --active_of_host_[active.mapped().host];
  active.mapped().exchange.reset();
  dispatch();
}

void HttpEngine::dispatch() {
  for (auto at = waiting_.begin(); at != waiting_.end() && active_.size() < bounds_.most && bus_has_room_;) {
    const auto next = at++;
    const auto busy = active_of_host_.find(next->url.authority());
    if (busy != active_of_host_.end() && busy->second >= bounds_.of_a_host) continue;
    Waiting taken = std::move(*next);
    waiting_.erase(next);
    waiting_bytes_ -= taken.request.body.size();
    begin(std::move(taken));
  }
  std::erase_if(active_of_host_, [](const auto& each) { return each.second == 0; });
  if (!waiting_.empty() && !expiry_.running())
    expiry_.start(waiting_.front().until - std::chrono::steady_clock::now(), [this] { expire(); });
}

void HttpEngine::begin(Waiting next) {
  const std::uint64_t id = next.id;
  std::string host = next.url.authority();
  try {
    std::size_t& of_host = active_of_host_[host];
    auto exchange = std::make_unique<HttpExchange>(reactor_, pool_, digests_, std::move(next.request),
                                                   std::move(next.url), [this, id](HttpResult result) {
                                                     const auto done = active_.extract(id);
                                                     --active_of_host_[done.mapped().host];
                                                     end(id, std::move(result));
                                                     dispatch();
                                                   });
    active_.emplace(id, Active{host, std::move(exchange)});
    ++of_host;
  } catch (...) {
    end(id, std::unexpected(failure_of_exception(host)));
  }
}

void HttpEngine::expire() {
  const auto now = std::chrono::steady_clock::now();
  while (!waiting_.empty() && waiting_.front().until <= now) {
    const Waiting late = std::move(waiting_.front());
    waiting_.pop_front();
    waiting_bytes_ -= late.request.body.size();
    end(late.id, std::unexpected(Failure{Reason::busy, fmt::format("{} is not asked: other requests take too long",
                                                                   late.url.authority())}));
  }
  dispatch();
}

void HttpEngine::end(std::uint64_t id, HttpResult result) {
  const std::size_t weight = weight_of(result);
  bus_has_room_ = ends_.put({id, std::move(result)}, weight) && bus_has_room_;
}

}  // namespace hearth::net
