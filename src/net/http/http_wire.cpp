// SPDX-License-Identifier: Apache-2.0
#include "net/http/http_wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace hearth::net {

std::string HttpWire::key_of(const Target& target) {
  const std::string tls = target.tls ? fmt::format("{}\n{}", target.tls->verify_certificate, target.tls->authorities)
                                     : std::string("plain");
  return fmt::format("{}\n{}\n{}{}\n{}", target.host, target.port, target.foreign, target.only_public, tls);
}

std::unique_ptr<HttpWire> HttpPool::take(const std::string& key) {
  // The latest: the server has had the least time to close it.
  for (auto at = idle_.end(); at != idle_.begin();) {
    --at;
    if (at->wire->key() != key) continue;
    auto wire = std::move(at->wire);
    idle_.erase(at);
    return wire;
  }
  return nullptr;
}

void HttpPool::put(std::unique_ptr<HttpWire> wire) {
  const auto same = [&](const Idle& each) { return each.wire->key() == wire->key(); };
  if (std::ranges::count_if(idle_, same) >= static_cast<std::ptrdiff_t>(kMostOfAKey))
    idle_.erase(std::ranges::find_if(idle_, same));
  if (idle_.size() >= kMost) idle_.pop_front();
  Idle& one = idle_.emplace_back(*this);
  one.wire = std::move(wire);
  one.wire->serve(one);
  one.until = std::chrono::steady_clock::now() + kTime;
  if (!timer_.running()) timer_.start(kTime, [this] { sweep(); });
}

void HttpPool::drop(const Idle& one) {
  idle_.erase(std::ranges::find_if(idle_, [&](const Idle& each) { return &each == &one; }));
}

void HttpPool::sweep() {
  const auto now = std::chrono::steady_clock::now();
  while (!idle_.empty() && idle_.front().until <= now) idle_.pop_front();
  if (!idle_.empty()) timer_.start(idle_.front().until - now, [this] { sweep(); });
}

}  // namespace hearth::net
