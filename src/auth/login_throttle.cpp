// SPDX-License-Identifier: Apache-2.0
#include "auth/login_throttle.h"

#include <algorithm>

namespace hearth::auth {

LoginThrottle::LoginThrottle(const base::Clock& clock, std::function<bool(const Address&)> exempt)
    : clock_(clock), exempt_(std::move(exempt)) {}

bool LoginThrottle::Record::old(base::SteadyTime now) const {
  return now - std::max(banned_until, failures[(count + kMaxFailures - 1) % kMaxFailures]) >= kMemory;
}

bool LoginThrottle::exempt(const Address& address) const {
  const Address plain = unmapped(address);
  return plain.is_loopback() || (exempt_ && exempt_(plain));
}

std::chrono::seconds LoginThrottle::retry_after(const Address& address) const {
  if (size_.load(std::memory_order_relaxed) == 0) return std::chrono::seconds(0);
  const AddressPrefix prefix(address);
  const base::SteadyTime now = clock_.steady_now();
  base::MutexLock lock(mutex_);
  const auto found = records_.find(prefix);
  if (found == records_.end() || found->second.banned_until <= now) return std::chrono::seconds(0);
  return std::chrono::ceil<std::chrono::seconds>(found->second.banned_until - now);
}

void LoginThrottle::failed(const Address& address) {
  if (exempt(address)) return;
  const AddressPrefix prefix(address);
  const base::SteadyTime now = clock_.steady_now();
  base::MutexLock lock(mutex_);
  forget_old(now);
  if (const auto found = records_.find(prefix); found != records_.end() && found->second.old(now)) forget(prefix);
  Record& record = record_of(prefix);
  if (record.banned_until > now) return;  // a request that was under way when the ban began
  by_age_.splice(by_age_.end(), by_age_, record.age);

  record.failures[record.count++ % kMaxFailures] = now;
  if (record.count < kMaxFailures || now - record.failures[record.count % kMaxFailures] >= kWindow) return;
  record.count = 0;
  record.banned_until = now + record.next_ban;
  record.next_ban = std::min(2 * record.next_ban, kLongestBan);
}

void LoginThrottle::succeeded(const Address& address) {
  if (size_.load(std::memory_order_relaxed) == 0) return;
  const AddressPrefix prefix(address);
  const base::SteadyTime now = clock_.steady_now();
  base::MutexLock lock(mutex_);
  forget_old(now);
  const auto found = records_.find(prefix);
  if (found == records_.end() || found->second.banned_until > now) return;
  found->second.count = 0;
  if (found->second.banned_until == base::SteadyTime()) forget(prefix);
}

std::vector<LoginThrottle::Ban> LoginThrottle::list() const {
  const base::SteadyTime now = clock_.steady_now();
  std::vector<Ban> bans;
  base::MutexLock lock(mutex_);
  for (const auto& [prefix, record] : records_) {
    if (record.banned_until <= now) continue;
    bans.push_back({prefix.str(), std::chrono::ceil<std::chrono::seconds>(record.banned_until - now)});
  }
  return bans;
}

bool LoginThrottle::clear(std::string_view prefix) {
  boost::system::error_code error;
  const Address address = boost::asio::ip::make_address(prefix.substr(0, prefix.find('/')), error);
  if (error) return false;
  const AddressPrefix wanted(address);
  base::MutexLock lock(mutex_);
  if (!records_.contains(wanted)) return false;
  forget(wanted);
  return true;
}

LoginThrottle::Record& LoginThrottle::record_of(const AddressPrefix& prefix) {
  if (const auto found = records_.find(prefix); found != records_.end()) return found->second;
  if (records_.size() >= kMaxPrefixes) forget(AddressPrefix(by_age_.front()));
  Record& record = records_[prefix];
  record.age = by_age_.insert(by_age_.end(), prefix);
  size_.store(records_.size(), std::memory_order_relaxed);
  return record;
}

void LoginThrottle::forget(const AddressPrefix& prefix) {
  const auto found = records_.find(prefix);
  by_age_.erase(found->second.age);
  records_.erase(found);
  size_.store(records_.size(), std::memory_order_relaxed);
}

void LoginThrottle::forget_old(base::SteadyTime now) {
  while (!by_age_.empty() && records_.at(by_age_.front()).old(now)) forget(AddressPrefix(by_age_.front()));
}

}  // namespace hearth::auth
