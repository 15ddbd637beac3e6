// SPDX-License-Identifier: Apache-2.0
#include "audit/counts.h"

#include <algorithm>

#include "base/net/address_prefix.h"

namespace hearth::audit {

void Counts::add(Entry entry, const boost::asio::ip::address& from, base::SteadyTime now) {
  entry.address = base::AddressPrefix(from).str();
  Key key{entry.user_id, entry.what, entry.address};
  base::MutexLock lock(mutex_);
  if (counted_.empty()) first_ = now;
  auto found = counted_.find(key);
  if (found == counted_.end() && counted_.size() >= kMostKeys) {
    entry = Entry{.what = entry.what};
    key = Key(std::string(), entry.what, std::string());
    found = counted_.find(key);
  }
  if (found != counted_.end())
    ++found->second.count;
  else
    counted_.emplace(std::move(key), std::move(entry));
}

std::vector<Entry> Counts::take(base::SteadyTime now, bool all) {
  std::map<Key, Entry> taken;
  {
    base::MutexLock lock(mutex_);
    if (!all && now - first_ < kTogether) return {};
    taken.swap(counted_);
  }
  std::vector<Entry> entries;
  for (auto& [key, entry] : taken) entries.push_back(std::move(entry));
  return entries;
}

base::Duration Counts::pause(base::SteadyTime now) const {
  base::MutexLock lock(mutex_);
  if (counted_.empty()) return base::Duration::max();
  return std::max(base::Duration(0), std::chrono::duration_cast<base::Duration>(first_ + kTogether - now));
}

}  // namespace hearth::audit
