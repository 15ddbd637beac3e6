// SPDX-License-Identifier: Apache-2.0
// Counts what may happen very often, such as failed logins, so that a flood leaves few rows: one for each user, kind
// and address prefix (IPv4 address, IPv6 /64) in a minute, and at most kMostKeys; further ones are counted together,
// without user and address.
//
// Any thread.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "audit/entry.h"
#include "base/clock.h"
#include "base/mutex.h"

namespace hearth::audit {

class Counts {
 public:
  static constexpr std::size_t kMostKeys = 32;
  static constexpr base::Duration kTogether = std::chrono::minutes(1);

  // Entry::address is ignored; other fields are those of the first one that is counted together.
  void add(Entry entry, const boost::asio::ip::address& from, base::SteadyTime now);
  // All there are, if the first of them was kTogether ago, or if `all`.
  std::vector<Entry> take(base::SteadyTime now, bool all = false);
  // How long until `take` has something; Duration::max() if there is nothing.
  base::Duration pause(base::SteadyTime now) const;

 private:
  using Key = std::tuple<std::string, std::string, std::string>;  // user id, what, address prefix

  mutable base::Mutex mutex_;
  std::map<Key, Entry> counted_ __attribute__((guarded_by(mutex_)));  // kMostKeys, and one for each `what`
  base::SteadyTime first_ __attribute__((guarded_by(mutex_)));
};

}  // namespace hearth::audit
