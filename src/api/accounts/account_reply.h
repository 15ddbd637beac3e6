// SPDX-License-Identifier: Apache-2.0
// Lets the accounts' thread make the results of WebSocket commands.
#pragma once

#include <functional>
#include <memory>

#include "api/gateway/command.h"

namespace hearth::api {

// Lets the accounts' thread make the result, and sends it when what it changed is in force. Fails with
// home_assistant_error where too much waits there. `make` must not refer to the call.
void reply_from_accounts(auth::Gate& gate, CommandReply reply,
                         std::move_only_function<CommandResult(auth::AccountStore&)> make);

// As above for a command that subscribes: the result, and what follows it on the connection's thread. The command's
// place among the subscriptions has to be taken before; where too much waits it is given back.
struct Beginning {
  CommandResult result;
  std::function<void(Connection&)> then;
};
void subscribe_from_accounts(const CommandCall& call, CommandReply reply,
                             std::move_only_function<Beginning(auth::AccountStore&)> make);

// As above for what may end the caller's own connection: `make` says what there is to say itself, before it does that.
void run_for_reply(auth::Gate& gate, CommandReply reply,
                   std::move_only_function<void(auth::AccountStore&, CommandReply)> run);

// The refusals where too much waits, and where the throttle lets nobody try.
std::unexpected<CommandError> accounts_busy();
std::unexpected<CommandError> too_many_logins();

// An error of the store; nothing of a failure of the database is said.
std::unexpected<CommandError> account_failure(base::Error error);

}  // namespace hearth::api
