// SPDX-License-Identifier: Apache-2.0
#include "api/accounts/account_reply.h"
#include "api/accounts/limits_field.h"
#include "api/gateway/message_reader.h"
#include "api/rows.h"

namespace hearth::api {
namespace {

json::object user_object(const auth::User& user) {
  json::object object{{"id", user.id.str()},
                      {"username", user.name},
                      {"name", user.display_name},
                      {"is_owner", user.is_owner},
                      {"is_active", user.active},
                      {"local_only", false},
                      {"system_generated", false},
                      {"has_second_factor", user.has_totp},
                      {"credentials", json::array{json::value(json::object{{"type", "homeassistant"}})}}};
  add_limits(object, user.role, user.policy, user.ends_at);
  return object;
}

CommandResult user_result(const base::Result<auth::User>& user) {
  if (!user) return account_failure(user.error());
  return base::to_json(json::object{{"user", user_object(*user)}});
}

// Fields that create and update have in common; a user who may log in only from the home's network is not known here.
base::Result<Limits> finish_user(MessageReader& in) {
  bool local_only = false;
  in.optional("local_only", local_only);
  auto limits = finish_limits(in);
  if (limits && local_only)
    return base::fail(base::ErrorCode::invalid, "local_only: expected false; the hub has no such users.");
  return limits;
}

void list_users(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  reply_from_accounts(call.gate, std::move(reply), [](auth::AccountStore& store) -> CommandResult {
    const auto users = store.users();
    if (!users) return account_failure(users.error());
    json::array list;
    for (const auto& user : *users) list.push_back(user_object(user));
    return base::to_json(list);
  });
}

// Clients of this family give a name now and what to log in with later; until then nobody can.
void create_user(const CommandCall& call, CommandReply reply) {
  auth::NewUser user;
  std::optional<std::string> username;
  MessageReader in(call.message);
  in.required("name", user.display_name);
  in.optional("username", username);
  in.optional("password", user.password);
  auto limits = finish_user(in);
  if (!limits) return reply.send(std::unexpected(limits.error()));
  user.role = limits->role.value_or(auth::Role::user);
  user.policy = std::move(limits->policy).value_or(nullptr);
  user.ends_at = limits->ends_at.value_or(std::nullopt);
  user.name = username.value_or(user.display_name);
  reply_from_accounts(call.gate, std::move(reply), [user = std::move(user)](auth::AccountStore& store) {
    return user_result(store.add_user(user));
  });
}

void update_user(const CommandCall& call, CommandReply reply) {
  std::string user_id;
  auth::UserChanges changes;
  MessageReader in(call.message);
  in.required("user_id", user_id);
  in.optional("name", changes.display_name);
  in.optional("is_active", changes.active);
  auto limits = finish_user(in);
  if (!limits) return reply.send(std::unexpected(limits.error()));
  changes.role = limits->role;
  changes.policy = std::move(limits->policy);
  changes.ends_at = limits->ends_at;
  reply_from_accounts(call.gate, std::move(reply),
                      [user_id = std::move(user_id), changes = std::move(changes)](auth::AccountStore& store) {
                        return user_result(store.change_user(user_id, changes));
                      });
}

// Fails with no_self_delete.
void delete_user(const CommandCall& call, CommandReply reply) {
  std::string user_id;
  MessageReader in(call.message);
  in.required("user_id", user_id);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (user_id == call.caller->user->id) {
    return reply.send(std::unexpected(CommandError("no_self_delete", "Nobody can delete themselves.")));
  }
  reply_from_accounts(call.gate, std::move(reply),
                      [user_id = std::move(user_id)](auth::AccountStore& store) -> CommandResult {
                        const auto deleted = store.delete_user(user_id);
                        if (!deleted) return account_failure(deleted.error());
                        return "null";
                      });
}

void set_user_login(const CommandCall& call, CommandReply reply) {
  std::string user_id, username, password;
  bool revoke_tokens = false;
  MessageReader in(call.message);
  in.required("user_id", user_id);
  in.required("username", username);
  in.required("password", password);
  in.optional("revoke_tokens", revoke_tokens);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  reply_from_accounts(call.gate, std::move(reply),
                      [user_id = std::move(user_id), username = std::move(username), password = std::move(password),
                       kept = call.caller->token_id, revoke_tokens](auth::AccountStore& store) -> CommandResult {
                        const auto set = store.set_login(user_id, username, password, {kept, revoke_tokens});
                        if (!set) return account_failure(set.error());
                        return "null";
                      });
}

void set_user_password(const CommandCall& call, CommandReply reply) {
  std::string user_id, password;
  bool revoke_tokens = false;
  MessageReader in(call.message);
  in.required("user_id", user_id);
  in.required("password", password);
  in.optional("revoke_tokens", revoke_tokens);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  reply_from_accounts(call.gate, std::move(reply),
                      [user_id = std::move(user_id), password = std::move(password), kept = call.caller->token_id,
                       revoke_tokens](auth::AccountStore& store) -> CommandResult {
                        const auto user = store.find_user_by_id(user_id);
                        if (!user) return account_failure(user.error());
                        const auto set = store.set_password(user->name, password, {kept, revoke_tokens});
                        if (!set) return account_failure(set.error());
                        return "null";
                      });
}

void view_as_user(const CommandCall& call, CommandReply reply) {
  std::string user_id;
  MessageReader in(call.message);
  in.required("user_id", user_id);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  reply_from_accounts(call.gate, std::move(reply),
                      [user_id = std::move(user_id),
                       viewer_id = call.caller->user->id.str()](auth::AccountStore& store) -> CommandResult {
                        const auto token = store.create_view_token(viewer_id, user_id);
                        if (!token) return account_failure(token.error());
                        const std::chrono::seconds life = auth::kViewLife;
                        return base::to_json(json::object{{"access_token", *token}, {"expires_in", life.count()}});
                      });
}

// For who has lost the authenticator app and the recovery codes, or a phone: the password alone lets them in again.
void reset_second_factor(const CommandCall& call, CommandReply reply) {
  std::string user_id;
  MessageReader in(call.message);
  in.required("user_id", user_id);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  reply_from_accounts(call.gate, std::move(reply),
                      [user_id = std::move(user_id)](auth::AccountStore& store) -> CommandResult {
                        const auto removed = store.remove_factors(user_id);
                        if (!removed) return account_failure(removed.error());
                        return "null";
                      });
}

}  // namespace

constexpr Command kUserCommandRows[] = {
    {"config/auth/list", Access::admin, list_users, Durable::no},
    {"config/auth/create", Access::admin, create_user, Durable::no},
    {"config/auth/update", Access::admin, update_user, Durable::no},
    {"config/auth/delete", Access::admin, delete_user, Durable::no},
    {"config/auth/view_as", Access::admin, view_as_user, Durable::no},
    {"config/auth/reset_mfa", Access::admin, reset_second_factor, Durable::no},
    {"config/auth_provider/homeassistant/create", Access::admin, set_user_login, Durable::no},
    {"config/auth_provider/homeassistant/admin_change_password", Access::admin, set_user_password, Durable::no},
};
constexpr Commands kUserCommands = kUserCommandRows;

}  // namespace hearth::api
