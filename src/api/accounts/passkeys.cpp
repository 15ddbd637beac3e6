// SPDX-License-Identifier: Apache-2.0
// A user's own passkeys: added, listed and removed. Logging in with one is a login flow.
#include <algorithm>
#include <iterator>

#include "api/accounts/account_reply.h"
#include "api/accounts/confirmation.h"
#include "api/gateway/message_reader.h"
#include "api/rows.h"
#include "auth/factors/passkey.h"
#include "base/text/timestamp.h"

namespace hearth::api {
namespace {

json::array credential_list(const std::vector<auth::NamedPasskey>& keys) {
  json::array list;
  for (const auto& key : keys) list.push_back(json::object{{"type", "public-key"}, {"id", key.id}});
  return list;
}

// As navigator.credentials.create takes them (Web Authentication §5.4), bytes in base64url.
json::object creation_options(const auth::PasskeyChallenge& challenge, const auth::User& user, std::string_view home,
                              const std::vector<auth::NamedPasskey>& known) {
  json::array algorithms;
  for (const int algorithm : auth::kPasskeyAlgorithms) {
    algorithms.push_back(json::object{{"type", "public-key"}, {"alg", algorithm}});
  }
  return {{"challenge", auth::to_base64url(challenge.bytes)},
          {"rp", {{"id", challenge.party.id}, {"name", home}}},
          {"user", {{"id", auth::to_base64url(user.id)}, {"name", user.name}, {"displayName", user.display_name}}},
          {"pubKeyCredParams", std::move(algorithms)},
          {"timeout", 60'000},
          {"attestation", "none"},
          {"authenticatorSelection", {{"residentKey", "required"}, {"userVerification", "required"}}},
          {"excludeCredentials", credential_list(known)}};
}

// Fails with invalid_format, where the page at this origin can have none; with invalid_current_password.
void begin_passkey(const CommandCall& call, CommandReply reply) {
  std::string origin;
  std::optional<std::string> password;
  MessageReader in(call.message);
  in.required("origin", origin);
  in.optional("current_password", password);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (!auth::passkeys_available()) {
    return reply.send(std::unexpected(
        CommandError(command_error::kHomeAssistantError, "This hub has no libfido2, which passkeys need.")));
  }
  const auto config = call.home.config();
  auto party = auth::relying_party(origin, config->external_url);
  if (!party) return reply.send(std::unexpected(party.error()));
  reply_if_confirmed(call, std::move(reply), std::move(password),
                     [&gate = call.gate, user = call.caller->user, home = config->location_name,
                      party = std::move(*party)](auth::AccountStore& store) mutable -> CommandResult {
                       const auto known = store.passkeys(user->id);
                       if (!known) return account_failure(known.error());
                       const auto challenge = gate.passkey_setups.begin(user->id, std::move(party));
                       return base::to_json(creation_options(challenge, *user, home, *known));
                     });
}

// Fails with not_found, where nothing was begun; with invalid_format, which says what is wrong with the key.
void add_passkey(const CommandCall& call, CommandReply reply) {
  std::string name, client_data, authenticator_data;
  MessageReader in(call.message);
  in.required("name", name);
  in.required("client_data", client_data);
  in.required("authenticator_data", authenticator_data);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  const auto asked = call.gate.passkey_setups.take(call.caller->user->id);
  if (!asked) {
    return reply.send(std::unexpected(
        CommandError(command_error::kNotFound, "No passkey is being added, or it took longer than a minute.")));
  }
  auth::PasskeyAnswer answer;
  for (const auto& [key, text, into] :
       {std::tuple("client_data", &client_data, &answer.client_data),
        std::tuple("authenticator_data", &authenticator_data, &answer.authenticator_data)}) {
    auto bytes = auth::from_base64url(*text);
    if (!bytes) {
      return reply.send(std::unexpected(
          base::Error(base::ErrorCode::invalid, std::string(key) + ": " + bytes.error().message + ".")));
    }
    *into = std::move(*bytes);
  }
  auto key = auth::register_passkey(*asked, answer);
  if (!key) return reply.send(std::unexpected(key.error()));
  reply_from_accounts(call.gate, std::move(reply),
                      [name = std::move(name), key = std::move(*key),
                       user_id = call.caller->user->id](auth::AccountStore& store) -> CommandResult {
                        const auto added = store.add_passkey(user_id, name, key);
                        if (!added) return account_failure(added.error());
                        return "null";
                      });
}

void list_passkeys(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  reply_from_accounts(
      call.gate, std::move(reply), [user_id = call.caller->user->id](auth::AccountStore& store) -> CommandResult {
        const auto keys = store.passkeys(user_id);
        if (!keys) return account_failure(keys.error());
        json::array list;
        for (const auto& key : *keys) {
          list.push_back(
              json::object{{"passkey_id", key.id},
                           {"name", key.name},
                           {"created_at", base::to_string(key.created_at)},
                           {"last_used_at", key.used_at ? json::value(base::to_string(*key.used_at)) : json::value()},
                           {"closed", key.closed}});
        }
        return base::to_json(list);
      });
}

// Fails with not_found, invalid_current_password.
void remove_passkey(const CommandCall& call, CommandReply reply) {
  std::string id;
  std::optional<std::string> password;
  MessageReader in(call.message);
  in.required("passkey_id", id);
  in.optional("current_password", password);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  reply_if_confirmed(call, std::move(reply), std::move(password),
                     [id = std::move(id), user_id = call.caller->user->id](auth::AccountStore& store) -> CommandResult {
                       const auto removed = store.remove_passkey(user_id, id);
                       if (!removed) return account_failure(removed.error());
                       return "null";
                     });
}

}  // namespace

constexpr Command kPasskeyCommandRows[] = {
    {"auth/passkeys/options", Access::account, begin_passkey, Durable::no},
    {"auth/passkeys/create", Access::account, add_passkey, Durable::no},
    {"auth/passkeys/list", Access::account, list_passkeys, Durable::no},
    {"auth/passkeys/delete", Access::account, remove_passkey, Durable::no},
};
constexpr Commands kPasskeyCommands = kPasskeyCommandRows;

}  // namespace hearth::api
