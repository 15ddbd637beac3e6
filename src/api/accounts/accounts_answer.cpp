// SPDX-License-Identifier: Apache-2.0
#include "api/accounts/accounts_answer.h"

#include <memory>

#include "base/log/log.h"

namespace hearth::api {

void answer_from_accounts(auth::Gate& gate, http::Responder responder,
                          std::move_only_function<http::Response(auth::AccountStore&)> make,
                          auth::Accounts::Queue queue) {
  auto shared = std::make_shared<http::Responder>(std::move(responder));
  const bool posted = gate.accounts.post(
      [shared, make = std::move(make)](auth::AccountStore& store) mutable -> auth::Accounts::Reply {
        return {[shared, response = make(store)]() mutable { shared->send(std::move(response)); }};
      },
      queue);
  if (!posted) shared->send(http::Response::message(503, "The hub has too much to do with accounts. Try again soon."));
}

base::Error for_client(base::Error error) {
  if (error.code != base::ErrorCode::internal && error.code != base::ErrorCode::unavailable) return error;
  base::log_error("auth", "{}", error.message);
  if (error.code == base::ErrorCode::unavailable) return {error.code, std::string(auth::kDatabaseFails)};
  return {base::ErrorCode::internal, "Internal error."};
}

http::Response account_error(const base::Error& error) {
  return http::Response::error(for_client(error));
}

http::Response login_error(const auth::LoginFailure& failure) {
  http::Response response = http::Response::error(failure.error);
  if (failure.retry_after.count() > 0) {
    response.with_header("Retry-After", std::to_string(failure.retry_after.count()));
  }
  return response;
}

}  // namespace hearth::api
