// SPDX-License-Identifier: Apache-2.0
#include "api/accounts/authorization_request.h"

#include "auth/login_client.h"
#include "base/text/percent.h"

namespace hearth::api {
namespace {

using base::ErrorCode;
using base::fail;

}  // namespace

base::Result<auth::CodeChallenge> parse_challenge(std::optional<std::string_view> challenge,
                                                  std::optional<std::string_view> method) {
  if (!challenge && !method) return auth::CodeChallenge();
  if (!method || *method != "S256") return fail(ErrorCode::invalid, "Invalid code_challenge_method: expected S256.");
  if (!challenge || !auth::is_code_challenge(*challenge)) {
    return fail(ErrorCode::invalid, "Invalid code_challenge: expected the 43 characters of a SHA-256 in base64url.");
  }
  return auth::CodeChallenge(*challenge);
}

base::Result<AuthorizationRequest> AuthorizationRequest::parse(const Lookup& parameter) {
  if (parameter("response_type").value_or("code") != "code") {
    return fail(ErrorCode::invalid, "Invalid response_type: expected code.");
  }
  AuthorizationRequest request;
  request.client_id = parameter("client_id").value_or("");
  request.redirect_uri = parameter("redirect_uri").value_or("");
  auto redirect = auth::check_redirect_uri(request.redirect_uri, request.client_id);
  if (!redirect) return std::unexpected(std::move(redirect.error()));
  request.redirect = std::move(*redirect);
  request.state = parameter("state");
  auto challenge = parse_challenge(parameter("code_challenge"), parameter("code_challenge_method"));
  if (!challenge) return std::unexpected(std::move(challenge.error()));
  request.challenge = std::move(*challenge);
  return request;
}

std::string AuthorizationRequest::target(std::string_view code) const {
  std::string target = redirect_uri;
  target += redirect_uri.contains('?') ? '&' : '?';
  target.append("code=").append(code);
  if (state) {
    target += "&state=";
    base::append_percent_encoded(target, *state);
  }
  return target;
}

}  // namespace hearth::api
