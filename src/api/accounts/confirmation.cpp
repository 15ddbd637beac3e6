// SPDX-License-Identifier: Apache-2.0
#include "api/accounts/confirmation.h"

#include <algorithm>
#include <chrono>

#include "api/accounts/account_reply.h"
#include "api/gateway/connection.h"

namespace hearth::api {
namespace {

constexpr std::chrono::minutes kFreshLogin{10};

// True if the caller's own session began a moment ago.
bool has_just_logged_in(auth::AccountStore& store, const base::Id& user_id, std::string_view token_id,
                        base::Timestamp now) {
  const auto tokens = store.refresh_tokens(user_id);
  if (!tokens) return false;
  const auto own = std::ranges::find(*tokens, token_id, &auth::RefreshToken::id);
  return own != tokens->end() && own->type == auth::TokenType::normal && now - own->created_at < kFreshLogin;
}

}  // namespace

void reply_if_confirmed(const CommandCall& call, CommandReply reply, std::optional<std::string> password,
                        std::move_only_function<CommandResult(auth::AccountStore&)> make) {
  const auth::Identity& caller = *call.caller;
  if (!password) {
    return reply_from_accounts(
        call.gate, std::move(reply),
        [user_id = caller.user->id, token_id = caller.token_id, now = call.gate.clock().now(),
         make = std::move(make)](auth::AccountStore& store) mutable -> CommandResult {
          if (has_just_logged_in(store, user_id, token_id, now)) return make(store);
          return std::unexpected(
              CommandError(kInvalidPassword, "This needs current_password, or a login of the last ten minutes."));
        });
  }
  auto attempt =
      call.gate.throttle.begin(call.connection.client(), caller.user->name, auth::LoginPurpose::password_change);
  if (!attempt) return reply.send(too_many_logins());
  auto shared = std::make_shared<CommandReply>(std::move(reply));
  const bool posted = call.gate.accounts.post(
      [shared, name = caller.user->name, password = std::move(*password), attempt = std::move(*attempt),
       make = std::move(make)](auth::AccountStore& store) mutable -> auth::Accounts::Reply {
        const auto user = store.verify_password(name, password);
        if (user) {
          attempt.succeeded();
          return {[shared, result = make(store)]() mutable { shared->send(std::move(result)); }};
        }
        if (user.error().code != base::ErrorCode::unauthorized) {
          return {[shared, result = CommandResult(account_failure(user.error()))]() mutable {
            shared->send(std::move(result));
          }};
        }
        return {[shared] {
                  shared->send(std::unexpected(CommandError(kInvalidPassword, "The current password is wrong.")));
                },
                attempt.failed()};
      },
      auth::Accounts::Queue::passwords);
  if (!posted) shared->send(accounts_busy());
}

}  // namespace hearth::api
