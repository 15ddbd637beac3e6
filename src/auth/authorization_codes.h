// SPDX-License-Identifier: Apache-2.0
// The codes that a user who has logged in brings to a client, which takes its tokens for them (RFC 6749 §4.1, with
// PKCE, RFC 7636): 256 random bits that live for kLife and serve once. In memory: a restart ends them.
//
// Any thread. At most kMaxCodes; beyond, the oldest ends.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "auth/token.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/mutex.h"

namespace hearth::auth {

// The client's proof that it is the one that asked: SHA-256 of a secret it shows later. Empty: none was asked for.
using CodeChallenge = std::string;

class AuthorizationCodes {
 public:
  static constexpr std::chrono::seconds kLife{60};
  static constexpr std::size_t kMaxCodes = 1'000;

  // What the code is good for.
  struct Grant {
    base::Id user_id;
    std::int64_t password_version;  // of the user, who has shown that password
    std::string client_id;
    std::string redirect_uri;  // empty where the user was not sent anywhere
    CodeChallenge challenge;
  };

  // `clock` must outlive it.
  explicit AuthorizationCodes(const base::Clock& clock) : clock_(clock) {}

  std::string issue(Grant grant);
  // Nothing where the code is unknown, used or too old. It is used from now on, whatever becomes of the grant.
  std::optional<Grant> take(std::string_view code);

 private:
  struct Entry {
    Grant grant;
    base::SteadyTime expires_at;
    std::uint64_t number;
  };

  const base::Clock& clock_;
  base::Mutex mutex_;
  std::uint64_t issued_ __attribute__((guarded_by(mutex_))) = 0;
  // By the code's hash: how long a search takes says nothing about the codes that there are.
  std::map<TokenHash, Entry> codes_ __attribute__((guarded_by(mutex_)));
};

// 43 to 128 unreserved characters; of a challenge 43, base64url (RFC 7636 §4.1, §4.2).
bool is_code_challenge(std::string_view text);
// Whether the verifier is the secret behind the challenge. An empty challenge wants none.
bool code_verifier_matches(const CodeChallenge& challenge, std::optional<std::string_view> verifier);

}  // namespace hearth::auth
