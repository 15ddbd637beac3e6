// SPDX-License-Identifier: Apache-2.0
// Everything that decides who may log in, wired once: tokens, accounts, login flows, and the throttle.
//
// Each part says which threads may call it; log_in may be called from any.
#pragma once

#include <chrono>
#include <expected>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "audit/log.h"
#include "auth/accounts/accounts.h"
#include "auth/authenticator.h"
#include "auth/authorization_codes.h"
#include "auth/factors/passkey_setups.h"
#include "auth/factors/totp_setups.h"
#include "auth/first_user_code.h"
#include "auth/login_flows.h"
#include "auth/login_throttle.h"
#include "auth/path_signer.h"
#include "base/result.h"

namespace hearth::auth {

// Of a failure of home.db, whose reason is for the log.
constexpr std::string_view kDatabaseFails = "The hub cannot read or write its database now; its log says why.";

struct LoginFailure {
  base::Error error;  // unauthorized: wrong name, password or code; throttled; unavailable: queue full
  std::chrono::seconds retry_after{0};  // if throttled
};
using LoginResult = std::expected<User, LoginFailure>;

// The users of whom a second factor is demanded. Who has one is always asked for it.
enum class SecondFactorDemand { optional, administrators, all };

class Gate {
 public:
  // `clock` must outlive this; `exempt` is LoginThrottle's.
  explicit Gate(const base::Clock& clock, std::function<bool(const Address&)> exempt = {}, AccountLimits limits = {});

  // Opens the accounts; call once, before anything else.
  base::Result<void> open(const std::filesystem::path& file);

  const base::Clock& clock() const { return clock_; }

  // Checks a password sent from the address, under the throttle's rules. `then` is called once: before log_in returns
  // if nothing is checked, otherwise on the accounts' thread; never if the accounts stop first. Who owes a
  // factor then has not logged in yet, and the throttle forgets no failure.
  void log_in(const Address& from, std::string name, std::string password,
              std::move_only_function<void(LoginResult)> then);
  // Checks what a passkey has signed, as log_in checks a password, but no account is closed by what strangers send: a
  // signature cannot be guessed.
  void log_in_by_passkey(const Address& from, std::string key_id, PasskeyChallenge asked, PasskeyAnswer answer,
                         std::move_only_function<void(LoginResult)> then);

  // The factor that the user still owes after the password: a code of the authenticator app, or of a new one where the
  // home demands one. Nothing if the password is enough.
  std::optional<LoginFlows::Passed> owed_factor(const User& user) const;

  // Checks the code as log_in checks a password: as a guess under the same rules. Where an app is being set up, its
  // first code keeps it.
  void check_second_factor(const Address& from, LoginFlows::Passed passed, std::string code,
                           std::move_only_function<void(LoginResult)> then);

  // Writes what the throttle has seen fail. On the accounts' thread: the store is theirs.
  base::Result<void> keep_failures(AccountStore& store) { return store.note_failed_logins(throttle.drain_failures()); }

  Authenticator authenticator;
  LoginThrottle throttle;
  AuthorizationCodes codes;
  LoginFlows flows;
  TotpSetups totp_setups;
  PasskeySetups passkey_setups;
  PathSigner signer;
  const FirstUserCode first_user_code;
  // Set before the first request. Null: nothing is recorded.
  audit::Log* audit = nullptr;
  // Sets it, and lets failed logins and new addresses of tokens be recorded, too.
  void record_in(audit::Log& log);
  // On the accounts' thread, after it happened: it goes on even if it cannot be recorded. `from` is empty if unknown.
  void note(std::string_view what, std::string_view subject, const User& user, std::string_view from,
            std::string_view client = {});
  // Set before the first request: who makes the first user needs the code at home, too, because addresses do not say
  // who is at home, as behind the network of containers.
  bool code_for_all = false;
  UseLimits use_limits;  // likewise
  // Set before the first request.
  SecondFactorDemand second_factor_demand = SecondFactorDemand::optional;
  Accounts accounts;  // last: its thread uses the others

 private:
  void check(const Address& from, std::string name, LoginPurpose purpose,
             std::move_only_function<base::Result<User>(AccountStore&)> verify,
             std::move_only_function<void(LoginResult)> then);

  const base::Clock& clock_;
};

}  // namespace hearth::auth
