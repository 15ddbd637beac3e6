// SPDX-License-Identifier: Apache-2.0
// Answers requests from the accounts' thread, because the answer waits for a password's hash or the database.
#pragma once

#include <functional>

#include "auth/accounts/gate.h"
#include "http/messages/handler.h"

namespace hearth::api {

// Lets the accounts' thread make the answer, and sends it when what it changed is in force. 503 if too many of the line
// wait there. `make` must not refer to the request.
void answer_from_accounts(auth::Gate& gate, http::Responder responder,
                          std::move_only_function<http::Response(auth::AccountStore&)> make,
                          auth::Accounts::Queue queue = auth::Accounts::Queue::authenticated);

// An error of the accounts' store as a client may see it: a failure of the database is logged, and only that there
// is one is said.
base::Error for_client(base::Error error);
http::Response account_error(const base::Error& error);

// For a login that failed for another reason than a wrong password.
http::Response login_error(const auth::LoginFailure& failure);

}  // namespace hearth::api
