// SPDX-License-Identifier: Apache-2.0
// Logins under way, step by step, as web pages of this family make them: a form is asked for, then filled in, as often
// as the password is wrong. In memory: a restart ends them.
//
// Any thread. A flow lives for kLife. At most kMaxFlows, and kMaxFlowsOfPrefix from one address prefix: beyond, the
// oldest ends, of the prefix or of all.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "auth/address_prefix.h"
#include "auth/authorization_codes.h"
#include "base/clock.h"
#include "base/mutex.h"

namespace hearth::auth {

class LoginFlows {
 public:
  static constexpr std::chrono::minutes kLife{10};
  static constexpr std::size_t kMaxFlows = 1'000;
  static constexpr std::size_t kMaxFlowsOfPrefix = 32;

  // Who asked, and where the user is to be sent.
  struct Flow {
    std::string client_id;
    std::string redirect_uri;
    CodeChallenge challenge;
  };

  // `clock` must outlive it.
  explicit LoginFlows(const base::Clock& clock) : clock_(clock) {}

  // Returns its id: 32 hexadecimal digits.
  std::string begin(Flow flow, const Address& from);
  std::optional<Flow> find(std::string_view id);
  // False where there is none: of two that finish a flow, one does.
  bool end(std::string_view id);

 private:
  struct Entry {
    Flow flow;
    AddressPrefix from;
    base::SteadyTime expires_at;
    std::uint64_t number;
  };
  void forget_old(const AddressPrefix& from, base::SteadyTime now) __attribute__((requires_capability(mutex_)));

  const base::Clock& clock_;
  base::Mutex mutex_;
  std::uint64_t begun_ __attribute__((guarded_by(mutex_))) = 0;
  std::map<std::string, Entry, std::less<>> flows_ __attribute__((guarded_by(mutex_)));
};

}  // namespace hearth::auth
