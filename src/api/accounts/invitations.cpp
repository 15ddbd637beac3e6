// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "api/accounts/account_reply.h"
#include "api/accounts/accounts_answer.h"
#include "api/accounts/limits_field.h"
#include "api/gateway/json_body.h"
#include "api/rows.h"
#include "audit/kinds.h"
#include "auth/login_client.h"
#include "base/text/timestamp.h"

namespace hearth::api {
namespace {

json::value invitation_time(const std::optional<base::Timestamp>& time) {
  return time ? json::value(base::to_string(*time)) : json::value();
}

json::value invitation_text(const std::string& text) {
  return text.empty() ? json::value() : json::value(text);
}

json::object invitation_object(const auth::Invitation& invitation) {
  json::object object{{"invitation_id", invitation.id},
                      {"name", invitation.given.name},
                      {"invited_by", invitation_text(invitation.inviter)},
                      {"created_at", base::to_string(invitation.created_at)},
                      {"expires_at", base::to_string(invitation.expires_at)},
                      {"used_at", invitation_time(invitation.used_at)},
                      {"used_by", invitation_text(invitation.used_by)}};
  add_limits(object, invitation.given.role, invitation.given.policy, invitation.given.ends_at);
  return object;
}

void list_invitations(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  reply_from_accounts(call.gate, std::move(reply), [](auth::AccountStore& store) -> CommandResult {
    const auto invitations = store.invitations();
    if (!invitations) return account_failure(invitations.error());
    json::array list;
    for (const auto& each : *invitations) list.push_back(invitation_object(each));
    return base::to_json(list);
  });
}

void create_invitation(const CommandCall& call, CommandReply reply) {
  auth::NewInvitation invitation;
  MessageReader in(call.message);
  in.required("name", invitation.name);
  auto limits = finish_limits(in);
  if (!limits) return reply.send(std::unexpected(limits.error()));
  invitation.role = limits->role.value_or(auth::Role::user);
  invitation.policy = std::move(limits->policy).value_or(nullptr);
  invitation.ends_at = limits->ends_at.value_or(std::nullopt);
  invitation.inviter_id = call.caller->user->id.str();
  reply_from_accounts(call.gate, std::move(reply),
                      [invitation = std::move(invitation)](auth::AccountStore& store) -> CommandResult {
                        const auto text = store.invite(invitation);
                        if (!text) return account_failure(text.error());
                        const auto made = store.find_invitation(*text);
                        if (!made) return account_failure(made.error());
                        json::object object = invitation_object(*made);
                        object["invitation"] = *text;
                        return base::to_json(object);
                      });
}

void delete_invitation(const CommandCall& call, CommandReply reply) {
  std::string id;
  MessageReader in(call.message);
  in.required("invitation_id", id);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  reply_from_accounts(call.gate, std::move(reply), [id = std::move(id)](auth::AccountStore& store) -> CommandResult {
    const auto revoked = store.revoke_invitation(id);
    if (!revoked) return account_failure(revoked.error());
    return "null";
  });
}

// Refuses guesses as those of tokens are, and whoever has an account. Nothing: go on.
std::optional<http::Response> refuse_guest(const Call& call) {
  const auto rest = call.gate.throttle.retry_after(call.request.client);
  if (rest.count() > 0)
    return too_many_requests(fmt::format("Too many failed logins. Try again in {} seconds.", rest.count()), rest);
  const auto known = call.gate.authenticator.authenticate(bearer_token(call.request.headers.authorization));
  if (!known) return {};
  return http::Response::message(409, fmt::format("You are logged in as {}. An invitation is for somebody who has no "
                                                  "account here: log out first, or open it on another device.",
                                                  known->user->display_name));
}

// On the accounts' thread.
http::Response refused_invitation(auth::Gate& gate, const auth::Address& from, const base::Error& error) {
  if (error.code == base::ErrorCode::not_found) gate.throttle.failed(from, auth::LoginPurpose::invitation);
  return account_error(error);
}

// Fails with invalid, not_found, conflict.
void look_at_invitation(const Call& call, http::Responder responder) {
  if (auto refused = refuse_guest(call)) return responder.send(std::move(*refused));
  const auto body = parse_json_body(call.request.body);
  if (!body) return responder.send(http::Response::error(body.error()));
  auto text = text_field(*body, "invitation");
  if (!text) return responder.send(http::Response::error(text.error()));
  answer_from_accounts(
      call.gate, std::move(responder),
      [&gate = call.gate, from = call.request.client, text = std::move(*text),
       home = call.home.config()->location_name](auth::AccountStore& store) {
        const auto found = store.find_invitation(text);
        if (!found) return refused_invitation(gate, from, found.error());
        return http::Response::json(base::to_json(json::object{{"name", found->given.name},
                                                               {"home", home},
                                                               {"invited_by", invitation_text(found->inviter)},
                                                               {"role", to_string(found->given.role)},
                                                               {"ends_at", invitation_time(found->given.ends_at)},
                                                               {"expires_at", base::to_string(found->expires_at)}}));
      },
      auth::Accounts::Queue::passwords);
}

struct Acceptance {
  std::string invitation;
  auth::NewUser user;
  std::string client_id;
};

base::Result<Acceptance> parse_acceptance(std::string_view text) {
  const auto body = parse_json_body(text);
  if (!body) return std::unexpected(body.error());
  Acceptance accepted;
  for (const auto& [name, to] : {std::pair<std::string_view, std::string*>{"invitation", &accepted.invitation},
                                 {"name", &accepted.user.display_name},
                                 {"username", &accepted.user.name},
                                 {"password", &accepted.user.password.emplace()},
                                 {"client_id", &accepted.client_id}}) {
    auto field = text_field(*body, name);
    if (!field) return std::unexpected(std::move(field.error()));
    *to = std::move(*field);
  }
  if (auto good = auth::check_client_id(accepted.client_id); !good) return std::unexpected(std::move(good.error()));
  return accepted;
}

// Fails with invalid, not_found, conflict.
void accept_invitation(const Call& call, http::Responder responder) {
  if (auto refused = refuse_guest(call)) return responder.send(std::move(*refused));
  auto accepted = parse_acceptance(call.request.body);
  if (!accepted) return responder.send(http::Response::error(accepted.error()));
  answer_from_accounts(
      call.gate, std::move(responder),
      [&gate = call.gate, from = call.request.client,
       accepted = std::move(*accepted)](auth::AccountStore& store) -> http::Response {
        const auto found = store.find_invitation(accepted.invitation);
        if (!found) return refused_invitation(gate, from, found.error());
        const auto user = store.accept_invitation(accepted.invitation, accepted.user);
        if (!user) return refused_invitation(gate, from, user.error());
        gate.throttle.succeeded(from);
        gate.note(audit::kind::kInvited, found->id, *user, from.to_string(), accepted.client_id);
        // A user who owes a second factor sets it up at the login.
        json::value code;
        if (!gate.owed_factor(*user))
          code = gate.codes.issue({user->id, user->password_version, accepted.client_id, {}, {}});
        return http::Response::json(base::to_json(json::object{{"auth_code", std::move(code)}}));
      },
      auth::Accounts::Queue::passwords);
}

constexpr std::string_view kRefused = "It was used already or its time is over, or the client is logged in.";
constexpr Answer kInvitation[] = {{200, "Who invites to what.", "Invitation"}, {409, kRefused, "Message"}};
constexpr Answer kAccepted[] = {{200, "The user is there; the code is good for tokens.", "InvitationAccepted"},
                                {409, kRefused, "Message"}};
constexpr Body kInvitationText{"InvitationText", true};
constexpr Body kAcceptance{"InvitationAcceptance", true};

}  // namespace

constexpr Endpoint kInvitationEndpointRows[] = {
    {http::Verb::post,
     "/auth/invitation",
     Access::open,
     look_at_invitation,
     Durable::no,
     "Look at an invitation",
     kInvitation,
     {},
     &kInvitationText,
     true},
    {http::Verb::post,
     "/auth/invitation/accept",
     Access::open,
     accept_invitation,
     Durable::no,
     "Make the account that an invitation is for",
     kAccepted,
     {},
     &kAcceptance,
     true},
};
constexpr Endpoints kInvitationEndpoints = kInvitationEndpointRows;

constexpr Command kInvitationCommandRows[] = {
    {"config/auth/invitations/list", Access::admin, list_invitations, Durable::no},
    {"config/auth/invitations/create", Access::admin, create_invitation, Durable::no},
    {"config/auth/invitations/delete", Access::admin, delete_invitation, Durable::no},
};
constexpr Commands kInvitationCommands = kInvitationCommandRows;

}  // namespace hearth::api
