// SPDX-License-Identifier: Apache-2.0
// Long-lived tokens of the old hub: what they are follows from what it keeps of them. Any thread.
#pragma once

#include <string_view>
#include <vector>

#include "auth/token.h"
#include "base/clock.h"

namespace hearth::import_ha {

// Hashes of all texts that a long-lived token may have: a signed claim of the whole second in which it was made, or of
// the one before or after, with its head in either order of keys. `lifetime` in seconds.
std::vector<auth::TokenHash> hashes_of_token(std::string_view id, std::string_view key, base::Timestamp created_at,
                                             double lifetime);

}  // namespace hearth::import_ha
