// SPDX-License-Identifier: Apache-2.0
#include "net/http/http_client.h"

#include <utility>

#include "base/log/guarded.h"
#include "net/http/http_engine.h"

namespace hearth::net {
namespace {

// No answer may be lost: those under way have room even if all are as large as they may be.
constexpr std::size_t kReserve = 1'024;

void finish(std::unordered_map<std::uint64_t, HttpClient::Done>& open, std::uint64_t id, HttpResult result) {
  auto one = open.extract(id);
  if (!one) return;
  base::run_guarded("net", "what waits for an answer", [&] { one.mapped()(std::move(result)); });
}

}  // namespace

HttpClient::HttpClient(Reactor& reactor, PostToBus post, HttpBounds bounds)
    : reactor_(reactor), post_(std::move(post)), bounds_(bounds) {}

HttpClient::~HttpClient() = default;

void HttpClient::begin() {
  if (engine_) return;
  auto ends = std::make_unique<BusQueue<HttpEnd>>(
      post_,
      [open = open_](BusQueue<HttpEnd>::Batch batch) {
        for (HttpEnd& each : batch.items) finish(*open, each.id, std::move(each.result));
      },
      kReserve);
  engine_ = std::make_shared<OnNet<HttpEngine>>(
      reactor_, [&reactor = reactor_, bounds = bounds_, sender = ends->sender()]() mutable {
        return std::make_unique<HttpEngine>(reactor, std::move(sender), bounds);
      });
  ends_ = std::move(ends);
}

base::Handle HttpClient::ask(HttpRequest request, Done done) {
  begin();
  const std::uint64_t id = ++last_;
  open_->emplace(id, std::move(done));
  base::Handle handle([open = std::weak_ptr(open_), engine = std::weak_ptr(engine_), id] {
    const auto left = open.lock();
    if (!left || left->erase(id) == 0) return;
    if (const auto running = engine.lock()) running->call([id](HttpEngine& it) { it.cancel(id); });
  });
  const bool asked =
      engine_->call([id, request = std::move(request)](HttpEngine& it) mutable { it.ask(id, std::move(request)); });
  if (!asked) {
    post_(0, [open = std::weak_ptr(open_), id] {
      const auto left = open.lock();
      if (left) finish(*left, id, std::unexpected(Failure{Reason::busy, "the thread of outgoing links takes no more"}));
    });
  }
  return handle;
}

}  // namespace hearth::net
