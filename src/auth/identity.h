// SPDX-License-Identifier: Apache-2.0
// The caller of a request: a user, by one of their tokens. Immutable. Any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "auth/token.h"
#include "auth/usage.h"
#include "auth/user.h"

namespace hearth::auth {

struct Identity {
  std::shared_ptr<const User> user;
  std::string token_id;                       // of the long-lived token, or of the access token's session
  std::optional<base::Timestamp> expires_at;  // of the token that was shown
  TokenType type = TokenType::long_lived_access_token;
  std::optional<TokenHash> access_token = {};  // if a session's access token was shown

  core::TokenRights rights = {};  // of the token

  std::shared_ptr<Usage> usage = nullptr;  // of the token or session; never null in what authenticates

  bool expired(const base::Clock& clock) const { return expires_at && *expires_at <= clock.coarse_now(); }
};

// May be kept for any time; it describes the moment when it was returned.
using IdentityPtr = std::shared_ptr<const Identity>;

// A token of an active user, as stored.
struct KnownToken {
  TokenHash hash;
  Identity identity;
};

// A session's refresh token, whether its user is active or not.
struct KnownRefreshToken {
  TokenHash hash;
  std::string session_id;
};

// All tokens and sessions in the tables, or only those that changed.
struct KnownAccounts {
  bool everything = true;
  std::vector<std::string> ids = {};  // changed tokens and sessions, if this is not everything
  std::vector<KnownToken> tokens = {};
  std::vector<Identity> sessions = {};  // of active users, with or without a current access token
  std::vector<KnownRefreshToken> refresh_tokens = {};
  bool any_users = false;
  bool any_passkeys = false;  // if everything
};

struct TokenUse {
  std::string token_id;
  base::Timestamp used_at;
  std::string used_from;  // an address
};

}  // namespace hearth::auth
