// SPDX-License-Identifier: Apache-2.0
// How many requests a worker has answered, by route and status, and how long clients waited for the answers. Written by
// the worker's thread, read by any: a reader may see a request in one figure before it sees it in another.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

namespace hearth::http {

class RequestCounts {
 public:
  // Upper bounds of the histogram's buckets, in microseconds; one more bucket has the rest.
  static constexpr std::array<std::int64_t, 12> kBounds = {100,    250,    500,     1'000,   2'500,     5'000,
                                                           10'000, 50'000, 100'000, 500'000, 1'000'000, 5'000'000};
  // Each has a counter; another status counts as the first of its hundred.
  static constexpr std::array<unsigned, 29> kStatuses = {100, 101, 200, 201, 204, 206, 300, 302, 303, 304,
                                                         308, 400, 401, 403, 404, 405, 409, 412, 413, 415,
                                                         416, 426, 429, 431, 500, 501, 502, 503, 507};

  // `routes`: the handler's routes are 0 to routes - 1. Greater ones are counted together, but Request::kNoRoute apart.
  explicit RequestCounts(std::size_t routes);

  // The worker's thread. `taken`: from the request's first byte until its answer, or a stream's head, was written.
  void add(std::size_t route, unsigned status, std::chrono::nanoseconds taken) noexcept;

  struct Totals {
    struct Answered {
      std::size_t route;  // as above; `routes` for greater ones
      unsigned status;
      std::uint64_t count;
    };
    std::vector<Answered> answered;                          // by route and status; those that occurred
    std::array<std::uint64_t, kBounds.size() + 1> within{};  // of each bucket alone
    std::chrono::nanoseconds taken{0};
    std::uint64_t count = 0;
  };
  // Any thread. REQUIRES: all have the same routes.
  static Totals sum(std::span<const RequestCounts* const> workers);

 private:
  using Counter = std::atomic<std::uint64_t>;

  static void increase(Counter& counter, std::uint64_t by = 1) noexcept {
    counter.store(counter.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }

  const std::size_t routes_;
  std::vector<Counter> answered_;  // by row and status; a row for each route, for greater ones, and for none
  std::array<Counter, kBounds.size() + 1> within_{};
  Counter taken_{0};  // ns
};

}  // namespace hearth::http
