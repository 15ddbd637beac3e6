// SPDX-License-Identifier: Apache-2.0
// Who a request comes from: a user, by one of their tokens. Immutable. Any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "auth/token.h"
#include "auth/user.h"

namespace hearth::auth {

struct Identity {
  std::shared_ptr<const User> user;
  std::string token_id;
  std::optional<base::Timestamp> expires_at;

  bool expired(base::Timestamp now) const { return expires_at && *expires_at <= now; }
};

// May be kept for as long as one likes; what it says was true when it was given.
using IdentityPtr = std::shared_ptr<const Identity>;

// A token of an active user, as the tables have it.
struct KnownToken {
  TokenHash hash;
  Identity identity;
};

struct TokenUse {
  std::string token_id;
  base::Timestamp used_at;
  std::string used_from;  // an address
};

}  // namespace hearth::auth
