// SPDX-License-Identifier: Apache-2.0
// Names of users and tokens. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace hearth::auth {

constexpr std::size_t kMaxNameLength = 64;  // code points

// 1 to kMaxNameLength code points of UTF-8 without control characters. Fails with invalid; `what` starts the message:
// "A user name".
base::Result<void> check_name(std::string_view what, std::string_view name);

// Equal for names that differ only in case, by Unicode's simple case mapping. REQUIRES: UTF-8.
std::string fold_case(std::string_view name);

}  // namespace hearth::auth
