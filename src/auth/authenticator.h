// SPDX-License-Identifier: Apache-2.0
// Finds the user of a token in an immutable published table, which Accounts keeps up to date with the database.
//
// Any thread. Lookups take no lock and allocate nothing.
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
#include "base/threads/published.h"

namespace hearth::auth {

class TokenTable;

class Authenticator {
 public:
  // `clock` must outlive this. Knows no token before the first publish.
  explicit Authenticator(const base::Clock& clock);
  ~Authenticator();
  Authenticator(const Authenticator&) = delete;
  Authenticator& operator=(const Authenticator&) = delete;

  // Null if the token is unknown, revoked or expired, or its user inactive; also if it is for metrics only.
  IdentityPtr authenticate(std::string_view token_text) const;
  // As above, also if it is for metrics only: for a caller that checks the scopes.
  IdentityPtr authenticate_scoped(std::string_view token_text) const;

  // By the id of a long-lived token or a session, for callers that have it from a trusted source. Null as above; a
  // session counts as long as it can be refreshed, a token unless it is for metrics only.
  IdentityPtr find(std::string_view token_id) const;

  // True if a session has this refresh token. Only a filter, because the AccountStore decides: an unknown token is
  // refused here, at the cost of a hash, without waiting in a queue.
  bool knows_refresh_token(std::string_view token_text) const;

  // For connections that last, such as streams: false after the token has expired, it or its session is revoked, or its
  // user is inactive, in another role or under another policy.
  bool still_valid(const Identity& identity) const;

  // Notes, once a minute for each token, when and where it was used. Otherwise takes nanoseconds. REQUIRES: an identity
  // returned by authenticate or find.
  void note_use(const Identity& identity, const Address& address);

  // Increases by one with each publish.
  std::uint64_t version() const { return table_.version(); }

  // For Accounts. One thread at a time.
  void publish(KnownAccounts accounts);
  // True if a token expired after `after`, until `until`.
  bool any_expired(base::Timestamp after, base::Timestamp until) const;
  // The uses noted since the last call, the last one of each token or session.
  std::vector<TokenUse> drain_uses();
  // Returns uses that could not be written, for the next call, unless newer ones were noted.
  void put_back_uses(std::vector<TokenUse> uses);

 private:
  const base::Clock& clock_;
  base::Published<TokenTable> table_;
  std::shared_ptr<Usage> usage_of(const Identity& identity);

  // Of tokens, sessions and users, by their ids; as long as somebody has them. For the thread that publishes.
  std::map<std::string, std::weak_ptr<Usage>, std::less<>> usages_;
  std::size_t usages_kept_ = 0;  // when those that have gone were removed last
  base::Mutex uses_mutex_;
  std::map<std::string, TokenUse, std::less<>> uses_
      __attribute__((guarded_by(uses_mutex_)));  // at most one for each token or session
};

}  // namespace hearth::auth
