// SPDX-License-Identifier: Apache-2.0
#include "auth/factors/passkey_setups.h"

#include <sodium.h>

#include <algorithm>

namespace hearth::auth {

PasskeyChallenge PasskeySetups::begin(const base::Id& user_id, RelyingParty party) {
  PasskeyChallenge challenge{std::move(party), std::string(32, '\0')};
  randombytes_buf(challenge.bytes.data(), challenge.bytes.size());
  const base::SteadyTime now = clock_.steady_now();
  base::MutexLock lock(mutex_);
  std::erase_if(setups_, [&](const auto& entry) { return entry.second.expires_at <= now; });
  setups_.insert_or_assign(user_id, Entry{challenge, now + kLife});
  if (setups_.size() > kMaxSetups) {
    setups_.erase(std::ranges::min_element(setups_, {}, [](const auto& entry) { return entry.second.expires_at; }));
  }
  return challenge;
}

std::optional<PasskeyChallenge> PasskeySetups::take(const base::Id& user_id) {
  base::MutexLock lock(mutex_);
  const auto found = setups_.find(user_id);
  if (found == setups_.end()) return {};
  Entry entry = std::move(found->second);
  setups_.erase(found);
  if (entry.expires_at <= clock_.steady_now()) return {};
  return std::move(entry.challenge);
}

}  // namespace hearth::auth
