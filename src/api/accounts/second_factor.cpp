// SPDX-License-Identifier: Apache-2.0
// A user's own second factor: set up, removed, and its recovery codes. Each change needs the password again, or a
// session whose user has logged in a moment ago: a tablet that lies about must not lock its owner out.
#include "api/accounts/second_factor.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "api/accounts/account_reply.h"
#include "api/gateway/connection.h"
#include "api/gateway/message_reader.h"
#include "api/rows.h"
#include "auth/factors/totp.h"

namespace hearth::api {
namespace {

// Clients of this family ask for no password: there these changes follow the login.
constexpr std::chrono::minutes kFreshLogin{10};

json::array code_field() {
  return {json::object{{"type", "string"}, {"name", "code"}, {"required", true}}};
}

CommandResult setup_form(std::string_view flow_id, std::string_view secret, std::string_view home,
                         std::string_view account, std::string_view problem = {}) {
  json::object errors;
  if (!problem.empty()) errors["base"] = problem;
  return base::to_json(
      json::object{{"type", "form"},
                   {"flow_id", flow_id},
                   {"handler", kTotpModule},
                   {"step_id", "init"},
                   {"data_schema", code_field()},
                   {"errors", std::move(errors)},
                   {"description_placeholders",
                    {{"code", auth::to_base32(secret)}, {"url", auth::otpauth_url(secret, home, account)}}},
                   {"last_step", nullptr},
                   {"preview", nullptr}});
}

json::array to_array(const std::vector<std::string>& codes) {
  return json::array(codes.begin(), codes.end());
}

CommandError no_module(std::string_view id) {
  return CommandError("no_module", fmt::format("{} is no module: expected {}.", id, kTotpModule));
}

// Whether the caller's own session began a moment ago.
bool has_just_logged_in(auth::AccountStore& store, const base::Id& user_id, std::string_view token_id,
                        base::Timestamp now) {
  const auto tokens = store.refresh_tokens(user_id);
  if (!tokens) return false;
  const auto own = std::ranges::find(*tokens, token_id, &auth::RefreshToken::id);
  return own != tokens->end() && own->type == auth::TokenType::normal && now - own->created_at < kFreshLogin;
}

// Lets the accounts' thread make the result for a caller who has shown who they are. Fails with
// invalid_current_password.
void confirmed(const CommandCall& call, CommandReply reply, std::optional<std::string> password,
               std::move_only_function<CommandResult(auth::AccountStore&)> make) {
  const auth::Identity& caller = *call.caller;
  if (!password) {
    return reply_from_accounts(
        call.gate, std::move(reply),
        [user_id = caller.user->id, token_id = caller.token_id, now = call.gate.clock().now(),
         make = std::move(make)](auth::AccountStore& store) mutable -> CommandResult {
          if (has_just_logged_in(store, user_id, token_id, now)) return make(store);
          return std::unexpected(
              CommandError(kInvalidPassword, "This needs current_password, or a login of the last ten minutes."));
        });
  }
  auto attempt =
      call.gate.throttle.begin(call.connection.client(), caller.user->name, auth::LoginPurpose::password_change);
  if (!attempt) return reply.send(too_many_logins());
  auto shared = std::make_shared<CommandReply>(std::move(reply));
  const bool posted = call.gate.accounts.post(
      [shared, name = caller.user->name, password = std::move(*password), attempt = std::move(*attempt),
       make = std::move(make)](auth::AccountStore& store) mutable -> auth::Accounts::Reply {
        const auto user = store.verify_password(name, password);
        if (user) {
          attempt.succeeded();
          return {[shared, result = make(store)]() mutable { shared->send(std::move(result)); }};
        }
        if (user.error().code != base::ErrorCode::unauthorized) {
          return {[shared, result = CommandResult(account_failure(user.error()))]() mutable {
            shared->send(std::move(result));
          }};
        }
        return {[shared] {
                  shared->send(std::unexpected(CommandError(kInvalidPassword, "The current password is wrong.")));
                },
                attempt.failed()};
      },
      auth::Accounts::Queue::passwords);
  if (!posted) shared->send(accounts_busy());
}

void begin_setup(const CommandCall& call, CommandReply reply, std::optional<std::string> password) {
  confirmed(call, std::move(reply), std::move(password),
            [&gate = call.gate, user = call.caller->user,
             home = call.home.config()->location_name](auth::AccountStore&) -> CommandResult {
              const auto setup = gate.totp_setups.begin(user->id);
              return setup_form(setup.id, setup.secret, home, user->name);
            });
}

void finish_setup(const CommandCall& call, CommandReply reply, const std::string& flow_id, const json::object& input) {
  std::string code;
  MessageReader in(input, "user_input.");
  in.required("code", code);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  const auto secret = call.gate.totp_setups.find(call.caller->user->id, flow_id);
  if (!secret) {
    return reply.send(
        std::unexpected(CommandError(command_error::kNotFound, "There is no such setup, or it took too long.")));
  }
  reply_from_accounts(call.gate, std::move(reply),
                      [&gate = call.gate, user = call.caller->user, home = call.home.config()->location_name, flow_id,
                       secret = *secret, code](auth::AccountStore& store) -> CommandResult {
                        const auto step = auth::matching_totp_step(secret, code, gate.clock().now(), 0);
                        if (!step) return setup_form(flow_id, secret, home, user->name, "invalid_code");
                        const auto recovery = store.set_totp(user->id, secret, *step);
                        if (!recovery) return account_failure(recovery.error());
                        gate.totp_setups.end(user->id);
                        return base::to_json(json::object{{"type", "create_entry"},
                                                          {"flow_id", flow_id},
                                                          {"handler", kTotpModule},
                                                          {"title", kTotpName},
                                                          {"description", nullptr},
                                                          {"description_placeholders", nullptr},
                                                          {"recovery_codes", to_array(*recovery)}});
                      });
}

// Begins with the module, goes on with the flow and the code. Fails with no_module, not_found.
void set_up_mfa(const CommandCall& call, CommandReply reply) {
  std::optional<std::string> module, flow_id, password;
  json::object input;
  MessageReader in(call.message);
  in.optional("mfa_module_id", module);
  in.optional("flow_id", flow_id);
  in.optional("user_input", input);
  in.optional("current_password", password);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (flow_id) return finish_setup(call, std::move(reply), *flow_id, input);
  if (!module) {
    return reply.send(std::unexpected(
        CommandError(command_error::kInvalidFormat, "mfa_module_id is missing, or flow_id with user_input.")));
  }
  if (*module != kTotpModule) return reply.send(std::unexpected(no_module(*module)));
  begin_setup(call, std::move(reply), std::move(password));
}

// Fails with no_module, not_found.
void remove_mfa(const CommandCall& call, CommandReply reply) {
  std::string module;
  std::optional<std::string> password;
  MessageReader in(call.message);
  in.required("mfa_module_id", module);
  in.optional("current_password", password);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (module != kTotpModule) return reply.send(std::unexpected(no_module(module)));
  confirmed(call, std::move(reply), std::move(password),
            [user_id = call.caller->user->id](auth::AccountStore& store) -> CommandResult {
              const auto removed = store.remove_totp(user_id);
              if (!removed) return account_failure(removed.error());
              return R"("done")";
            });
}

// Fails with not_found.
void renew_recovery_codes(const CommandCall& call, CommandReply reply) {
  std::optional<std::string> password;
  MessageReader in(call.message);
  in.optional("current_password", password);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  confirmed(call, std::move(reply), std::move(password),
            [user_id = call.caller->user->id](auth::AccountStore& store) -> CommandResult {
              const auto codes = store.renew_recovery_codes(user_id);
              if (!codes) return account_failure(codes.error());
              return base::to_json(json::object{{"recovery_codes", to_array(*codes)}});
            });
}

void show_second_factor(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  reply_from_accounts(call.gate, std::move(reply),
                      [user_id = call.caller->user->id](auth::AccountStore& store) -> CommandResult {
                        const auto user = store.find_user_by_id(user_id);
                        if (!user) return account_failure(user.error());
                        const auto left = store.recovery_codes_left(user_id);
                        if (!left) return account_failure(left.error());
                        return base::to_json(json::object{{"totp", user->has_totp}, {"recovery_codes", *left}});
                      });
}

}  // namespace

json::array mfa_modules(const auth::User& user) {
  return {json::object{{"id", kTotpModule}, {"name", kTotpName}, {"enabled", user.has_totp}}};
}

constexpr Command kSecondFactorCommandRows[] = {
    {"auth/setup_mfa", Access::account, set_up_mfa, Durable::no},
    {"auth/depose_mfa", Access::account, remove_mfa, Durable::no},
    {"auth/second_factor", Access::account, show_second_factor, Durable::no},
    {"auth/recovery_codes", Access::account, renew_recovery_codes, Durable::no},
};
constexpr Commands kSecondFactorCommands = kSecondFactorCommandRows;

}  // namespace hearth::api
