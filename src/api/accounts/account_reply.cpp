// SPDX-License-Identifier: Apache-2.0
#include "api/accounts/account_reply.h"

#include "api/accounts/accounts_answer.h"
#include "api/gateway/connection.h"

namespace hearth::api {
std::unexpected<CommandError> accounts_busy() {
  return std::unexpected(
      CommandError(command_error::kHomeAssistantError, "The hub has too much to do with accounts. Try again soon."));
}

std::unexpected<CommandError> too_many_logins() {
  return std::unexpected(CommandError(command_error::kHomeAssistantError, "Too many failed logins. Try again later."));
}

void reply_from_accounts(auth::Gate& gate, CommandReply reply,
                         std::move_only_function<CommandResult(auth::AccountStore&)> make) {
  auto shared = std::make_shared<CommandReply>(std::move(reply));
  const bool posted =
      gate.accounts.post([shared, make = std::move(make)](auth::AccountStore& store) mutable -> auth::Accounts::Reply {
        return {[shared, result = make(store)]() mutable { shared->send(std::move(result)); }};
      });
  if (!posted) shared->send(accounts_busy());
}

void subscribe_from_accounts(const CommandCall& call, CommandReply reply,
                             std::move_only_function<Beginning(auth::AccountStore&)> make) {
  auto shared = std::make_shared<CommandReply>(std::move(reply));
  const bool posted = call.gate.accounts.post(
      [shared, make = std::move(make)](auth::AccountStore& store) mutable -> auth::Accounts::Reply {
        return {[shared, beginning = make(store)]() mutable {
          shared->send(std::move(beginning.result), std::move(beginning.then));
        }};
      });
  if (posted) return;
  call.connection.unsubscribe(call.id);
  shared->send(accounts_busy());
}

void run_for_reply(auth::Gate& gate, CommandReply reply,
                   std::move_only_function<void(auth::AccountStore&, CommandReply)> run) {
  auto shared = std::make_shared<CommandReply>(std::move(reply));
  const bool posted =
      gate.accounts.post([shared, run = std::move(run)](auth::AccountStore& store) mutable -> auth::Accounts::Reply {
        run(store, std::move(*shared));
        return {};
      });
  if (!posted) shared->send(accounts_busy());
}

std::unexpected<CommandError> account_failure(base::Error error) {
  return std::unexpected(CommandError(for_client(std::move(error))));
}

}  // namespace hearth::api
