// SPDX-License-Identifier: Apache-2.0
// The authenticator app as clients of this family know it: a module of multi-factor authentication. Any thread.
#pragma once

#include <string_view>

#include "auth/user.h"
#include "base/json/json.h"

namespace hearth::api {

constexpr std::string_view kTotpModule = "totp";
constexpr std::string_view kTotpName = "Authenticator app";

// The modules that the hub has, and which of them the user uses.
json::array mfa_modules(const auth::User& user);

}  // namespace hearth::api
