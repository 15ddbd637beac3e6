// SPDX-License-Identifier: Apache-2.0
// Limits how often a problem with an address is logged: once an hour for each prefix, so that nobody can flood the log
// from outside. Any thread.
//
// At most kMaxPrefixes are remembered; beyond, nothing is logged until one of them expires.
#pragma once

#include <chrono>
#include <map>

#include "base/mutex.h"
#include "base/net/address_prefix.h"

namespace hearth::http {

class Complaints {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::hours kAgain{1};
  static constexpr std::size_t kMaxPrefixes = 1'024;

  bool is_new(const base::Address& address, Time now = std::chrono::steady_clock::now());

 private:
  base::Mutex mutex_;
  std::map<base::AddressPrefix, Time> logged_ __attribute__((guarded_by(mutex_)));  // time of the log line
};

}  // namespace hearth::http
