// SPDX-License-Identifier: Apache-2.0
#include "auth/authenticator.h"

#include <sodium.h>

#include <array>
#include <cstring>

#include "auth/token_table.h"

namespace hearth::auth {
namespace {

std::int64_t minute_of(base::Timestamp time) {
  return std::chrono::floor<std::chrono::minutes>(time).time_since_epoch().count();
}

// Two texts of one length, at least 32, in the same time wherever they differ.
bool same_text(const unsigned char* one, const unsigned char* other, std::size_t length) {
  constexpr std::size_t kPiece = crypto_verify_32_BYTES;
  int different = crypto_verify_32(one + length - kPiece, other + length - kPiece);
  for (std::size_t at = 0; at + kPiece < length; at += kPiece) different |= crypto_verify_32(one + at, other + at);
  return different == 0;
}

// The hash of a token. A client sends the same one with each request, and its hash is the dearest step of the check:
// each thread remembers those of the texts that it saw last.
TokenHash remembered_hash(std::string_view token_text) {
  struct Known {
    std::size_t length = 0;
    std::array<unsigned char, 240> text;
    TokenHash hash;
  };
  thread_local std::array<Known, 32> all{};
  const std::size_t length = token_text.size();
  if (length < crypto_verify_32_BYTES || length > Known().text.size()) return hash_token(token_text);
  const auto* const text = reinterpret_cast<const unsigned char*>(token_text.data());
  // By two characters near the end: in each form of a token these are random.
  Known& known = all[(text[length - 2] * 31u + text[length - 3]) % all.size()];
  // Of a length that is known in advance for the hub's own.
  const bool same = known.length == length && (length == kTokenLength ? same_text(known.text.data(), text, kTokenLength)
                                                                      : same_text(known.text.data(), text, length));
  if (!same) {
    known.hash = hash_token(token_text);
    std::memcpy(known.text.data(), text, length);
    known.length = length;
  }
  return known.hash;
}

bool may_be_token(std::string_view text) {
  return !text.empty() && text.size() <= kMaxTokenLength;
}

bool same_rights(const User& one, const User& other) {
  if (one.role != other.role || !one.policy != !other.policy) return false;
  return one.policy == other.policy || *one.policy == *other.policy;
}

}  // namespace

Authenticator::Authenticator(const base::Clock& clock) : clock_(clock), table_(std::make_shared<const TokenTable>()) {}

Authenticator::~Authenticator() = default;

IdentityPtr Authenticator::authenticate(std::string_view token_text) const {
  auto identity = authenticate_scoped(token_text);
  return identity && !identity->rights.scopes.metrics_only() ? identity : nullptr;
}

IdentityPtr Authenticator::authenticate_scoped(std::string_view token_text) const {
  if (!may_be_token(token_text)) return nullptr;
  auto table = table_.load();
  const TokenTable::Entry* const entry = table->find(remembered_hash(token_text));
  if (!entry || entry->expired(clock_)) return nullptr;
  // Shares ownership with the thread's own handle of the table, whose count no other thread touches.
  return IdentityPtr(std::move(table), entry);
}

IdentityPtr Authenticator::find(std::string_view token_id) const {
  auto table = table_.load();
  const TokenTable::Entry* const entry = table->find(token_id);
  if (!entry || entry->expired(clock_) || entry->rights.scopes.metrics_only()) return nullptr;
  return IdentityPtr(std::move(table), entry);
}

bool Authenticator::knows_refresh_token(std::string_view token_text) const {
  return may_be_token(token_text) && table_.load()->knows_refresh_token(hash_token(token_text));
}

bool Authenticator::still_valid(const Identity& identity) const {
  const auto table = table_.load();
  const TokenTable::Entry* entry = table->find(identity.token_id);
  if (entry && identity.access_token) entry = table->find(*identity.access_token);
  return entry && same_rights(*entry->user, *identity.user) && !entry->expired(clock_);
}

void Authenticator::note_use(const Identity& identity, const Address& address) {
  const auto& entry = static_cast<const TokenTable::Entry&>(identity);
  const base::Timestamp now = clock_.coarse_now();
  const std::int64_t minute = minute_of(now);
  if (entry.noted_minute.load(std::memory_order_relaxed) == minute) return;
  if (entry.noted_minute.exchange(minute, std::memory_order_relaxed) == minute) return;
  if (!table_.load()->find(identity.token_id)) return;
  TokenUse use{identity.token_id, now, address.to_string()};
  base::MutexLock lock(uses_mutex_);
  uses_.insert_or_assign(identity.token_id, std::move(use));
}

std::shared_ptr<Usage> Authenticator::usage_of(const Identity& identity) {
  const auto kept = [this](std::string_view id, const auto& make) {
    std::weak_ptr<Usage>& known = usages_[std::string(id)];
    std::shared_ptr<Usage> usage = known.lock();
    if (!usage) known = usage = make();
    return usage;
  };
  return kept(identity.token_id, [&] {
    return std::make_shared<Usage>(kept(identity.user->id.str(), [] { return std::make_shared<Usage>(nullptr); }));
  });
}

void Authenticator::publish(KnownAccounts accounts) {
  for (KnownToken& token : accounts.tokens) token.identity.usage = usage_of(token.identity);
  for (Identity& session : accounts.sessions) session.usage = usage_of(session);
  if (usages_.size() > 2 * usages_kept_ + 64) {
    std::erase_if(usages_, [](const auto& known) { return known.second.expired(); });
    usages_kept_ = usages_.size();
  }
  table_.publish(std::make_shared<const TokenTable>(*table_.load(), std::move(accounts)));
}

bool Authenticator::any_expired(base::Timestamp after, base::Timestamp until) const {
  return table_.load()->any_expired(after, until);
}

std::vector<TokenUse> Authenticator::drain_uses() {
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
