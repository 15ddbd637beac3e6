// SPDX-License-Identifier: Apache-2.0
#include "api/accounts/accounts_answer.h"
#include "api/accounts/first_start.h"
#include "api/gateway/json_body.h"
#include "api/rows.h"
#include "audit/kinds.h"
#include "auth/login_client.h"

namespace hearth::api {
namespace {

struct FirstUser {
  auth::NewUser user;
  std::string client_id;
  std::string code;  // empty if there is none
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
  auto code = optional_text_field(*body, "code");
  if (!code) return std::unexpected(std::move(code.error()));
  first.code = std::move(*code).value_or("");
  if (auto good = auth::check_client_id(first.client_id); !good) return std::unexpected(std::move(good.error()));
  return first;
}

base::Result<http::Response> get_onboarding(const Call& call) {
  json::object step{{"step", "user"}, {"done", call.gate.accounts.any_users()}};
  if (!call.gate.accounts.any_users() && needs_code(call)) step["needs_code"] = true;
  return http::Response::json(base::to_json(json::array{std::move(step)}));
}

// Fails with invalid, forbidden.
void post_first_user(const Call& call, http::Responder responder) {
  if (auto refused = refuse_second_start(call)) return responder.send(std::move(*refused));
  if (!is_media_type(call.request.headers.content_type, http::Response::kJson)) {
    return responder.send(http::Response::message(400, "Content-Type: expected application/json."));
  }
  auto first = parse_first_user(call.request.body);
  if (!first) return responder.send(http::Response::error(first.error()));
  if (auto refused = refuse_code(call, "code", first->code)) return responder.send(std::move(*refused));
  answer_from_accounts(
      call.gate, std::move(responder),
      [&gate = call.gate, first = std::move(*first),
       address = call.request.client.to_string()](auth::AccountStore& store) {
        if (gate.audit) {
          auto recorded = gate.audit->record_now({.what = std::string(audit::kind::kFirstUser),
                                                  .user = first.user.name,
                                                  .address = address,
                                                  .client = first.client_id});
          if (!recorded) return http::Response::error(recorded.error());
        }
        const auto user = store.add_first_administrator(first.user);
        if (!user) return account_error(user.error());
        return http::Response::json(base::to_json(json::object{
            {"auth_code", gate.codes.issue({user->id, user->password_version, first.client_id, {}, {}})}}));
      },
      auth::Accounts::Queue::passwords);
}

constexpr Answer kOnboarding[] = {{200, "The steps of a home's first start, done or not.", "Onboarding"}};
constexpr Answer kAuthCode[] = {
    {200, "The user is there; the code is good for tokens.", "AuthCode"},
    {403, "This home has its first user already, the code is missing or wrong, or a page of another site asks.",
     "Message"}};
constexpr Body kFirstUser{"FirstUser", true};

}  // namespace

constexpr Endpoint kOnboardingEndpointRows[] = {
    {http::Verb::get, "/api/onboarding", Access::open, get_onboarding, Durable::no,
     "Whether the home has its first user", kOnboarding},
    {http::Verb::post,
     "/api/onboarding/users",
     Access::open,
     post_first_user,
     Durable::no,
     "Make the first administrator",
     kAuthCode,
     {},
     &kFirstUser},
};
constexpr Endpoints kOnboardingEndpoints = kOnboardingEndpointRows;

}  // namespace hearth::api
