// SPDX-License-Identifier: Apache-2.0
// A failed login as people read it later. Any thread.
//
// The same failure again, within kTogether of the last and kLongest of the first, is counted in its record instead of
// making another one, until the account's next successful login.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "auth/address_prefix.h"
#include "base/clock.h"
#include "base/mutex.h"

namespace hearth::auth {

// The object that the client tried to get.
enum class LoginPurpose {
  login,            // a session, with a password
  password_change,  // with the old password
  api,              // a request, with a token
  websocket,        // a WebSocket, with a token
  first_user,       // with the code from the log
  second_factor,    // a session, after the right password
  passkey,          // a session, with a passkey
  invitation,       // an account, with an invitation
};
std::string_view to_string(LoginPurpose purpose);

struct FailedLogin {
  static constexpr std::chrono::minutes kTogether{10};
  static constexpr std::chrono::minutes kLongest{60};
  static constexpr std::int64_t kMaxKept = 1'000;  // in home.db; beyond, the oldest is forgotten

  std::int64_t id = 0;  // of the stored record
  base::Timestamp first;
  base::Timestamp last;
  std::string address;
  std::string account;  // the name in lower case, as typed; empty if none was given, or no account can have it
  std::string purpose;
  std::int64_t failures = 1;
};

// Collects them on the threads where they happen, for the one that writes them.
class FailedLogins {
 public:
  static constexpr std::size_t kMaxWaiting = 256;  // beyond, those of further addresses are not recorded

  void note(const Address& address, std::string_view account, LoginPurpose purpose, base::Timestamp now);
  // In the order of address, account and purpose.
  std::vector<FailedLogin> drain();

 private:
  using Key = std::tuple<std::string, std::string, LoginPurpose>;

  base::Mutex mutex_;
  std::map<Key, FailedLogin> waiting_ __attribute__((guarded_by(mutex_)));
};

}  // namespace hearth::auth
