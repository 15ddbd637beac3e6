// SPDX-License-Identifier: Apache-2.0
#include "http/request_counts.h"

#include <algorithm>

#include "http/messages/request.h"

namespace hearth::http {
namespace {

constexpr std::size_t kHighest = 600;

// The counter of each status.
constexpr auto kCounters = [] {
  std::array<std::uint8_t, kHighest> counters{};
  std::uint8_t of_hundred = 0;
  for (unsigned status = 100; status < kHighest; ++status) {
    const auto& all = RequestCounts::kStatuses;
    const auto found = std::find(all.begin(), all.end(), status);
    const auto own = static_cast<std::uint8_t>(found - all.begin());
    if (status % 100 == 0) of_hundred = own;
    counters[status] = found == all.end() ? of_hundred : own;
  }
  return counters;
}();

}  // namespace

RequestCounts::RequestCounts(std::size_t routes) : routes_(routes), answered_((routes + 2) * kStatuses.size()) {}

void RequestCounts::add(std::size_t route, unsigned status, std::chrono::nanoseconds taken) noexcept {
  const std::size_t row = route == Request::kNoRoute ? routes_ + 1 : std::min(route, routes_);
  increase(answered_[row * kStatuses.size() + kCounters[status < kHighest ? status : 500]]);
  const auto bucket = std::lower_bound(kBounds.begin(), kBounds.end(), (taken.count() + 999) / 1'000);
  increase(within_[static_cast<std::size_t>(bucket - kBounds.begin())]);
  increase(taken_, static_cast<std::uint64_t>(taken.count()));
}

RequestCounts::Totals RequestCounts::sum(std::span<const RequestCounts* const> workers) {
  Totals totals;
  if (workers.empty()) return totals;
  const std::size_t routes = workers.front()->routes_;
  for (std::size_t i = 0; i < workers.front()->answered_.size(); ++i) {
    std::uint64_t count = 0;
    for (const RequestCounts* const worker : workers) count += worker->answered_[i].load(std::memory_order_relaxed);
    if (count == 0) continue;
    const std::size_t row = i / kStatuses.size();
    totals.answered.push_back({row > routes ? Request::kNoRoute : row, kStatuses[i % kStatuses.size()], count});
  }
  for (const RequestCounts* const worker : workers) {
    for (std::size_t i = 0; i < totals.within.size(); ++i)
      totals.within[i] += worker->within_[i].load(std::memory_order_relaxed);
    totals.taken += std::chrono::nanoseconds(worker->taken_.load(std::memory_order_relaxed));
  }
  for (const std::uint64_t count : totals.within) totals.count += count;
  return totals;
}

}  // namespace hearth::http
