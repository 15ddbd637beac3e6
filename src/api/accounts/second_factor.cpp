// SPDX-License-Identifier: Apache-2.0
// A user's own authenticator app: set up, removed, and its recovery codes.
#include "api/accounts/second_factor.h"

#include <fmt/format.h>

#include "api/accounts/account_reply.h"
#include "api/accounts/confirmation.h"
#include "api/gateway/message_reader.h"
#include "api/rows.h"
#include "auth/factors/totp.h"

namespace hearth::api {
namespace {

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

void begin_setup(const CommandCall& call, CommandReply reply, std::optional<std::string> password) {
  reply_if_confirmed(call, std::move(reply), std::move(password),
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
  reply_if_confirmed(call, std::move(reply), std::move(password),
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
  reply_if_confirmed(call, std::move(reply), std::move(password),
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
