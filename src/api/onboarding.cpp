// SPDX-License-Identifier: Apache-2.0
#include "api/accounts_answer.h"
#include "api/handlers.h"
#include "api/json_body.h"
#include "auth/login_client.h"

namespace hearth::api {
namespace {

struct FirstUser {
  auth::NewUser user;
  std::string client_id;
};

base::Result<FirstUser> parse_first_user(std::string_view text) {
  const auto body = parse_json_body(text);
  if (!body) return std::unexpected(body.error());
  FirstUser first;
  for (const auto& [name, to] : {std::pair<std::string_view, std::string*>{"name", &first.user.display_name},
                                 {"username", &first.user.name},
                                 {"password", &first.user.password.emplace()},
                                 {"client_id", &first.client_id}}) {
    auto field = text_field(*body, name);
    if (!field) return std::unexpected(std::move(field.error()));
    *to = std::move(*field);
  }
  // The home's language is another matter: config/core/update.
  if (auto language = optional_text_field(*body, "language"); !language) {
    return std::unexpected(std::move(language.error()));
  }
  if (auto good = auth::check_client_id(first.client_id); !good) return std::unexpected(std::move(good.error()));
  return first;
}

http::Response done() {
  return http::Response::error({base::ErrorCode::forbidden, "This home has its first user already."});
}

}  // namespace

base::Result<http::Response> onboarding::get(const Call& call) {
  return http::Response::json(
      base::to_json(json::array{json::object{{"step", "user"}, {"done", call.gate.accounts.any_users()}}}));
}

void onboarding::post_user(const Call& call, http::Responder responder) {
  if (call.gate.accounts.any_users()) return responder.send(done());
  auto first = parse_first_user(call.request.body);
  if (!first) return responder.send(http::Response::error(first.error()));
  answer_from_accounts(call.gate, std::move(responder),
                       [&codes = call.gate.codes, first = std::move(*first)](auth::AccountStore& store) {
                         const auto user = store.add_first_administrator(first.user);
                         if (!user) return account_error(user.error());
                         return http::Response::json(base::to_json(json::object{
                             {"auth_code", codes.issue({user->id, user->password_version, first.client_id, {}, {}})}}));
                       });
}

}  // namespace hearth::api
