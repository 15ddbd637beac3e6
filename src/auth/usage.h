// SPDX-License-Identifier: Apache-2.0
// The use that one token, and all tokens of one user together, make of the hub, against the limits of `http: limits:`.
// A user's tokens have kUserShare times as much together as each of them.
//
// Any thread; none waits. The counts live as long as the token is known or something holds them, so that a change of
// the accounts does not begin them anew.
//
// Requests are checked without a write to memory that other threads use: each thread takes some of a token's requests
// in advance, at most kLease and 1/320 of a token's burst, and counts those down by itself. What threads have taken and
// not used is all that a token may lack of its limit; it never has more.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/clock.h"

namespace hearth::auth {

struct UseLimits {
  std::size_t requests_per_second = 5'000;
  std::size_t sockets = 1'000;
  std::size_t streams = 1'000;
  std::size_t subscriptions = 20'000;
  base::Duration template_time = std::chrono::seconds(1);  // of a processor, in each second
};

// A bucket that runs full in kBurst. What is taken flows back at a constant rate.
class UseRate {
 public:
  static constexpr std::chrono::seconds kBurst{10};

  // Takes `amount`, in time at the full rate. Otherwise takes nothing and returns how long until it could be; never 0.
  std::chrono::nanoseconds take(std::chrono::nanoseconds amount, std::chrono::nanoseconds now);
  // Takes it even where nothing is left: what has been used already.
  void charge(std::chrono::nanoseconds amount, std::chrono::nanoseconds now);
  void give_back(std::chrono::nanoseconds amount) { full_at_.fetch_sub(amount.count(), std::memory_order_relaxed); }
  // How long until anything is left; 0 if something is.
  std::chrono::nanoseconds wait(std::chrono::nanoseconds now) const;

 private:
  std::atomic<std::int64_t> full_at_{INT64_MIN / 2};  // nanoseconds of the steady clock
};

enum class Use { socket, stream, subscription };

class Usage {
 public:
  static constexpr std::size_t kUserShare = 4;
  static constexpr std::int64_t kLease = 64;  // requests

  // Of a token; `user`: its user's, null for those of a user.
  explicit Usage(std::shared_ptr<Usage> user) : user_(std::move(user)) {}

  // One request, or command of a WebSocket. 0: it may go on; otherwise how long until it may, rounded up.
  static std::chrono::seconds take_request(const std::shared_ptr<Usage>& usage, const UseLimits& limits,
                                           const base::Clock& clock);

  // 0 if there is processor time for templates left; otherwise how long until there is, rounded up.
  std::chrono::seconds template_wait(const UseLimits& limits, const base::Clock& clock) const;
  void charge_template(base::Duration used, const UseLimits& limits, const base::Clock& clock);

  // True if one more would be too many, of the token or its user.
  bool full(Use use, const UseLimits& limits) const;

 private:
  friend class UsePlace;

  std::int64_t take_requests(std::int64_t most, const UseLimits& limits, std::chrono::nanoseconds now,
                             std::chrono::nanoseconds& wait);
  void give_back(std::int64_t requests, const UseLimits& limits);

  const std::shared_ptr<Usage> user_;
  UseRate requests_, templates_;
  std::array<std::atomic<std::size_t>, 3> counts_{};
};

// One socket, stream or subscription, as long as it is there. Move-only.
class UsePlace {
 public:
  UsePlace() = default;
  UsePlace(std::shared_ptr<Usage> usage, Use use);
  UsePlace(UsePlace&& other) noexcept = default;
  UsePlace& operator=(UsePlace&& other) noexcept;
  ~UsePlace() { leave(); }

 private:
  void leave();

  std::shared_ptr<Usage> usage_;
  Use use_ = Use::socket;
};

}  // namespace hearth::auth
