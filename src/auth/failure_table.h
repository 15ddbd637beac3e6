// SPDX-License-Identifier: Apache-2.0
// Counts failures by key, and bans a key that has too many: LoginThrottle's rule, for addresses and for accounts. Used
// inside auth only. One thread at a time.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <list>
#include <map>

#include "base/clock.h"

namespace hearth::auth {

struct FailureRule {
  std::chrono::minutes window;       // Max failures within it cause a ban
  std::chrono::minutes first_ban;    // each further ban is twice as long …
  std::chrono::minutes longest_ban;  // … up to this
  std::chrono::minutes memory;       // time without a failure after which a ban is forgotten
  std::size_t capacity;              // keys; beyond, the one whose last failure is oldest is forgotten
};

// `Max` failures cause a ban.
template <class Key, std::size_t Max>
class FailureTable {
 public:
  class Record {
   public:
    std::size_t failures() const { return count_; }  // since the last ban or success
    base::SteadyTime banned_until() const { return banned_until_; }
    base::Timestamp last_failure() const { return last_failure_; }

   private:
    friend class FailureTable;
    typename std::list<Key>::iterator age_;
    std::array<base::SteadyTime, Max> times_{};  // a ring of the last failures
    std::size_t count_ = 0;
    base::SteadyTime banned_until_{};
    base::Timestamp last_failure_{};
    std::chrono::minutes next_ban_{};
  };

  explicit FailureTable(const FailureRule& rule) : rule_(rule) {}

  std::size_t size() const { return records_.size(); }
  const std::map<Key, Record, std::less<>>& records() const { return records_; }

  template <class K>
  base::Duration ban_left(const K& key, base::SteadyTime now) const {
    const auto found = records_.find(key);
    return found == records_.end() ? base::Duration(0) : std::max(base::Duration(0), found->second.banned_until_ - now);
  }
  // The number of failures within the window.
  template <class K>
  std::size_t recent(const K& key, base::SteadyTime now) const {
    const auto found = records_.find(key);
    if (found == records_.end()) return 0;
    const Record& record = found->second;
    return static_cast<std::size_t>(std::count_if(record.times_.begin(),
                                                  record.times_.begin() + std::min(record.count_, Max),
                                                  [&](base::SteadyTime time) { return now - time < rule_.window; }));
  }

  void failed(const Key& key, base::SteadyTime now, base::Timestamp wall_now) {
    forget_old(now);
    if (const auto found = records_.find(key); found != records_.end() && old(found->second, now)) forget(found);
    Record& record = record_of(key);
    if (record.banned_until_ > now) return;  // an attempt that was running when the ban began
    by_age_.splice(by_age_.end(), by_age_, record.age_);
    record.last_failure_ = wall_now;
    record.times_[record.count_++ % Max] = now;
    if (record.count_ < Max || now - record.times_[record.count_ % Max] >= rule_.window) return;
    record.count_ = 0;
    record.banned_until_ = now + record.next_ban_;
    record.next_ban_ = std::min(2 * record.next_ban_, rule_.longest_ban);
  }

  // Forgets the failures that have not led to a ban.
  void succeeded(const Key& key, base::SteadyTime now) {
    forget_old(now);
    const auto found = records_.find(key);
    if (found == records_.end() || found->second.banned_until_ > now) return;
    found->second.count_ = 0;
    if (found->second.banned_until_ == base::SteadyTime()) forget(found);
  }

  bool clear(const Key& key) {
    const auto found = records_.find(key);
    if (found == records_.end()) return false;
    forget(found);
    return true;
  }

 private:
  using Records = std::map<Key, Record, std::less<>>;

  bool old(const Record& record, base::SteadyTime now) const {
    return now - std::max(record.banned_until_, record.times_[(record.count_ + Max - 1) % Max]) >= rule_.memory;
  }

  Record& record_of(const Key& key) {
    if (const auto found = records_.find(key); found != records_.end()) return found->second;
    if (records_.size() >= rule_.capacity) forget(records_.find(by_age_.front()));
    Record& record = records_[key];
    record.age_ = by_age_.insert(by_age_.end(), key);
    record.next_ban_ = rule_.first_ban;
    return record;
  }

  void forget(typename Records::iterator found) {
    by_age_.erase(found->second.age_);
    records_.erase(found);
  }

  void forget_old(base::SteadyTime now) {
    while (!by_age_.empty()) {
      const auto oldest = records_.find(by_age_.front());
      if (!old(oldest->second, now)) return;
      forget(oldest);
    }
  }

  const FailureRule rule_;
  Records records_;
  std::list<Key> by_age_;  // by last failure, oldest first
};

}  // namespace hearth::auth
