// SPDX-License-Identifier: Apache-2.0
// bcrypt, in which other hubs keep their passwords: `$2a$`, `$2b$` or `$2y$`, the cost in two digits, `$`, and 53
// characters of salt and digest. This program makes none of them. Any thread; a check takes 0.2 s at cost 12, twice as
// long for each one more: never on a thread that serves others.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace hearth::auth {

inline constexpr int kMinBcryptCost = 4;
inline constexpr int kMaxBcryptCost = 14;
inline constexpr std::size_t kBcryptBytes = 72;  // of a password; what follows is not looked at

bool is_bcrypt(std::string_view hash);  // by its first characters alone

// The cost of a whole hash. Fails with invalid; the message says what is wrong with it, and shows nothing of it.
base::Result<int> bcrypt_cost(std::string_view hash);

// By the first kBcryptBytes of the password; one with a NUL byte matches nothing, in the same time. REQUIRES: a hash
// that has a cost.
bool bcrypt_matches(const std::string& hash, std::string_view password);

// Takes as long as a check at this cost.
void spend_bcrypt(int cost, std::string_view password);

}  // namespace hearth::auth
