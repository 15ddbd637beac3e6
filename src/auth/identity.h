// SPDX-License-Identifier: Apache-2.0
// Who a request comes from: a user, by one of their tokens. Immutable. Any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "auth/token.h"
#include "auth/user.h"

namespace hearth::auth {

struct Identity {
  std::shared_ptr<const User> user;
  std::string token_id;                       // of the long-lived token, or of the session that the access token is of
  std::optional<base::Timestamp> expires_at;  // of the token that was shown
  TokenType type = TokenType::long_lived_access_token;
  std::optional<TokenHash> access_token = {};  // where one of a session's was shown

  bool expired(const base::Clock& clock) const { return expires_at && *expires_at <= clock.coarse_now(); }
};

// May be kept for as long as one likes; what it says was true when it was given.
using IdentityPtr = std::shared_ptr<const Identity>;

// A token of an active user, as the tables have it.
struct KnownToken {
  TokenHash hash;
  Identity identity;
};

// Of a session, whether its user is active or not.
struct KnownRefreshToken {
  TokenHash hash;
  std::string session_id;
};

// What the tables say of all tokens and sessions, or only of those that have changed.
struct KnownAccounts {
  bool everything = true;
  std::vector<std::string> ids = {};  // of tokens and sessions that have changed, if not everything is here
  std::vector<KnownToken> tokens = {};
  std::vector<Identity> sessions = {};  // each of an active user, whether it has an access token now or not
  std::vector<KnownRefreshToken> refresh_tokens = {};
  bool any_users = false;
};

struct TokenUse {
  std::string token_id;
  base::Timestamp used_at;
  std::string used_from;  // an address
};

}  // namespace hearth::auth
