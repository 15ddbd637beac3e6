// SPDX-License-Identifier: Apache-2.0
// All that decides who may come in, wired once: tokens, accounts, logins under way, and what slows down those who
// guess.
//
// Each part says what may be called from which thread; log_in may from any.
#pragma once

#include <chrono>
#include <expected>
#include <filesystem>
#include <functional>
#include <string>

#include "auth/accounts.h"
#include "auth/authenticator.h"
#include "auth/authorization_codes.h"
#include "auth/first_user_code.h"
#include "auth/login_flows.h"
#include "auth/login_throttle.h"
#include "auth/path_signer.h"
#include "base/result.h"

namespace hearth::auth {

struct LoginFailure {
  base::Error error;                    // unauthorized: wrong name or password; throttled; unavailable: too much to do
  std::chrono::seconds retry_after{0};  // where throttled
};
using LoginResult = std::expected<User, LoginFailure>;

class Gate {
 public:
  // `clock` must outlive it; `exempt` is LoginThrottle's.
  explicit Gate(const base::Clock& clock, std::function<bool(const Address&)> exempt = {}, AccountLimits limits = {});

  // Opens the accounts, once, before all else.
  base::Result<void> open(const std::filesystem::path& file);

  const base::Clock& clock() const { return clock_; }

  // Checks a password for who asks from the address, under the throttle's rules. `then` is called once: before log_in
  // returns where nothing is checked, else on the accounts' thread; never where the accounts stop first.
  void log_in(const Address& from, std::string name, std::string password,
              std::move_only_function<void(LoginResult)> then);

  Authenticator authenticator;
  LoginThrottle throttle;
  AuthorizationCodes codes;
  LoginFlows flows;
  PathSigner signer;
  const FirstUserCode first_user_code;
  Accounts accounts;  // last: its thread uses the others

 private:
  const base::Clock& clock_;
};

}  // namespace hearth::auth
