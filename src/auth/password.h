// SPDX-License-Identifier: Apache-2.0
// Passwords, kept as argon2id hashes. Any thread. Each call takes some 50 ms and 64 MiB: never on a thread that serves
// others.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace hearth::auth {

constexpr std::size_t kMinPasswordLength = 8;  // code points (contract, Weight, and strangers)
constexpr std::size_t kMaxPasswordBytes = 1'024;

// Whether somebody may choose this password; one that was chosen under another rule still lets its user in. Fails with
// invalid; the message names the rule. Takes no time.
base::Result<void> check_new_password(std::string_view password);

// Fails as check_new_password does, and with unavailable if memory is short.
base::Result<std::string> hash_password(std::string_view password);

// An empty hash is no one's, and takes as long to refuse as any: who asks cannot tell whether a user exists.
bool password_matches(const std::string& hash, std::string_view password);

}  // namespace hearth::auth
