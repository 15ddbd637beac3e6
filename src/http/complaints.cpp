// SPDX-License-Identifier: Apache-2.0
#include "http/complaints.h"

namespace hearth::http {

bool Complaints::is_new(const base::Address& address, Time now) {
  const base::AddressPrefix prefix(address);
  base::MutexLock lock(mutex_);
  if (const auto found = logged_.find(prefix); found != logged_.end()) {
    if (now < found->second + kAgain) return false;
    found->second = now;
    return true;
  }
  if (logged_.size() >= kMaxPrefixes)
    std::erase_if(logged_, [&](const auto& entry) { return now >= entry.second + kAgain; });
  if (logged_.size() >= kMaxPrefixes) return false;
  logged_.emplace(prefix, now);
  return true;
}

}  // namespace hearth::http
