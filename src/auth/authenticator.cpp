// SPDX-License-Identifier: Apache-2.0
#include "auth/authenticator.h"

#include <sodium.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <unordered_map>

namespace hearth::auth {
namespace {

// The digest is random already.
struct FirstBytes {
  std::size_t operator()(const TokenHash& hash) const {
    std::size_t bytes;
    std::memcpy(&bytes, hash.data(), sizeof bytes);
    return bytes;
  }
};

struct SameHash {
  bool operator()(const TokenHash& a, const TokenHash& b) const {
    return sodium_memcmp(a.data(), b.data(), a.size()) == 0;
  }
};

std::int64_t minute_of(base::Timestamp time) {
  return std::chrono::floor<std::chrono::minutes>(time).time_since_epoch().count();
}

}  // namespace

struct Authenticator::Table {
  struct Entry : Identity {
    explicit Entry(Identity known) : Identity(std::move(known)) {}

    mutable std::atomic<std::int64_t> noted_minute{-1};  // the one thing that changes, once a minute
  };

  Table() = default;
  Table(std::vector<KnownToken> tokens, std::vector<Identity> sessions) {
    // First, so that a session's id leads to it and not to one of its access tokens.
    for (auto& session : sessions) add(std::move(session));
    for (auto& token : tokens) by_hash.emplace(token.hash, &add(std::move(token.identity)));
    std::ranges::sort(expiries);
  }

  const Entry& add(Identity identity) {
    const Entry& entry = entries.emplace_back(std::move(identity));
    by_id.emplace(entry.token_id, &entry);
    if (entry.expires_at) expiries.push_back(*entry.expires_at);
    return entry;
  }

  const Entry* find(std::string_view token_id) const {
    const auto found = by_id.find(token_id);
    return found == by_id.end() ? nullptr : found->second;
  }

  std::deque<Entry> entries;
  std::unordered_map<TokenHash, const Entry*, FirstBytes, SameHash> by_hash;
  std::unordered_map<std::string_view, const Entry*> by_id;
  std::vector<base::Timestamp> expiries;  // sorted
};

Authenticator::Authenticator(const base::Clock& clock) : clock_(clock), table_(std::make_shared<const Table>()) {}

Authenticator::~Authenticator() = default;

IdentityPtr Authenticator::authenticate(std::string_view token_text) const {
  if (token_text.size() != kTokenLength) return nullptr;
  const std::uint64_t version = table_.version();  // asked first: what is published meanwhile is learned anew
  IdentityPtr identity = recent_.find(token_text, version);
  if (!identity) {
    auto table = table_.load();
    const auto found = table->by_hash.find(hash_token(token_text));
    if (found == table->by_hash.end()) return nullptr;
    // Shares the thread's own handle of the table, whose count no other thread touches.
    identity = IdentityPtr(std::move(table), found->second);
    recent_.remember(token_text, version, identity);
  }
  if (identity->expired(clock_)) return nullptr;
  return identity;
}

IdentityPtr Authenticator::find(std::string_view token_id) const {
  auto table = table_.load();
  const Table::Entry* const entry = table->find(token_id);
  if (!entry || entry->expired(clock_)) return nullptr;
  return IdentityPtr(std::move(table), entry);
}

bool Authenticator::still_valid(const Identity& identity) const {
  const auto table = table_.load();
  const Table::Entry* entry = table->find(identity.token_id);
  if (entry && identity.access_token) {
    const auto found = table->by_hash.find(*identity.access_token);
    entry = found == table->by_hash.end() ? nullptr : found->second;
  }
  return entry && entry->user->role == identity.user->role && !entry->expired(clock_);
}

void Authenticator::note_use(const Identity& identity, const Address& address) {
  const auto& entry = static_cast<const Table::Entry&>(identity);
  const base::Timestamp now = clock_.coarse_now();
  const std::int64_t minute = minute_of(now);
  if (entry.noted_minute.load(std::memory_order_relaxed) == minute) return;
  if (entry.noted_minute.exchange(minute, std::memory_order_relaxed) == minute) return;
  if (!table_.load()->find(identity.token_id)) return;
  TokenUse use{identity.token_id, now, address.to_string()};
  base::MutexLock lock(uses_mutex_);
  uses_.insert_or_assign(identity.token_id, std::move(use));
}

void Authenticator::publish(std::vector<KnownToken> tokens, std::vector<Identity> sessions) {
  table_.publish(std::make_shared<const Table>(std::move(tokens), std::move(sessions)));
}

bool Authenticator::any_expired(base::Timestamp after, base::Timestamp until) const {
  const auto table = table_.load();
  const auto next = std::ranges::upper_bound(table->expiries, after);
  return next != table->expiries.end() && *next <= until;
}

std::vector<TokenUse> Authenticator::take_uses() {
  std::map<std::string, TokenUse, std::less<>> taken;
  {
    base::MutexLock lock(uses_mutex_);
    taken.swap(uses_);
  }
  std::vector<TokenUse> list;
  list.reserve(taken.size());
  for (auto& [id, use] : taken) list.push_back(std::move(use));
  return list;
}

void Authenticator::put_back_uses(std::vector<TokenUse> uses) {
  base::MutexLock lock(uses_mutex_);
  for (auto& use : uses) uses_.try_emplace(use.token_id, use);
}

}  // namespace hearth::auth
