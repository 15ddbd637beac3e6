// SPDX-License-Identifier: Apache-2.0
#include "http/complaints.h"

namespace hearth::http {

bool Complaints::is_new(const base::Address& address, Time now) {
  const base::AddressPrefix prefix(address);
  base::MutexLock lock(mutex_);
  if (const auto found = said_.find(prefix); found != said_.end()) {
    if (now < found->second + kAgain) return false;
    found->second = now;
    return true;
  }
  if (said_.size() >= kMaxPrefixes) std::erase_if(said_, [&](const auto& said) { return now >= said.second + kAgain; });
  if (said_.size() >= kMaxPrefixes) return false;
  said_.emplace(prefix, now);
  return true;
}

}  // namespace hearth::http
