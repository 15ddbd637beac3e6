// SPDX-License-Identifier: Apache-2.0
// Logins under way, step by step, as web pages of this family make them: a form is asked for, then filled in, as often
// as the password is wrong.
//
// A flow is kept by whoever began it: its id holds all that it is and when it ends, and a MAC of that. So strangers who
// begin flows take no memory and no place from anybody, however many they are and whatever address they share. Only
// flows that have ended are remembered until their time is over, at most kMaxEnded; beyond, the one whose time is over
// first is forgotten, and could end once more, for who knows the password.
//
// Any thread. A flow lives for kLife. The key is random and lives as long as the object: a restart ends all flows.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "auth/authorization_codes.h"
#include "base/clock.h"
#include "base/mutex.h"

namespace hearth::auth {

class LoginFlows {
 public:
  static constexpr std::chrono::minutes kLife{10};
  static constexpr std::size_t kMaxEnded = 1'000;

  // Who asked, and where the user is to be sent. No part has a line feed.
  struct Flow {
    std::string client_id;
    std::string redirect_uri;
    CodeChallenge challenge;
  };

  // `clock` must outlive it.
  explicit LoginFlows(const base::Clock& clock);

  // Returns its id: URL-safe, a third longer than the flow and some hundred characters.
  std::string begin(const Flow& flow) const;
  std::optional<Flow> find(std::string_view id);
  // False if there is none: of two that finish a flow, one does.
  bool end(std::string_view id);

 private:
  using Number = std::array<std::uint8_t, 16>;  // random
  using Ended = std::pair<base::SteadyTime, Number>;
  struct Known {
    Flow flow;
    Ended self;  // when it ends, and its number
  };
  std::optional<Known> read(std::string_view id) const;

  const base::Clock& clock_;
  std::array<std::uint8_t, 32> key_;
  base::Mutex mutex_;
  std::set<Ended> ended_ __attribute__((guarded_by(mutex_)));
};

}  // namespace hearth::auth
