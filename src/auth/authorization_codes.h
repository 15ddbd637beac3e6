// SPDX-License-Identifier: Apache-2.0
// Authorization codes: a user who has logged in carries one to a client, which exchanges it for tokens (RFC 6749 §4.1,
// with PKCE, RFC 7636). 256 random bits, valid for kLife and once. A code that is shown twice has been stolen: the
// session that it was exchanged for ends (RFC 6749 §4.1.2). In memory: a restart ends them.
//
// Any thread. At most kMaxCodes; beyond, the oldest ends, first of those that were used.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <string_view>

#include "auth/token.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/mutex.h"

namespace hearth::auth {

// Proves that the client is the one that asked: SHA-256 of a secret that it shows later. Empty if none was asked for.
using CodeChallenge = std::string;

class AuthorizationCodes {
 public:
  static constexpr std::chrono::seconds kLife{60};
  static constexpr std::chrono::hours kRemembered{24};  // after its use
  static constexpr std::size_t kMaxCodes = 1'000;

  // The rights that the code gives.
  struct Grant {
    base::Id user_id;
    std::int64_t password_version;  // of the user, who has shown that password
    std::string client_id;
    std::string redirect_uri;  // empty if the user was not redirected
    CodeChallenge challenge;
  };

  // `clock` must outlive this.
  explicit AuthorizationCodes(const base::Clock& clock) : clock_(clock) {}

  // Why a code is worth nothing. The session is to be ended if there is one.
  struct Refusal {
    base::Id user_id, session_id;
  };

  std::string issue(Grant grant);
  // Fails if the code is unknown, used or too old. It is used from now on, even if the grant fails later.
  std::expected<Grant, Refusal> redeem(std::string_view code);
  // The session that a code which was taken has been exchanged for. False if the code was shown again meanwhile: the
  // session is to be ended.
  bool exchanged(std::string_view code, std::string_view session_id);

 private:
  struct Entry {
    Grant grant;
    base::SteadyTime expires_at;
    std::uint64_t number;
    bool used = false, shown_again = false;
    base::Id session_id = {};
  };

  const base::Clock& clock_;
  base::Mutex mutex_;
  std::uint64_t issued_ __attribute__((guarded_by(mutex_))) = 0;
  // By the code's hash, so that the time of a lookup reveals nothing about the codes.
  std::map<TokenHash, Entry> codes_ __attribute__((guarded_by(mutex_)));
};

// 43 to 128 unreserved characters; 43 for a challenge, in base64url (RFC 7636 §4.1, §4.2).
bool is_code_challenge(std::string_view text);
// True if the verifier is the challenge's secret. An empty challenge has none, and no verifier (RFC 9700 §2.1.1).
bool code_verifier_matches(const CodeChallenge& challenge, std::optional<std::string_view> verifier);

}  // namespace hearth::auth
