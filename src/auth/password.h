// SPDX-License-Identifier: Apache-2.0
// Passwords, stored as argon2id hashes; as bcrypt hashes if they came from another hub and have not been used since.
// Any thread. Each call takes some 50 ms and 64 MiB, and where bcrypt is concerned what that takes: never on a thread
// that serves others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hearth::auth {

constexpr std::size_t kMinPasswordLength = 8;  // code points (contract, Weight, and strangers)
constexpr std::size_t kMaxPasswordBytes = 1'024;

// True if this password may be chosen; one chosen under an older rule stays valid. Fails with invalid; the message
// names the rule. Takes no time.
base::Result<void> check_new_password(std::string_view password);

// Fails as check_new_password does, and with unavailable if memory runs out.
base::Result<std::string> hash_password(std::string_view password);

// For a password that is in use already, whichever rule it was chosen under. Fails with unavailable.
base::Result<std::string> hash_known_password(std::string_view password);

// Fails with invalid if no password can match this stored text; the message says why, and shows nothing of it. Takes no
// time. Empty is nobody's password, and good.
base::Result<void> check_password_hash(const std::string& hash);

// An empty or unreadable hash matches nothing and takes as long as any: callers cannot tell whether a user exists.
//
// `highest_bcrypt_cost` is that of the stored hashes, 0 if none is bcrypt. As long as there are any, every wrong
// password takes an argon2id hash and a bcrypt hash of that cost, whichever of them its user has: otherwise the time
// would tell the names of those who came from elsewhere.
bool password_matches(const std::string& hash, std::string_view password, int highest_bcrypt_cost = 0);

// The bcrypt costs to spend after a wrong password, so that, with the user's own (0 if that is not bcrypt), they take
// as long as one of the highest.
std::vector<int> further_bcrypt_costs(int own, int highest);

}  // namespace hearth::auth
