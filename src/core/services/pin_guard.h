// SPDX-License-Identifier: Apache-2.0
// Entities that demand a PIN of whoever opens, starts or sets off something by hand. Services that make a home safer,
// such as closing a door, go without, and so do the hub's own calls. Bus thread only.
//
// It costs that thread one argon2id hash of 256 KiB, less than a millisecond, for each wrong PIN until the right one
// was given once, and then none: the guard remembers a digest of it, by a key that only this run knows. After five
// wrong ones nothing is hashed for a minute, so that guesses cost five hashes a minute for each user and entity.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/random_id.h"
#include "base/result.h"
#include "core/registry/registry_data.h"
#include "core/rights/rights.h"
#include "core/states/state_table.h"

namespace hearth::core {

class PinGuard {
 public:
  static constexpr int kTries = 5;
  static constexpr base::Duration kPause = std::chrono::minutes(1);  // after so many wrong ones

  // Checks a service of these entities and of members of groups among them; skips those beyond the rights. Fails with
  // pin_needed or pin_wrong, with throttled after too many wrong ones of one user for one entity.
  base::Result<void> check(std::string_view service, std::span<const std::string> entity_ids, const Rights& rights,
                           const RegistryData& registry, const StateTable& states, base::SteadyTime now);

 private:
  using Tried = std::pair<std::string, std::string>;  // a user's id, an entity's in the registry
  struct Failures {
    int count = 0;
    base::SteadyTime last;
  };

  base::Result<void> check(const RegisteredEntity& entity, const PresentedPin& given, base::SteadyTime now);
  bool matches(const std::string& hash, const std::string& pin);

  const std::string key_ = base::make_random_id();
  std::map<std::string, std::string> right_;  // digests of PINs that were right, by their hash
  std::map<Tried, Failures> failures_;        // of the last minute
};

}  // namespace hearth::core
