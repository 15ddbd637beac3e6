// SPDX-License-Identifier: Apache-2.0
#include "api/accounts/accounts_answer.h"
#include "api/rows.h"
#include "audit/kinds.h"
#include "auth/login_client.h"
#include "http/messages/form.h"

namespace hearth::api {
namespace {

using http::Response;

// RFC 6749 §5.2, and the message that every error of the hub has.
Response oauth_error(int status, std::string_view error, std::string_view description) {
  return Response::json(
      base::to_json(json::object{{"error", error}, {"error_description", description}, {"message", description}}),
      status);
}

Response tokens(const auth::IssuedTokens& issued) {
  json::object object{{"access_token", issued.access_token},
                      {"token_type", "Bearer"},
                      {"expires_in", std::chrono::seconds(auth::kAccessTokenLife).count()},
                      {"ha_auth_provider", "homeassistant"}};
  if (!issued.refresh_token.empty()) object["refresh_token"] = issued.refresh_token;
  return Response::json(base::to_json(object));
}

Response tokens_or_error(const base::Result<auth::IssuedTokens>& issued) {
  if (issued) return tokens(*issued);
  switch (issued.error().code) {
    case base::ErrorCode::invalid:
      return oauth_error(400, "invalid_grant", issued.error().message);
    case base::ErrorCode::not_found:
      return oauth_error(400, "invalid_grant", "There is no such user any more.");
    case base::ErrorCode::forbidden:
      return oauth_error(403, "access_denied", issued.error().message);
    default:
      return account_error(issued.error());
  }
}

Response used_code() {
  return oauth_error(400, "invalid_grant", "This code is unknown, used already or too old.");
}

void note_session(auth::Gate& gate, auth::AccountStore& store, std::string_view what, std::string_view session_id,
                  std::string_view user_id, std::string_view address, std::string_view client) {
  if (const auto user = store.find_user_by_id(user_id)) gate.note(what, session_id, *user, address, client);
}

// A second use ends what the first has brought (RFC 6749 §4.1.2).
void end_of_code(const Call& call, auth::AuthorizationCodes::Refusal refusal, http::Responder responder) {
  if (refusal.session_id.empty()) return responder.send(used_code());
  answer_from_accounts(call.gate, std::move(responder),
                       [refusal = std::move(refusal), &gate = call.gate,
                        address = call.request.client.to_string()](auth::AccountStore& store) {
                         static_cast<void>(store.delete_refresh_token(refusal.user_id, refusal.session_id));
                         note_session(gate, store, audit::kind::kSessionEnded, refusal.session_id, refusal.user_id,
                                      address, "code used twice");
                         return used_code();
                       });
}

void trade_code(const Call& call, const http::Form& form, std::string client_id, http::Responder responder) {
  const auto code = form.field("code");
  if (!code) return responder.send(oauth_error(400, "invalid_request", "code is missing."));
  auto grant = call.gate.codes.redeem(*code);
  if (!grant) return end_of_code(call, std::move(grant.error()), std::move(responder));
  if (grant->client_id != client_id) {
    return responder.send(oauth_error(400, "invalid_grant", "This code belongs to another client."));
  }
  if (const auto uri = form.field("redirect_uri"); uri && *uri != grant->redirect_uri) {
    return responder.send(oauth_error(400, "invalid_grant", "redirect_uri is not the one that the code was sent to."));
  }
  if (!auth::code_verifier_matches(grant->challenge, form.field("code_verifier"))) {
    return responder.send(
        oauth_error(400, "invalid_grant", "code_verifier is not what the code_challenge was made of."));
  }
  answer_from_accounts(call.gate, std::move(responder),
                       [grant = std::move(*grant), code = std::string(*code), &gate = call.gate,
                        address = call.request.client.to_string(),
                        user_agent = call.request.headers.user_agent](auth::AccountStore& store) {
                         auto issued = store.create_session(grant.user_id, grant.client_id, address,
                                                            grant.password_version, user_agent);
                         if (issued)
                           note_session(gate, store, audit::kind::kSessionCreated, issued->session_id, grant.user_id,
                                        address, grant.client_id);
                         if (!issued || gate.codes.exchanged(code, issued->session_id)) return tokens_or_error(issued);
                         static_cast<void>(store.delete_refresh_token(grant.user_id, issued->session_id));
                         return used_code();
                       });
}

void refresh(const Call& call, const http::Form& form, std::string client_id, http::Responder responder) {
  const auto refresh_token = form.field("refresh_token");
  if (!refresh_token) return responder.send(oauth_error(400, "invalid_request", "refresh_token is missing."));
  // A token that nobody was given waits for nobody.
  if (!call.gate.authenticator.knows_refresh_token(*refresh_token)) {
    return responder.send(oauth_error(400, "invalid_grant", auth::kUnknownRefreshToken));
  }
  const auto rotate = form.field("rotate").value_or("0");
  if (rotate != "0" && rotate != "1") {
    return responder.send(oauth_error(400, "invalid_request", "rotate: expected 1, for a new refresh token, or 0."));
  }
  answer_from_accounts(call.gate, std::move(responder),
                       [refresh_token = std::string(*refresh_token), client_id = std::move(client_id),
                        address = call.request.client.to_string(), user_agent = call.request.headers.user_agent,
                        rotate = rotate == "1", &gate = call.gate](auth::AccountStore& store) {
                         std::optional<auth::AccountStore::EndedSession> reused;
                         const auto issued =
                             store.refresh_session(refresh_token, client_id, address, user_agent, rotate, &reused);
                         if (reused) {
                           note_session(gate, store, audit::kind::kSessionEnded, reused->id, reused->user_id, address,
                                        "refresh token used again");
                         }
                         return tokens_or_error(issued);
                       });
}

void revoke_session(const Call& call, std::string_view refresh_token, http::Responder responder) {
  // RFC 7009 §2.2: a token that is none is as good as revoked.
  if (!call.gate.authenticator.knows_refresh_token(refresh_token)) return responder.send(http::Response::json("{}"));
  answer_from_accounts(call.gate, std::move(responder),
                       [refresh_token = std::string(refresh_token), &gate = call.gate,
                        address = call.request.client.to_string()](auth::AccountStore& store) {
                         const auto ended = store.end_session(refresh_token);
                         if (ended && *ended)
                           note_session(gate, store, audit::kind::kSessionEnded, (*ended)->id, (*ended)->user_id,
                                        address, {});
                         return ended ? Response::json("{}") : account_error(ended.error());
                       });
}

void post_token(const Call& call, http::Responder responder) {
  const auto form = http::Form::parse(call.request.headers.content_type, call.request.body);
  if (!form) return responder.send(oauth_error(400, "invalid_request", form.error().message));
  if (form->field("action") == "revoke") {
    return revoke_session(call, form->field("token").value_or(""), std::move(responder));
  }
  const auto grant_type = form->field("grant_type");
  if (grant_type != "authorization_code" && grant_type != "refresh_token") {
    return responder.send(oauth_error(400, "unsupported_grant_type",
                                      "Invalid grant_type: expected authorization_code or refresh_token."));
  }
  std::string client_id(form->field("client_id").value_or(""));
  if (auto good = auth::check_client_id(client_id); !good) {
    return responder.send(oauth_error(400, "invalid_request", good.error().message));
  }
  auto& grant = *grant_type == "refresh_token" ? refresh : trade_code;
  grant(call, *form, std::move(client_id), std::move(responder));
}

void post_revocation(const Call& call, http::Responder responder) {
  const auto form = http::Form::parse(call.request.headers.content_type, call.request.body);
  const auto token = form ? form->field("token") : std::nullopt;
  if (!token) return responder.send(Response::json("{}"));
  revoke_session(call, *token, std::move(responder));
}

constexpr Answer kTokens[] = {{200, "Tokens; of action=revoke an empty object.", "Tokens"},
                              {400, "The grant is not valid; log in again.", "TokenError"},
                              {403, "The user is not active.", "TokenError"}};
constexpr Answer kRevoked[] = {{200, "The session has ended, if there was one.", "Empty"}};
constexpr Body kTokenForm{"TokenForm", true, true};
constexpr Body kRevokeForm{"RevokeForm", false, true};

}  // namespace

constexpr Endpoint kTokenEndpointRows[] = {
    {http::Verb::post,
     "/auth/token",
     Access::open,
     post_token,
     Durable::no,
     "Trade a code or a refresh token for an access token",
     kTokens,
     {},
     &kTokenForm},
    {http::Verb::post,
     "/auth/revoke",
     Access::open,
     post_revocation,
     Durable::no,
     "End a session",
     kRevoked,
     {},
     &kRevokeForm},
};
constexpr Endpoints kTokenEndpoints = kTokenEndpointRows;

}  // namespace hearth::api
