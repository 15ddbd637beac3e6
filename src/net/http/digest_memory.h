// SPDX-License-Identifier: Apache-2.0
// The last challenge of each server, so that the next request needs no refusal before it. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "net/http/digest_auth.h"

namespace hearth::net {

class DigestMemory {
 public:
  static constexpr std::size_t kMost = 64;

  struct Known {
    DigestChallenge challenge;
    std::uint32_t requests = 0;
  };
  // `key`: of an origin and a user. Null if there is none.
  Known* find(const std::string& key) {
    const auto found = known_.find(key);
    return found == known_.end() ? nullptr : &found->second;
  }
  Known& put(const std::string& key, DigestChallenge challenge) {
    if (known_.size() >= kMost) known_.clear();
    return known_[key] = Known{std::move(challenge)};
  }
  void forget(const std::string& key) { known_.erase(key); }

 private:
  std::map<std::string, Known> known_;
};

}  // namespace hearth::net
