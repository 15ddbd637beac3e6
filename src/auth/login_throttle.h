// SPDX-License-Identifier: Apache-2.0
// Slows down whoever guesses passwords or tokens (contract, Tokens and rights: failed logins).
//
// Addresses: kMaxFailures failed logins from one address prefix within kWindow, by password or token, ban it for
// kFirstBan, and each further ban lasts twice as long, up to kLongestBan. An hour without a failure after a ban forgets
// it. While it is banned nothing is answered but 429. Loopback and exempt addresses are never banned.
//
// Accounts: kMaxAccountFailures wrong passwords for one account within kWindow, wherever they come from, close its
// login for as long as an address would be banned, but only to strangers: from loopback, exempt addresses and the last
// kKnownPrefixes prefixes from which the account was used, its owner can always log in. Names that no account has are
// counted like the others, so that nobody learns which are there.
//
// Slowing: from the fourth failure within kWindow on, of the address or of the account, the answer is held back, for
// anybody: kFirstHold, then twice as long each time, up to kLongestHold. A prefix has no more attempts under way than
// it has failures left, so that guessing at the same time gains nothing.
//
// A good login forgets the failures that have not led to a ban yet.
//
// Any thread. Costs nanoseconds while nobody has failed lately. At most kMaxPrefixes addresses and kMaxAccounts names
// are remembered; beyond, the one that failed longest ago is forgotten.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auth/address_prefix.h"
#include "auth/failure_table.h"
#include "base/clock.h"
#include "base/mutex.h"

namespace hearth::auth {

class LoginThrottle {
 public:
  static constexpr std::size_t kMaxFailures = 10;
  static constexpr std::size_t kMaxAccountFailures = 20;
  static constexpr std::chrono::minutes kWindow{5};
  static constexpr std::chrono::minutes kFirstBan{5};
  static constexpr std::chrono::minutes kLongestBan{60};
  static constexpr std::chrono::minutes kMemory{60};
  static constexpr std::chrono::milliseconds kFirstHold{125};
  static constexpr std::chrono::milliseconds kLongestHold{1'000};
  static constexpr std::size_t kFreeFailures = 3;
  static constexpr std::size_t kMaxPrefixes = 10'000;
  static constexpr std::size_t kMaxAccounts = 10'000;
  static constexpr std::size_t kKnownPrefixes = 16;

  // `exempt` says which further addresses are never banned, such as trusted proxies; it is called on any thread,
  // without IPv4 addresses in IPv6 form. `clock` must outlive the throttle.
  explicit LoginThrottle(const base::Clock& clock, std::function<bool(const Address&)> exempt = {});

  bool banned(const Address& address) const { return retry_after(address).count() > 0; }
  // How long the ban lasts yet; zero where there is none.
  std::chrono::seconds retry_after(const Address& address) const;

  // Tokens.
  void failed(const Address& address);
  void succeeded(const Address& address);

  // One password that is being checked. Dropped without a word it counts for nothing. Must not outlive the throttle.
  class Attempt {
   public:
    Attempt(Attempt&& other) noexcept;
    Attempt& operator=(Attempt&&) = delete;
    ~Attempt();

    // Returns how long to hold back the answer.
    base::Duration failed();
    void succeeded();

   private:
    friend class LoginThrottle;
    Attempt(LoginThrottle& throttle, const Address& address, std::string account);

    LoginThrottle* throttle_;  // null once it is over
    Address address_;
    std::string account_;
  };
  // `account` is a user's name as it was typed. Fails with the time after which to try again.
  std::expected<Attempt, std::chrono::seconds> begin(const Address& address, std::string_view account);
  // The account was used from there: where it is no stranger. The name is a valid one, in any case.
  void know(std::string_view account, const Address& address);

  struct Record {
    std::string subject;  // `192.0.2.1`, `2001:db8::/64`, or a user's name in lower case
    bool is_account;
    std::size_t failures;  // since the last ban or good login
    std::optional<base::Timestamp> banned_until;
    base::Timestamp last_attempt;
  };
  // Everything that has failed lately, banned or not: addresses, then accounts.
  std::vector<Record> list() const;
  // Lifts a ban and forgets the address or account, as list names it. False where there is none.
  bool clear_address(std::string_view prefix);
  bool clear_account(std::string_view name);

 private:
  bool exempt(const Address& address) const;
  void count_prefix_failure(const Address& address) __attribute__((requires_capability(mutex_)));
  void count_prefix_success(const Address& address) __attribute__((requires_capability(mutex_)));
  bool knows(std::string_view account, const AddressPrefix& prefix) const __attribute__((requires_capability(mutex_)));
  void remember(std::string_view account, const AddressPrefix& prefix) __attribute__((requires_capability(mutex_)));
  void end(const Address& address) __attribute__((requires_capability(mutex_)));

  const base::Clock& clock_;
  const std::function<bool(const Address&)> exempt_;
  std::atomic<std::size_t> size_{0};  // of prefixes_, so that nobody locks while there are none
  mutable base::Mutex mutex_;
  FailureTable<AddressPrefix, kMaxFailures> prefixes_ __attribute__((guarded_by(mutex_)));
  FailureTable<std::string, kMaxAccountFailures> accounts_ __attribute__((guarded_by(mutex_)));
  std::map<AddressPrefix, std::size_t> under_way_ __attribute__((guarded_by(mutex_)));  // attempts
  // Of accounts that there are: only a good login, or the database, makes one known.
  std::map<std::string, std::deque<AddressPrefix>, std::less<>> known_ __attribute__((guarded_by(mutex_)));
};

}  // namespace hearth::auth
