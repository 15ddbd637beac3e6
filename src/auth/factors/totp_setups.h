// SPDX-License-Identifier: Apache-2.0
// Authenticator apps that users are setting up: the hub has made a secret, and waits for the first code from the app,
// which shows that it arrived there. Nothing is stored until then. One for each user, for kLife; at most kMaxSetups:
// beyond, the oldest ends. Any thread.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/id.h"
#include "base/mutex.h"

namespace hearth::auth {

class TotpSetups {
 public:
  static constexpr std::chrono::minutes kLife{10};
  static constexpr std::size_t kMaxSetups = 1'000;

  struct Setup {
    std::string id;
    std::string secret;
  };

  // `clock` must outlive this.
  explicit TotpSetups(const base::Clock& clock) : clock_(clock) {}

  // Ends an earlier one of the user.
  Setup begin(const base::Id& user_id);
  // The secret, if the user has such a setup.
  std::optional<std::string> find(const base::Id& user_id, std::string_view id);
  void end(const base::Id& user_id);

 private:
  struct Entry {
    Setup setup;
    base::SteadyTime expires_at;
  };

  const base::Clock& clock_;
  base::Mutex mutex_;
  std::map<base::Id, Entry> setups_ __attribute__((guarded_by(mutex_)));
};

}  // namespace hearth::auth
