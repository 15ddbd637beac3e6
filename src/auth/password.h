// SPDX-License-Identifier: Apache-2.0
// Passwords, stored as argon2id hashes. Any thread. Each call takes some 50 ms and 64 MiB: never on a thread that
// serves others.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace hearth::auth {

constexpr std::size_t kMinPasswordLength = 8;  // code points (contract, Weight, and strangers)
constexpr std::size_t kMaxPasswordBytes = 1'024;

// Whether this password may be chosen; one chosen under an older rule stays valid. Fails with invalid; the message
// names the rule. Takes no time.
base::Result<void> check_new_password(std::string_view password);

// Fails as check_new_password does, and with unavailable if memory runs out.
base::Result<std::string> hash_password(std::string_view password);

// An empty hash matches nothing and takes as long as any: callers cannot tell whether a user exists.
bool password_matches(const std::string& hash, std::string_view password);

}  // namespace hearth::auth
