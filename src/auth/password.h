// SPDX-License-Identifier: Apache-2.0
// Passwords, kept as argon2id hashes. Any thread. Each call takes some 50 ms and 64 MiB: never on a thread that serves
// others.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace hearth::auth {

constexpr std::size_t kMaxPasswordBytes = 1'024;

// Fails with invalid where the password is empty or too long, with unavailable where memory is short.
base::Result<std::string> hash_password(std::string_view password);

// An empty hash is no one's, and takes as long to refuse as any: who asks cannot tell whether a user exists.
bool password_matches(const std::string& hash, std::string_view password);

}  // namespace hearth::auth
