// SPDX-License-Identifier: Apache-2.0
// Slows down guessing of passwords and tokens (contract, Tokens and rights: failed logins).
//
// Addresses: kMaxFailures failed logins from one address prefix within kWindow, by password or token, ban it for
// kFirstBan; each further ban lasts twice as long, up to kLongestBan, until an hour without a failure resets that. A
// banned prefix gets 429 only. Loopback and exempt addresses are never banned.
//
// Accounts: kMaxAccountFailures wrong passwords for one account within kWindow, from any addresses, close its login for
// as long as an address would be banned, except from loopback, exempt addresses and the last kKnownPrefixes prefixes
// from which the account was used: its owner can always log in. Names without an account are counted in the same way,
// so that nobody learns which exist.
//
// Delays: from the fourth failure within kWindow, of the address or of the account, every answer is held back: for
// kFirstHold, then twice as long each time, up to kLongestHold. A prefix has at most as many running attempts as it has
// failures left, so that parallel guesses gain nothing.
//
// A successful login resets the failures that have not led to a ban; `drain_failures` still returns them.
//
// Any thread. Takes nanoseconds if nobody has failed recently. Remembers at most kMaxPrefixes addresses and
// kMaxAccounts names; beyond, the one whose last failure is oldest is forgotten.
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
#include "auth/failed_login.h"
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

  // `exempt` says which further addresses are never banned, such as trusted proxies; it is called on any thread, with
  // mapped IPv4 addresses as IPv4. `clock` must outlive the throttle.
  explicit LoginThrottle(const base::Clock& clock, std::function<bool(const Address&)> exempt = {});

  bool banned(const Address& address) const { return retry_after(address).count() > 0; }
  // The rest of the ban; zero if there is none.
  std::chrono::seconds retry_after(const Address& address) const;

  // Call before the first of the others. The callback is called for each failure, on its thread; `account` is empty
  // unless it has been used before: names that no account has may be passwords typed into the wrong field.
  using OnFailure = std::function<void(const Address&, std::string_view account, LoginPurpose)>;
  void on_failure(OnFailure callback) { on_failure_ = std::move(callback); }

  // Failed tokens and codes.
  void failed(const Address& address, LoginPurpose purpose = LoginPurpose::api);
  void succeeded(const Address& address);

  // A password that is being checked. If dropped, it counts as nothing. Must not outlive the throttle.
  class Attempt {
   public:
    Attempt(Attempt&& other) noexcept;
    Attempt& operator=(Attempt&&) = delete;
    ~Attempt();

    // Returns how long to hold the answer back.
    base::Duration failed();
    void succeeded();

   private:
    friend class LoginThrottle;
    Attempt(LoginThrottle& throttle, const Address& address, std::string account, LoginPurpose purpose);

    LoginThrottle* throttle_;  // null after its end
    Address address_;
    std::string account_;
    LoginPurpose purpose_;
  };
  // `account` is a user's name as typed. Fails with the time after which to try again.
  std::expected<Attempt, std::chrono::seconds> begin(const Address& address, std::string_view account,
                                                     LoginPurpose purpose = LoginPurpose::login);
  // Records that the account was used from there. The name is valid, in any case.
  void know(std::string_view account, const Address& address);

  struct Record {
    std::string subject;  // `192.0.2.1`, `2001:db8::/64`, or a user's name in lower case
    bool is_account;
    std::size_t failures;  // since the last ban or good login
    std::optional<base::Timestamp> banned_until;
    base::Timestamp last_attempt;
  };
  // Everything that failed recently, banned or not: addresses, then accounts.
  std::vector<Record> list() const;
  // Lifts a ban and forgets the address or account, named as in list. False if it is not listed.
  bool clear_address(std::string_view prefix);
  bool clear_account(std::string_view name);

  // Every failure since the last call, for whoever writes them.
  std::vector<FailedLogin> drain_failures() { return failures_.drain(); }

 private:
  bool exempt(const Address& address) const;
  bool was_used(std::string_view account) const;
  void count_prefix_failure(const Address& address) __attribute__((requires_capability(mutex_)));
  void count_prefix_success(const Address& address) __attribute__((requires_capability(mutex_)));
  bool knows(std::string_view account, const AddressPrefix& prefix) const __attribute__((requires_capability(mutex_)));
  void remember(std::string_view account, const AddressPrefix& prefix) __attribute__((requires_capability(mutex_)));
  void end(const Address& address) __attribute__((requires_capability(mutex_)));

  const base::Clock& clock_;
  const std::function<bool(const Address&)> exempt_;
  OnFailure on_failure_ = [](const Address&, std::string_view, LoginPurpose) {};
  FailedLogins failures_;
  std::atomic<std::size_t> size_{0};  // of prefixes_, so that nobody locks while there are none
  mutable base::Mutex mutex_;
  FailureTable<AddressPrefix, kMaxFailures> prefixes_ __attribute__((guarded_by(mutex_)));
  FailureTable<std::string, kMaxAccountFailures> accounts_ __attribute__((guarded_by(mutex_)));
  std::map<AddressPrefix, std::size_t> running_ __attribute__((guarded_by(mutex_)));  // running attempts
  // Existing accounts only: only a good login, or the database, adds one.
  std::map<std::string, std::deque<AddressPrefix>, std::less<>> known_ __attribute__((guarded_by(mutex_)));
};

}  // namespace hearth::auth
