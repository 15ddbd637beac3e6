// SPDX-License-Identifier: Apache-2.0
// Codes for the day when the authenticator app is gone: 60 random bits, written as abcd-efgh-ijkl, each good once. Only
// their hashes are stored. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "auth/token.h"
#include "base/id.h"

namespace hearth::auth {

constexpr std::size_t kRecoveryCodes = 10;  // that a user gets at once

std::vector<std::string> make_recovery_codes();

// The same for each way in which people type a code: case, spaces and dashes do not count. Of the user too, so that no
// table of hashes fits two homes.
TokenHash hash_recovery_code(const base::Id& user_id, std::string_view code);

}  // namespace hearth::auth
