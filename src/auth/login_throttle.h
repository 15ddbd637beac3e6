// SPDX-License-Identifier: Apache-2.0
// Slows down whoever guesses passwords or tokens: kMaxFailures failed logins from one address prefix within kWindow ban
// it for kFirstBan, and each further ban lasts twice as long, up to kLongestBan. An hour without a failure after a ban
// forgets it. Loopback and exempt addresses are never banned (contract, Tokens and rights).
//
// Any thread. Costs nanoseconds while nobody has failed lately. At most kMaxPrefixes are remembered; beyond, the one
// that failed longest ago is forgotten.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "auth/address_prefix.h"
#include "base/clock.h"
#include "base/mutex.h"

namespace hearth::auth {

class LoginThrottle {
 public:
  static constexpr std::size_t kMaxFailures = 10;
  static constexpr std::chrono::minutes kWindow{5};
  static constexpr std::chrono::minutes kFirstBan{5};
  static constexpr std::chrono::minutes kLongestBan{60};
  static constexpr std::chrono::minutes kMemory{60};
  static constexpr std::size_t kMaxPrefixes = 10'000;

  // `exempt` says which further addresses are never banned, such as trusted proxies; it is called on any thread,
  // without IPv4 addresses in IPv6 form. `clock` must outlive the throttle.
  explicit LoginThrottle(const base::Clock& clock, std::function<bool(const Address&)> exempt = {});

  bool banned(const Address& address) const { return retry_after(address).count() > 0; }
  // How long the ban lasts yet; zero where there is none.
  std::chrono::seconds retry_after(const Address& address) const;

  void failed(const Address& address);
  // Forgets the failures that have not led to a ban yet.
  void succeeded(const Address& address);

  struct Ban {
    std::string prefix;  // `192.0.2.1` or `2001:db8::/64`
    std::chrono::seconds left;
  };
  std::vector<Ban> list() const;
  // Lifts a ban and forgets the prefix, as list names it. False where there is none.
  bool clear(std::string_view prefix);

 private:
  struct Record {
    std::list<AddressPrefix>::iterator age;
    std::array<base::SteadyTime, kMaxFailures> failures{};  // a ring of the last ones
    std::size_t count = 0;                                  // of failures, since the last ban or success
    base::SteadyTime banned_until{};
    std::chrono::minutes next_ban = kFirstBan;

    bool old(base::SteadyTime now) const;
  };

  bool exempt(const Address& address) const;
  Record& record_of(const AddressPrefix& prefix) __attribute__((requires_capability(mutex_)));
  void forget(const AddressPrefix& prefix) __attribute__((requires_capability(mutex_)));
  void forget_old(base::SteadyTime now) __attribute__((requires_capability(mutex_)));

  const base::Clock& clock_;
  const std::function<bool(const Address&)> exempt_;
  std::atomic<std::size_t> size_{0};  // of records_, so that nobody locks while there are none
  mutable base::Mutex mutex_;
  std::map<AddressPrefix, Record> records_ __attribute__((guarded_by(mutex_)));
  std::list<AddressPrefix> by_age_ __attribute__((guarded_by(mutex_)));  // of the last failure, oldest first
};

}  // namespace hearth::auth
