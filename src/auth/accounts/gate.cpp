// SPDX-License-Identifier: Apache-2.0
#include "auth/accounts/gate.h"

#include <fmt/format.h>

#include <memory>

#include "audit/kinds.h"
#include "auth/factors/totp.h"
#include "base/log/log.h"

namespace hearth::auth {
namespace {

LoginFailure throttled(std::chrono::seconds rest) {
  return {{base::ErrorCode::throttled, fmt::format("Too many failed logins. Try again in {} seconds.", rest.count())},
          rest};
}

LoginFailure too_busy() {
  return {{base::ErrorCode::unavailable, "The hub has too many logins to check now. Try again soon."}};
}

}  // namespace

Gate::Gate(const base::Clock& clock, std::function<bool(const Address&)> exempt, AccountLimits limits)
    : authenticator(clock),
      throttle(clock, std::move(exempt)),
      codes(clock),
      flows(clock),
      totp_setups(clock),
      passkey_setups(clock),
      signer(clock),
      accounts(authenticator, clock, limits),
      clock_(clock) {
  accounts.on_flush([this](AccountStore& store) { return keep_failures(store); });
}

base::Result<void> Gate::open(const std::filesystem::path& file) {
  if (auto opened = accounts.open(file); !opened) return opened;
  auto store = AccountStore::open(file, clock_);
  if (!store) return std::unexpected(std::move(store.error()));
  const auto places = store->known_places();
  if (!places) return std::unexpected(places.error());
  for (const auto& place : *places) {
    boost::system::error_code error;
    const Address address = boost::asio::ip::make_address(place.address, error);
    if (!error) throttle.know(place.folded_name, address);
  }
  return {};
}

void Gate::record_in(audit::Log& log) {
  audit = &log;
  throttle.on_failure([&log](const Address& from, std::string_view account, LoginPurpose purpose) {
    log.count({.what = std::string(audit::kind::kLoginFailed),
               .subject = std::string(to_string(purpose)),
               .user = std::string(account)},
              from);
  });
  accounts.on_use([this, &log](const TokenUse& use) {
    audit::Entry entry{
        .what = std::string(audit::kind::kNewAddress), .subject = use.token_id, .address = use.used_from};
    if (const auto identity = authenticator.find(use.token_id)) {
      entry.user_id = identity->user->id.str();
      entry.user = identity->user->name;
    }
    log.note_place(std::move(entry));
  });
}

void Gate::note(std::string_view what, std::string_view subject, const User& user, std::string_view from,
                std::string_view client) {
  if (!audit) return;
  audit->note({.what = std::string(what),
               .subject = std::string(subject),
               .user_id = std::string(user.id.str()),
               .user = user.name,
               .address = std::string(from),
               .client = std::string(client)});
}

std::optional<LoginFlows::Passed> Gate::owed_factor(const User& user) const {
  LoginFlows::Passed passed{user.id, user.name, user.password_version};
  if (user.has_totp) return passed;
  const bool demanded =
      second_factor_demand == SecondFactorDemand::all ||
      (second_factor_demand == SecondFactorDemand::administrators && user.role == Role::administrator);
  if (!demanded) return {};
  passed.secret = make_totp_secret();
  return passed;
}

void Gate::log_in(const Address& from, std::string name, std::string password,
                  std::move_only_function<void(LoginResult)> then) {
  auto verify = [name, password = std::move(password)](AccountStore& store) {
    return store.verify_password(name, password);
  };
  check(from, std::move(name), LoginPurpose::login, std::move(verify), std::move(then));
}

void Gate::check_second_factor(const Address& from, LoginFlows::Passed passed, std::string code,
                               std::move_only_function<void(LoginResult)> then) {
  std::string name = passed.name;
  auto verify = [this, passed = std::move(passed), code = std::move(code),
                 address = from.to_string()](AccountStore& store) -> base::Result<User> {
    auto user = store.find_user_by_id(passed.user_id);
    if (!user) return user;
    const auto refused = [] { return base::fail(base::ErrorCode::unauthorized, "The code is wrong."); };
    // A password that was changed meanwhile, or an app that came or went, needs a login from the beginning.
    if (!user->may_enter(clock_.now()) || user->password_version != passed.password_version) return refused();
    if (passed.secret.empty() == !user->has_totp) return refused();
    if (passed.secret.empty()) return store.verify_second_factor(user->id, code);
    const auto step = matching_totp_step(passed.secret, code, clock_.now(), 0);
    if (!step) return refused();
    if (auto set = store.set_totp(user->id, passed.secret, *step); !set) return std::unexpected(std::move(set.error()));
    note(audit::kind::kFactorSet, {}, *user, address);
    return store.find_user_by_id(user->id);
  };
  check(from, std::move(name), LoginPurpose::second_factor, std::move(verify), std::move(then));
}

void Gate::log_in_by_passkey(const Address& from, std::string key_id, PasskeyChallenge asked, PasskeyAnswer answer,
                             std::move_only_function<void(LoginResult)> then) {
  if (const auto rest = throttle.retry_after(from); rest.count() > 0) return then(std::unexpected(throttled(rest)));
  auto shared = std::make_shared<std::move_only_function<void(LoginResult)>>(std::move(then));
  const bool posted = accounts.post(
      [this, from, key_id = std::move(key_id), asked = std::move(asked), answer = std::move(answer),
       shared](AccountStore& store) -> Accounts::Reply {
        auto user = store.verify_passkey(key_id, asked, answer);
        if (user) {
          throttle.succeeded(from);
          note(audit::kind::kLogin, to_string(LoginPurpose::passkey), *user, from.to_string());
          return {[shared, user = std::move(*user)]() mutable { (*shared)(std::move(user)); }};
        }
        if (user.error().code == base::ErrorCode::conflict) {
          if (const auto owner = store.find_user_by_passkey(key_id))
            note(audit::kind::kPasskeyClosed, key_id, *owner, from.to_string());
          user.error().code = base::ErrorCode::unauthorized;
        }
        if (user.error().code == base::ErrorCode::unauthorized) {
          throttle.failed(from, LoginPurpose::passkey);
        } else if (user.error().code != base::ErrorCode::unavailable) {
          base::log_error("auth", "{}", user.error().message);
          user.error() = {base::ErrorCode::internal, "Internal error."};
        }
        return {[shared, error = std::move(user.error())]() mutable {
          (*shared)(std::unexpected(LoginFailure{std::move(error)}));
        }};
      },
      Accounts::Queue::passwords);
  if (!posted) (*shared)(std::unexpected(too_busy()));
}

// `verify` runs on the accounts' thread.
void Gate::check(const Address& from, std::string name, LoginPurpose purpose,
                 std::move_only_function<base::Result<User>(AccountStore&)> verify,
                 std::move_only_function<void(LoginResult)> then) {
  auto attempt = throttle.begin(from, name, purpose);
  if (!attempt) return then(std::unexpected(throttled(attempt.error())));
  auto shared = std::make_shared<std::move_only_function<void(LoginResult)>>(std::move(then));
  const bool posted = accounts.post(
      [this, attempt = std::move(*attempt), name = std::move(name), from, purpose, verify = std::move(verify),
       shared](AccountStore& store) mutable -> Accounts::Reply {
        auto user = verify(store);
        if (user) {
          // The right password alone does not end a series of wrong codes.
          if (purpose == LoginPurpose::second_factor || !owed_factor(*user)) {
            attempt.succeeded();
            note(audit::kind::kLogin, to_string(purpose), *user, from.to_string());
            auto kept = keep_failures(store);
            if (kept) kept = store.close_failed_logins(name);
            if (!kept) base::log_error("auth", "{}", kept.error().message);
          }
          return {[shared, user = std::move(*user)]() mutable { (*shared)(std::move(user)); }};
        }
        const bool guessed = user.error().code == base::ErrorCode::unauthorized;
        const base::Duration hold = guessed ? attempt.failed() : base::Duration(0);
        if (!guessed) {
          base::log_error("auth", "{}", user.error().message);
          const bool fails = user.error().code == base::ErrorCode::unavailable;
          user.error() = fails ? base::Error{user.error().code, std::string(kDatabaseFails)}
                               : base::Error{base::ErrorCode::internal, "Internal error."};
        }
        return {[shared, error = std::move(user.error())]() mutable {
                  (*shared)(std::unexpected(LoginFailure{std::move(error)}));
                },
                hold};
      },
      Accounts::Queue::passwords);
  if (!posted) (*shared)(std::unexpected(too_busy()));
}

}  // namespace hearth::auth
