// SPDX-License-Identifier: Apache-2.0
#include "api/accounts/accounts_answer.h"
#include "api/handlers.h"
#include "api/system/home_settings.h"

namespace hearth::api {

void check_config::post(const Call& call, http::Responder responder) {
  answer_from_accounts(call.gate, std::move(responder), [&settings = call.settings](auth::AccountStore&) {
    const auto valid = settings.check_file();
    return http::Response::json(base::to_json(json::object{
        {"result", valid ? "valid" : "invalid"},
        {"errors", valid ? json::value() : json::value(valid.error().message)},
        {"warnings", nullptr},
    }));
  });
}

}  // namespace hearth::api
