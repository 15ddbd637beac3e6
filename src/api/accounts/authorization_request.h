// SPDX-License-Identifier: Apache-2.0
// The request with which a client sends its user to log in (RFC 6749 §4.1.1, RFC 7636 §4.3), checked. Any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "auth/authorization_codes.h"
#include "auth/login_client.h"
#include "base/result.h"

namespace hearth::api {

struct AuthorizationRequest {
  std::string client_id;
  std::string redirect_uri;
  auth::RedirectTarget redirect;
  std::optional<std::string> state;
  auth::CodeChallenge challenge;

  // The parameters by name. Fails with invalid; the message says which is wrong, and how.
  using Lookup = std::function<std::optional<std::string_view>(std::string_view name)>;
  static base::Result<AuthorizationRequest> parse(const Lookup& parameter);

  // Where the user goes with the code.
  std::string target(std::string_view code) const;
};

// A challenge with its method: both, of S256, or neither.
base::Result<auth::CodeChallenge> parse_challenge(std::optional<std::string_view> challenge,
                                                  std::optional<std::string_view> method);

}  // namespace hearth::api
