// SPDX-License-Identifier: Apache-2.0
#include "auth/usage.h"

#include <algorithm>
#include <utility>

namespace hearth::auth {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

// Requests that this thread has taken of a token's in advance. By the address; a token that has the place of another
// gives back what that one has left.
struct Lease {
  std::shared_ptr<Usage> usage;
  std::int64_t left = 0;
};
constinit thread_local std::array<Lease, 64> leases{};

// Of one request, at the rate of a token or a user.
nanoseconds cost_of(std::size_t requests_per_second) {
  return nanoseconds(std::max<std::int64_t>(1, 1'000'000'000 / static_cast<std::int64_t>(requests_per_second)));
}

// Of the time of templates: a bucket counts seconds, and a second has so much for templates.
nanoseconds share_of(base::Duration used, base::Duration a_second) {
  const double whole = std::chrono::duration<double>(used) / std::chrono::duration<double>(a_second);
  return std::chrono::duration_cast<nanoseconds>(std::chrono::duration<double>(std::min(whole, 86'400.0)));
}

seconds rounded_up(nanoseconds wait) {
  return std::chrono::ceil<seconds>(wait);
}

nanoseconds steady(const base::Clock& clock) {
  return clock.steady_now().time_since_epoch();
}

}  // namespace

nanoseconds UseRate::take(nanoseconds amount, nanoseconds now) {
  std::int64_t before = full_at_.load(std::memory_order_relaxed);
  while (true) {
    const std::int64_t after = std::max(before, now.count()) + amount.count();
    const std::int64_t over = after - now.count() - nanoseconds(kBurst).count();
    if (over > 0) return nanoseconds(over);
    if (full_at_.compare_exchange_weak(before, after, std::memory_order_relaxed)) return nanoseconds(0);
  }
}

void UseRate::charge(nanoseconds amount, nanoseconds now) {
  std::int64_t before = full_at_.load(std::memory_order_relaxed);
  while (!full_at_.compare_exchange_weak(before, std::max(before, now.count()) + amount.count(),
                                         std::memory_order_relaxed)) {
  }
}

nanoseconds UseRate::wait(nanoseconds now) const {
  const nanoseconds over = nanoseconds(full_at_.load(std::memory_order_relaxed)) - now - kBurst;
  return std::max(over + nanoseconds(1), nanoseconds(0));
}

seconds Usage::take_request(const std::shared_ptr<Usage>& usage, const UseLimits& limits, const base::Clock& clock) {
  Lease& lease = leases[(reinterpret_cast<std::uintptr_t>(usage.get()) >> 6) % leases.size()];
  if (lease.usage == usage && lease.left > 0) {
    --lease.left;
    return seconds(0);
  }
  if (lease.usage != usage) {
    if (lease.left > 0) lease.usage->give_back(std::exchange(lease.left, 0), limits);
    lease.usage = usage;
  }
  const nanoseconds now = steady(clock);
  nanoseconds wait{0};
  const std::int64_t most =
      std::clamp<std::int64_t>(static_cast<std::int64_t>(limits.requests_per_second) / 32, 1, kLease);
  lease.left = usage->take_requests(most, limits, now, wait);
  if (lease.left == 0 && most > 1) lease.left = usage->take_requests(1, limits, now, wait);
  if (lease.left == 0) return rounded_up(wait);
  --lease.left;
  return seconds(0);
}

std::int64_t Usage::take_requests(std::int64_t most, const UseLimits& limits, nanoseconds now, nanoseconds& wait) {
  const nanoseconds amount = most * cost_of(limits.requests_per_second);
  wait = requests_.take(amount, now);
  if (wait.count() > 0) return 0;
  if (!user_) return most;
  wait = user_->requests_.take(amount / kUserShare, now);
  if (wait.count() == 0) return most;
  requests_.give_back(amount);
  return 0;
}

void Usage::give_back(std::int64_t requests, const UseLimits& limits) {
  const nanoseconds amount = requests * cost_of(limits.requests_per_second);
  requests_.give_back(amount);
  if (user_) user_->requests_.give_back(amount / kUserShare);
}

seconds Usage::template_wait(const UseLimits&, const base::Clock& clock) const {
  const nanoseconds now = steady(clock);
  const nanoseconds wait = templates_.wait(now);
  return rounded_up(user_ ? std::max(wait, user_->templates_.wait(now)) : wait);
}

void Usage::charge_template(base::Duration used, const UseLimits& limits, const base::Clock& clock) {
  const nanoseconds now = steady(clock), share = share_of(used, limits.template_time);
  templates_.charge(share, now);
  if (user_) user_->templates_.charge(share / kUserShare, now);
}

bool Usage::full(Use use, const UseLimits& limits) const {
  const std::size_t most = use == Use::socket   ? limits.sockets
                           : use == Use::stream ? limits.streams
                                                : limits.subscriptions;
  const auto count = [use](const Usage& one) {
    return one.counts_[static_cast<std::size_t>(use)].load(std::memory_order_relaxed);
  };
  return count(*this) >= most || (user_ && count(*user_) >= kUserShare * most);
}

UsePlace::UsePlace(std::shared_ptr<Usage> usage, Use use) : usage_(std::move(usage)), use_(use) {
  const auto index = static_cast<std::size_t>(use_);
  if (!usage_) return;
  usage_->counts_[index].fetch_add(1, std::memory_order_relaxed);
  if (usage_->user_) usage_->user_->counts_[index].fetch_add(1, std::memory_order_relaxed);
}

UsePlace& UsePlace::operator=(UsePlace&& other) noexcept {
  if (this == &other) return *this;
  leave();
  usage_ = std::move(other.usage_);
  use_ = other.use_;
  return *this;
}

void UsePlace::leave() {
  const auto usage = std::exchange(usage_, nullptr);
  if (!usage) return;
  const auto index = static_cast<std::size_t>(use_);
  usage->counts_[index].fetch_sub(1, std::memory_order_relaxed);
  if (usage->user_) usage->user_->counts_[index].fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace hearth::auth
