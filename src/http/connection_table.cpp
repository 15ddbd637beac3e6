// SPDX-License-Identifier: Apache-2.0
#include "http/connection_table.h"

#include <algorithm>

namespace hearth::http {

bool ConnectionTable::is_counted(const base::Address& peer) const {
  if (base::unmapped(peer).is_loopback()) return false;
  return std::ranges::none_of(trusted_, [&](const auto& network) { return network.contains(peer); });
}

std::optional<ConnectionTable::Place> ConnectionTable::take(const base::Address& peer) {
  Place place;
  if (!is_counted(peer)) return place;
  place.prefix_.emplace(peer);
  base::MutexLock lock(mutex_);
  std::size_t& count = counts_[*place.prefix_];
  if (count >= limit_) return {};
  ++count;
  place.table_ = this;
  return place;
}

void ConnectionTable::release(const base::AddressPrefix& prefix) {
  base::MutexLock lock(mutex_);
  const auto found = counts_.find(prefix);
  if (--found->second == 0) counts_.erase(found);
}

}  // namespace hearth::http
