// SPDX-License-Identifier: Apache-2.0
// The known tokens and refresh tokens: an immutable version of the accounts. The next version shares what is unchanged,
// so that a change costs only its own size. Used inside auth only.
//
// Any thread reads; one thread makes the next version.
#pragma once

#include <atomic>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "auth/identity.h"
#include "base/persistent_map.h"

namespace hearth::auth {

class TokenTable {
 public:
  struct Entry : Identity {
    explicit Entry(Identity known) : Identity(std::move(known)) {}

    mutable std::atomic<std::int64_t> noted_minute{-1};  // the only mutable member, changed once a minute
  };

  TokenTable() = default;
  TokenTable(const TokenTable& before, KnownAccounts changed);

  // Null if absent.
  const Entry* find(std::string_view token_id) const;
  const Entry* find(const TokenHash& hash) const;
  bool knows_refresh_token(const TokenHash& hash) const { return refresh_tokens_.contains(hash); }
  bool any_expired(base::Timestamp after, base::Timestamp until) const;

 private:
  // The owner that one id refers to.
  struct Member {
    std::deque<Entry> entries;  // a long-lived token; or a session, if its user is active, and its access tokens
    std::vector<TokenHash> hashes;
    std::vector<TokenHash> refresh_tokens;
  };
  // The digest is random already; the time of a comparison reveals nothing about existing tokens.
  struct FirstBytes {
    std::size_t operator()(const TokenHash& hash) const {
      std::size_t bytes;
      std::memcpy(&bytes, hash.data(), sizeof bytes);
      return bytes;
    }
  };
  struct Expiry {
    base::Timestamp at;
    const Entry* entry;

    bool operator<(const Expiry& other) const {
      return at != other.at ? at < other.at : std::less<>()(entry, other.entry);
    }
  };
  struct ExpiryHash {
    std::size_t operator()(const Expiry& expiry) const { return std::hash<const void*>()(expiry.entry); }
  };
  struct Nothing {};

  void add(const std::string& id, std::shared_ptr<Member> member);
  void remove(const std::string& id);

  base::PersistentMap<std::string, std::shared_ptr<const Member>> members_;  // by id
  base::PersistentMap<TokenHash, const Entry*, FirstBytes> entries_;
  base::PersistentMap<TokenHash, Nothing, FirstBytes> refresh_tokens_;
  base::PersistentMap<Expiry, Nothing, ExpiryHash> expiries_;
};

}  // namespace hearth::auth
