// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "api/accounts/accounts_answer.h"
#include "api/accounts/login_page.h"
#include "api/frontend/folder.h"
#include "api/handlers.h"
#include "api/records.h"
#include "http/messages/form.h"

namespace hearth::api {
namespace {

// A page of another site can post a form here, but it can neither set this cookie nor read it (double submit).
constexpr std::string_view kCookie = "hearth_login";

std::string_view cookie(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    const auto end = std::min(header.find(';'), header.size());
    std::string_view pair = header.substr(0, end);
    header.remove_prefix(std::min(end + 1, header.size()));
    while (pair.starts_with(' ')) pair.remove_prefix(1);
    const auto equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == name) return pair.substr(equals + 1);
  }
  return {};
}

// What the user's browser has from an earlier page, else a fresh one.
std::string form_token(const http::Request& request) {
  const std::string_view kept = cookie(request.headers.cookie, kCookie);
  return auth::is_code_challenge(kept) ? std::string(kept) : auth::make_token();
}

http::Response with_cookie(http::Response response, std::string_view token) {
  response.with_header(
      "Set-Cookie", fmt::format("{}={}; Path=/auth/authorize; Max-Age=3600; HttpOnly; SameSite=Lax", kCookie, token));
  return response;
}

http::Response redirect(const AuthorizationRequest& request, std::string_view code) {
  return std::move(
      http::Response::message(303, "Go on at the address in Location.").with_header("Location", request.target(code)));
}

}  // namespace

base::Result<http::Response> authorize::get(const Call& call) {
  const auto request =
      AuthorizationRequest::parse([&](std::string_view name) { return call.request.target.query(name); });
  if (!request) return std::unexpected(request.error());
  const std::string home = call.home.config()->location_name;
  if (!call.gate.accounts.any_users()) return no_user_page(home);
  if (call.records.frontend) return call.records.frontend->login_page(call.request.headers);
  const std::string token = form_token(call.request);
  return with_cookie(login_page({home, *request, token, {}, {}}), token);
}

void authorize::post(const Call& call, http::Responder responder) {
  const auto form = http::Form::parse(call.request.headers.content_type, call.request.body);
  if (!form) return responder.send(http::Response::error(form.error()));
  auto request = AuthorizationRequest::parse([&](std::string_view name) { return form->field(name); });
  if (!request) return responder.send(http::Response::error(request.error()));

  std::string home = call.home.config()->location_name;
  std::string token = form_token(call.request);
  std::string username(form->field("username").value_or(""));
  if (form->field("form_token").value_or("") != cookie(call.request.headers.cookie, kCookie) ||
      form->field("form_token").value_or("").empty()) {
    const std::string_view problem = "This form is too old, or the browser keeps no cookies. Try again.";
    return responder.send(with_cookie(login_page({home, *request, token, problem, username}, 400), token));
  }
  auto shared = std::make_shared<http::Responder>(std::move(responder));
  auth::AuthorizationCodes& codes = call.gate.codes;
  call.gate.log_in(
      call.request.client, username, std::string(form->field("password").value_or("")),
      [shared, &codes, request = std::move(*request), home = std::move(home), token = std::move(token),
       username](auth::LoginResult result) {
        if (result) {
          return shared->send(redirect(request, codes.issue({result->id, result->password_version, request.client_id,
                                                             request.redirect_uri, request.challenge})));
        }
        const http::Response plain = login_error(result.error());
        const bool wrong = result.error().error.code == base::ErrorCode::unauthorized;
        http::Response page =
            login_page({home, request, token, result.error().error.message, username}, wrong ? 200 : plain.status);
        if (!wrong) page.headers += plain.headers;
        shared->send(with_cookie(std::move(page), token));
      });
}

}  // namespace hearth::api
