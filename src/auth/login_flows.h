// SPDX-License-Identifier: Apache-2.0
// Login flows, step by step, as web pages use them: a form is requested and then submitted, again if the password is
// wrong.
//
// The client keeps the flow: its id contains all of it, its expiry, and a MAC. So unauthenticated clients that begin
// flows use no memory here, however many they are and whatever address they share. Only ended flows are remembered
// until they expire, at most kMaxEnded; beyond, the one that expires first is forgotten, and could end once more for a
// client that knows the password.
//
// After the right password a flow may ask for a second factor. Those are remembered here until they end: only who knows
// a password makes one. At most kMaxPassed; beyond, the one that expires first ends.
//
// Any thread. A flow lives for kLife. The key is random and dies with the object: a restart ends all flows.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "auth/authorization_codes.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/mutex.h"

namespace hearth::auth {

class LoginFlows {
 public:
  static constexpr std::chrono::minutes kLife{10};
  static constexpr std::size_t kMaxEnded = 1'000;
  static constexpr std::size_t kMaxPassed = 1'000;
  static constexpr std::chrono::seconds kChallengeLife{60};
  static constexpr int kMaxCodes = 3;  // wrong ones, after which a flow ends

  // The client and its redirect URL. No part contains a line feed.
  struct Flow {
    std::string client_id;
    std::string redirect_uri;
    CodeChallenge challenge;
    bool by_passkey = false;  // instead of a password
  };

  // A user who has shown the password in a flow, and owes a second factor.
  struct Passed {
    base::Id user_id;
    std::string name;
    std::int64_t password_version;
    std::string secret = {};  // of the authenticator app that is being set up; empty if the user has one
    int wrong_codes = 0;
  };

  // `clock` must outlive this.
  explicit LoginFlows(const base::Clock& clock);

  // Returns the id: URL-safe, a third longer than the flow plus some hundred characters.
  std::string begin(const Flow& flow) const;
  std::optional<Flow> find(std::string_view id);
  // False if there is none: of two callers that finish a flow, one succeeds.
  bool end(std::string_view id);

  // The bytes that a passkey signs for this flow: for kChallengeLife from its begin; then nothing.
  std::optional<std::string> challenge(std::string_view id);

  // False if there is no such flow.
  bool pass(std::string_view id, Passed passed);
  std::optional<Passed> passed(std::string_view id);
  // Counts a wrong code. False if it was the last one: the flow has ended.
  bool count_wrong_code(std::string_view id);

 private:
  using Number = std::array<std::uint8_t, 16>;  // random
  using Ended = std::pair<base::SteadyTime, Number>;
  struct Known {
    Flow flow;
    Ended self;  // its expiry and number
  };
  std::optional<Known> read(std::string_view id) const;

  const base::Clock& clock_;
  std::array<std::uint8_t, 32> key_;
  base::Mutex mutex_;
  std::set<Ended> ended_ __attribute__((guarded_by(mutex_)));
  std::map<Ended, Passed> passed_ __attribute__((guarded_by(mutex_)));
};

}  // namespace hearth::auth
