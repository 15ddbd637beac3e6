// SPDX-License-Identifier: Apache-2.0
#include "api/accounts/account_reply.h"
#include "api/accounts/confirmation.h"
#include "api/accounts/limits_field.h"
#include "api/accounts/second_factor.h"
#include "api/accounts/signed_path.h"
#include "api/gateway/connection.h"
#include "api/gateway/message_reader.h"
#include "api/rows.h"
#include "base/text/timestamp.h"
#include "core/rights/policy_json.h"

namespace hearth::api {
namespace {

constexpr std::string_view kInvalidTokenId = "invalid_token_id";

json::value time_or_null(const std::optional<base::Timestamp>& time) {
  return time ? json::value(base::to_string(*time)) : json::value();
}

json::value text_or_null(const std::optional<std::string>& text) {
  return text ? json::value(*text) : json::value();
}

// Null: all.
json::value scopes_or_null(const core::Scopes& scopes) {
  if (scopes.all()) return {};
  json::array words;
  for (std::size_t start = 0, end = 0; end != std::string::npos; start = end + 1) {
    const std::string text = scopes.text();
    end = text.find(',', start);
    words.emplace_back(text.substr(start, end == std::string::npos ? end : end - start));
  }
  return words;
}

json::object token_object(const auth::RefreshToken& token, std::string_view current_id) {
  return {
      {"id", token.id},
      {"client_id", text_or_null(token.client_id)},
      {"client_name", text_or_null(token.client_name)},
      {"client_icon", text_or_null(token.client_icon)},
      {"type", to_string(token.type)},
      {"created_at", base::to_string(token.created_at)},
      {"is_current", token.id == current_id},
      {"last_used_at", time_or_null(token.used_at)},
      {"user_agent", token.user_agent.empty() ? json::value() : json::value(token.user_agent)},
      {"last_used_ip", token.used_from.empty() ? json::value() : json::value(token.used_from)},
      {"expire_at", time_or_null(token.expires_at)},
      {"auth_provider_type", "homeassistant"},
      {"scopes", scopes_or_null(token.rights.scopes)},
      {"rights", token.rights.policy ? base::parse_json(core::to_json(*token.rights.policy)).value() : json::value()}};
}

// A user as they see themselves, by a token that may do a part of what they may.
json::object own_user_object(const auth::User& user, const auth::Identity& caller) {
  const core::Rights rights(user.role, user.policy, caller.rights);
  const json::object credentials{{"auth_provider_type", "homeassistant"}, {"auth_provider_id", nullptr}};
  return {{"id", user.id.str()},
          {"name", user.display_name},
          {"is_owner", user.is_owner},
          {"is_admin", rights.administer()},
          {"is_read_only", user.role == auth::Role::reader || !rights.has(core::Scope::control)},
          {"credentials", json::array{json::value(credentials)}},
          {"mfa_modules", mfa_modules(user)},
          {"scopes", scopes_or_null(caller.rights.scopes)}};
}

// Deletes; where that ends the caller's own connection, the result is on its way before.
void delete_and_reply(const CommandCall& call, CommandReply reply, bool current,
                      std::move_only_function<CommandResult(auth::AccountStore&)> remove) {
  if (!current) return reply_from_accounts(call.gate, std::move(reply), std::move(remove));
  run_for_reply(call.gate, std::move(reply),
                [remove = std::move(remove)](auth::AccountStore& store, CommandReply own) mutable {
                  // The token that the caller came with is there: only a failing disk makes this untrue.
                  own.send("{}");
                  static_cast<void>(remove(store));
                });
}

CommandResult current_user(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  // As they are now: who connected may have been renamed since.
  const auth::IdentityPtr now = call.gate.authenticator.find(call.caller->token_id);
  return base::to_json(own_user_object(now ? *now->user : *call.caller->user, *call.caller));
}

void update_current_user(const CommandCall& call, CommandReply reply) {
  std::string name;
  MessageReader in(call.message);
  in.required("name", name);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  reply_from_accounts(call.gate, std::move(reply),
                      [name = std::move(name), caller = call.caller](auth::AccountStore& store) -> CommandResult {
                        const auto user = store.change_user(caller->user->id.str(), {.display_name = name});
                        if (!user) return account_failure(user.error());
                        return base::to_json(own_user_object(*user, *caller));
                      });
}

CommandResult sign_own_path(const CommandCall& call) {
  std::string path;
  std::int64_t expires = 30;
  MessageReader in(call.message);
  in.required("path", path);
  in.optional("expires", expires, 1, kMaxSignedLife.count());
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  const auto with_signature = api::sign_path(call.gate, *call.caller, path, std::chrono::seconds(expires));
  if (!with_signature) return std::unexpected(with_signature.error());
  return base::to_json(json::object{{"path", *with_signature}});
}

// Of the keys `scopes` and `rights`; both null: all that the user may. An administrator's token may be for metrics.
base::Result<core::TokenRights> token_rights(const std::optional<std::vector<std::string>>& scopes,
                                             const json::object* policy, const core::Rights& caller) {
  core::TokenRights rights;
  if (scopes) {
    const auto parsed = core::Scopes::parse(*scopes);
    if (!parsed) return base::fail(base::ErrorCode::invalid, "scopes: " + parsed.error().message);
    if (scopes->empty()) return base::fail(base::ErrorCode::invalid, "scopes: expected one or more; null means all.");
    if (parsed->has(core::Scope::metrics) && !caller.administer())
      return base::fail(base::ErrorCode::forbidden, "scopes: only an administrator makes a token for metrics.");
    rights.scopes = *parsed;
  }
  if (policy) {
    auto parsed = parse_policy(*policy);
    if (!parsed) return std::unexpected(std::move(parsed.error()));
    rights.policy = std::move(*parsed);
  }
  return rights;
}

void create_own_token(const CommandCall& call, CommandReply reply) {
  std::int64_t lifespan = 0;
  std::string name;
  std::optional<std::string> icon;
  std::optional<std::vector<std::string>> scopes;
  json::object policy;
  MessageReader in(call.message);
  in.required("lifespan", lifespan, 1, auth::kMaxTokenLife.count());
  in.required("client_name", name);
  in.optional("client_icon", icon);
  in.optional("scopes", scopes);
  in.optional("rights", policy);
  const bool limited = in.has("rights") && !in.is_null("rights");
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  auto rights = token_rights(scopes, limited ? &policy : nullptr, call.home.rights());
  if (!rights) return reply.send(std::unexpected(CommandError(rights.error())));
  reply_from_accounts(call.gate, std::move(reply),
                      [lifespan, name = std::move(name), icon = std::move(icon), rights = std::move(*rights),
                       user_id = call.caller->user->id](auth::AccountStore& store) -> CommandResult {
                        const auto user = store.find_user_by_id(user_id);
                        if (!user) return account_failure(user.error());
                        const auto token =
                            store.create_token(user->name, name, std::chrono::days(lifespan), icon, rights);
                        if (!token) return account_failure(token.error());
                        return base::to_json(json::value(*token));
                      });
}

void list_own_tokens(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  reply_from_accounts(
      call.gate, std::move(reply),
      [user_id = call.caller->user->id, current = call.caller->token_id](auth::AccountStore& store) -> CommandResult {
        const auto tokens = store.refresh_tokens(user_id);
        if (!tokens) return account_failure(tokens.error());
        json::array list;
        for (const auto& token : *tokens) list.push_back(token_object(token, current));
        return base::to_json(list);
      });
}

// Fails with invalid_token_id.
void delete_own_token(const CommandCall& call, CommandReply reply) {
  std::string token_id;
  MessageReader in(call.message);
  in.required("refresh_token_id", token_id);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  const bool current = token_id == call.caller->token_id;
  delete_and_reply(
      call, std::move(reply), current,
      [user_id = call.caller->user->id, token_id = std::move(token_id)](auth::AccountStore& store) -> CommandResult {
        const auto deleted = store.delete_refresh_token(user_id, token_id);
        if (deleted) return "{}";
        if (deleted.error().code != base::ErrorCode::not_found) return account_failure(deleted.error());
        return std::unexpected(CommandError(kInvalidTokenId, "There is no such refresh token."));
      });
}

void delete_all_own_tokens(const CommandCall& call, CommandReply reply) {
  std::optional<std::string> type_name;
  bool delete_current = true;
  MessageReader in(call.message);
  in.optional("token_type", type_name);
  in.optional("delete_current_token", delete_current);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  std::optional<auth::TokenType> type;
  if (type_name) {
    const auto parsed = auth::parse_token_type(*type_name);
    if (!parsed) return reply.send(std::unexpected(CommandError(parsed.error())));
    type = *parsed;
  }
  const bool current = delete_current && type.value_or(call.caller->type) == call.caller->type;
  delete_and_reply(call, std::move(reply), current,
                   [type, user_id = call.caller->user->id,
                    kept = delete_current ? "" : call.caller->token_id](auth::AccountStore& store) -> CommandResult {
                     const auto deleted = store.delete_refresh_tokens(user_id, type, kept);
                     if (!deleted) return account_failure(deleted.error());
                     return "{}";
                   });
}

// Fails with invalid_current_password.
void change_own_password(const CommandCall& call, CommandReply reply) {
  std::string old_password, password;
  bool revoke_tokens = false;
  MessageReader in(call.message);
  in.required("current_password", old_password);
  in.required("new_password", password);
  in.optional("revoke_tokens", revoke_tokens);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  auto attempt =
      call.gate.throttle.begin(call.connection.client(), call.caller->user->name, auth::LoginPurpose::password_change);
  if (!attempt) return reply.send(too_many_logins());
  auto shared = std::make_shared<CommandReply>(std::move(reply));
  const bool posted = call.gate.accounts.post(
      [shared, old_password = std::move(old_password), password = std::move(password), attempt = std::move(*attempt),
       user_id = call.caller->user->id, kept = call.caller->token_id,
       revoke_tokens](auth::AccountStore& store) mutable -> auth::Accounts::Reply {
        const auto changed = store.change_password(user_id, old_password, password, {kept, revoke_tokens});
        if (changed) {
          attempt.succeeded();
          return {[shared] { shared->send("{}"); }};
        }
        CommandResult result = account_failure(changed.error());
        base::Duration hold{0};
        if (changed.error().code == base::ErrorCode::unauthorized) {
          hold = attempt.failed();
          result = std::unexpected(CommandError(kInvalidPassword, changed.error().message));
        }
        return {[shared, result = std::move(result)]() mutable { shared->send(std::move(result)); }, hold};
      });
  if (!posted) shared->send(accounts_busy());
}

}  // namespace

constexpr Command kOwnTokenCommandRows[] = {
    {"auth/current_user", Access::any, current_user, Durable::no},
    {"auth/update_current_user", Access::account, update_current_user, Durable::no},
    {"auth/sign_path", Access::user, sign_own_path, Durable::no},
    {"auth/long_lived_access_token", Access::account, create_own_token, Durable::no},
    {"auth/refresh_tokens", Access::account, list_own_tokens, Durable::no},
    {"auth/delete_refresh_token", Access::account, delete_own_token, Durable::no},
    {"auth/delete_all_refresh_tokens", Access::account, delete_all_own_tokens, Durable::no},
    {"config/auth_provider/homeassistant/change_password", Access::account, change_own_password, Durable::no},
};
constexpr Commands kOwnTokenCommands = kOwnTokenCommandRows;

}  // namespace hearth::api
