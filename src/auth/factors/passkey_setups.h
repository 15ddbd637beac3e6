// SPDX-License-Identifier: Apache-2.0
// Passkeys that users are adding: the hub has made a challenge, and waits for the authenticator. Each challenge is good
// once, for kLife; one for each user; at most kMaxSetups: beyond, the oldest ends. Any thread.
#pragma once

#include <chrono>
#include <map>
#include <optional>

#include "auth/factors/passkey.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/mutex.h"

namespace hearth::auth {

class PasskeySetups {
 public:
  static constexpr std::chrono::seconds kLife{60};
  static constexpr std::size_t kMaxSetups = 1'000;

  // `clock` must outlive this.
  explicit PasskeySetups(const base::Clock& clock) : clock_(clock) {}

  // Ends an earlier one of the user.
  PasskeyChallenge begin(const base::Id& user_id, RelyingParty party);
  // The user's challenge, which counts no more from now on. Nothing if there is none, or it is too old.
  std::optional<PasskeyChallenge> take(const base::Id& user_id);

 private:
  struct Entry {
    PasskeyChallenge challenge;
    base::SteadyTime expires_at;
  };

  const base::Clock& clock_;
  base::Mutex mutex_;
  std::map<base::Id, Entry> setups_ __attribute__((guarded_by(mutex_)));
};

}  // namespace hearth::auth
