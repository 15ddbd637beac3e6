// SPDX-License-Identifier: Apache-2.0
#include "auth/factors/totp_setups.h"

#include <algorithm>

#include "auth/factors/totp.h"
#include "auth/token.h"

namespace hearth::auth {

TotpSetups::Setup TotpSetups::begin(const base::Id& user_id) {
  Setup setup{make_id(), make_totp_secret()};
  const base::SteadyTime now = clock_.steady_now();
  base::MutexLock lock(mutex_);
  std::erase_if(setups_, [&](const auto& entry) { return entry.second.expires_at <= now; });
  setups_.insert_or_assign(user_id, Entry{setup, now + kLife});
  if (setups_.size() > kMaxSetups) {
    setups_.erase(std::ranges::min_element(setups_, {}, [](const auto& entry) { return entry.second.expires_at; }));
  }
  return setup;
}

std::optional<std::string> TotpSetups::find(const base::Id& user_id, std::string_view id) {
  base::MutexLock lock(mutex_);
  const auto found = setups_.find(user_id);
  if (found == setups_.end() || found->second.setup.id != id || found->second.expires_at <= clock_.steady_now()) {
    return {};
  }
  return found->second.setup.secret;
}

void TotpSetups::end(const base::Id& user_id) {
  base::MutexLock lock(mutex_);
  setups_.erase(user_id);
}

}  // namespace hearth::auth
