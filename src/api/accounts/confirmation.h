// SPDX-License-Identifier: Apache-2.0
// Changes of how a user logs in need the password again, or a session whose user has logged in a moment ago: a tablet
// that lies about must not lock its owner out, nor let in who has found it. Clients of this family ask for no password:
// with them such a change follows the login.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "api/gateway/command.h"

namespace hearth::api {

constexpr std::string_view kInvalidPassword = "invalid_current_password";

// As reply_from_accounts, for a caller who has shown who they are. A password that is given counts as a login. Fails
// with invalid_current_password.
void reply_if_confirmed(const CommandCall& call, CommandReply reply, std::optional<std::string> password,
                        std::move_only_function<CommandResult(auth::AccountStore&)> make);

}  // namespace hearth::api
