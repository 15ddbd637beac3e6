// SPDX-License-Identifier: Apache-2.0
#include "auth/token_table.h"

#include <map>

namespace hearth::auth {

TokenTable::TokenTable(const TokenTable& before, KnownAccounts changed) {
  if (!changed.everything) {
    *this = before;
    for (const std::string& id : changed.ids) remove(id);
  }
  std::map<std::string, std::shared_ptr<Member>> members;
  const auto member = [&](const std::string& id) -> Member& {
    auto& found = members[id];
    if (!found) found = std::make_shared<Member>();
    return *found;
  };
  // Sessions first, so that a session's id finds it and not one of its access tokens.
  for (auto& session : changed.sessions) member(session.token_id).entries.emplace_back(std::move(session));
  for (auto& token : changed.tokens) {
    Member& owner = member(token.identity.token_id);
    owner.hashes.push_back(token.hash);
    owner.entries.emplace_back(std::move(token.identity));
  }
  for (const auto& token : changed.refresh_tokens) member(token.session_id).refresh_tokens.push_back(token.hash);
  for (auto& [id, made] : members) add(id, std::move(made));
}

void TokenTable::add(const std::string& id, std::shared_ptr<Member> member) {
  // The last entries belong to the hashes.
  const std::size_t first = member->entries.size() - member->hashes.size();
  for (std::size_t i = 0; i < member->hashes.size(); ++i) {
    entries_.set(member->hashes[i], &member->entries[first + i]);
  }
  for (const TokenHash& hash : member->refresh_tokens) refresh_tokens_.set(hash, {});
  for (const Entry& entry : member->entries) {
    if (entry.expires_at) expiries_.set({*entry.expires_at, &entry}, {});
  }
  members_.set(id, std::move(member));
}

void TokenTable::remove(const std::string& id) {
  const auto* const found = members_.find(id);
  if (!found) return;
  for (const TokenHash& hash : (*found)->hashes) entries_.erase(hash);
  for (const TokenHash& hash : (*found)->refresh_tokens) refresh_tokens_.erase(hash);
  for (const Entry& entry : (*found)->entries) {
    if (entry.expires_at) expiries_.erase(Expiry{*entry.expires_at, &entry});
  }
  members_.erase(id);
}

const TokenTable::Entry* TokenTable::find(std::string_view token_id) const {
  const auto* const found = members_.find(token_id);
  return found && !(*found)->entries.empty() ? &(*found)->entries.front() : nullptr;
}

const TokenTable::Entry* TokenTable::find(const TokenHash& hash) const {
  const auto* const found = entries_.find(hash);
  return found ? *found : nullptr;
}

bool TokenTable::any_expired(base::Timestamp after, base::Timestamp until) const {
  const auto next = expiries_.lower_bound(Expiry{after + base::Duration(1), nullptr});
  return next != expiries_.end() && next->first.at <= until;
}

}  // namespace hearth::auth
