// SPDX-License-Identifier: Apache-2.0
// Tells whose a token is, from an immutable published table; Accounts keeps it up to date with the database.
//
// Any thread. Asking takes no lock and allocates nothing.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "auth/address_prefix.h"
#include "auth/identity.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/published.h"

namespace hearth::auth {

class TokenTable;

class Authenticator {
 public:
  // `clock` must outlive it. Knows nobody until the first publish.
  explicit Authenticator(const base::Clock& clock);
  ~Authenticator();
  Authenticator(const Authenticator&) = delete;
  Authenticator& operator=(const Authenticator&) = delete;

  // Null for a token that is unknown, revoked or expired, or whose user is inactive.
  IdentityPtr authenticate(std::string_view token_text) const;

  // By the id of a long-lived token or a session, for who has it on good authority. Null as above; a session counts
  // for as long as it can be refreshed.
  IdentityPtr find(std::string_view token_id) const;

  // Whether a session has this refresh token. It lets nobody in: the AccountStore has the last word. What is no refresh
  // token is refused here, at the price of a hash, and waits in no queue.
  bool knows_refresh_token(std::string_view token_text) const;

  // For those who stay, as streams do: false once the token is expired, it or its session revoked, or its user
  // inactive, in another role or under another policy.
  bool still_valid(const Identity& identity) const;

  // Remembers, once a minute for each token, when and from where it was used. Costs nanoseconds otherwise.
  // REQUIRES: an identity that authenticate or find gave.
  void note_use(const Identity& identity, const Address& address);

  // Rises with each publish.
  std::uint64_t version() const { return table_.version(); }

  // For Accounts. One thread at a time.
  void publish(KnownAccounts accounts);
  // Whether a token's time ran out after `after`, until `until`.
  bool any_expired(base::Timestamp after, base::Timestamp until) const;
  // The uses noted since the last call, the last of each token or session.
  std::vector<TokenUse> take_uses();
  // Uses that could not be written: back for the next call, unless newer ones came.
  void put_back_uses(std::vector<TokenUse> uses);

 private:
  const base::Clock& clock_;
  base::Published<TokenTable> table_;
  base::Mutex uses_mutex_;
  std::map<std::string, TokenUse, std::less<>> uses_
      __attribute__((guarded_by(uses_mutex_)));  // at most one for each token or session
};

}  // namespace hearth::auth
