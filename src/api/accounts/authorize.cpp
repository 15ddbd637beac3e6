// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "api/accounts/accounts_answer.h"
#include "api/accounts/login_page.h"
#include "api/frontend/folder.h"
#include "api/parts.h"
#include "api/rows.h"
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

// Fails with invalid.
base::Result<http::Response> get_login_page(const Call& call) {
  const auto request =
      AuthorizationRequest::parse([&](std::string_view name) { return call.request.target.query(name); });
  if (!request) return std::unexpected(request.error());
  const std::string home = call.home.config()->location_name;
  if (!call.gate.accounts.any_users()) return no_user_page(home);
  if (call.parts.frontend) return call.parts.frontend->login_page(call.request.headers);
  const std::string token = form_token(call.request);
  return with_cookie(login_page({home, *request, token, {}, {}}), token);
}

// Fails with invalid.
void post_login_page(const Call& call, http::Responder responder) {
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

constexpr Answer kLoginPage[] = {{200, "The page on which the user logs in.", "Page", "text/html"}};
constexpr Answer kLoggedIn[] = {
    {200, "The page again, with what was wrong.", "Page", "text/html"},
    {303, "Logged in: Location leads to redirect_uri, with the code.", "Message"},
    {400, "A parameter is wrong; or the form is too old, and the page comes again.", "Message"},
    {400, "A parameter is wrong; or the form is too old, and the page comes again.", "Page", "text/html"}};
constexpr Parameter kAuthorization[] = {
    {"response_type", "Always code.", R"({"type": "string", "enum": ["code"]})"},
    {"client_id", "The address of the client's web page.", R"({"$ref": "#/components/schemas/ClientId"})", false, true},
    {"redirect_uri", "Where the user goes then.", R"({"$ref": "#/components/schemas/RedirectUri"})", false, true},
    {"state", "Comes back with the code, as it is.", R"({"$ref": "#/components/schemas/Line"})"},
    {"code_challenge", "PKCE: the SHA-256 of the code_verifier, as base64url; with its method.",
     R"({"$ref": "#/components/schemas/CodeChallenge"})"},
    {"code_challenge_method", "Always S256.", R"({"type": "string", "enum": ["S256"]})"}};
constexpr Body kAuthorizeForm{"AuthorizeForm", true, true};

}  // namespace

constexpr Endpoint kAuthorizeEndpointRows[] = {
    {http::Verb::get, "/auth/authorize", Access::open, get_login_page, Durable::no, "The page to log in on", kLoginPage,
     kAuthorization},
    {http::Verb::post,
     "/auth/authorize",
     Access::open,
     post_login_page,
     Durable::no,
     "The form of that page",
     kLoggedIn,
     {},
     &kAuthorizeForm},
};
constexpr Endpoints kAuthorizeEndpoints = kAuthorizeEndpointRows;

}  // namespace hearth::api
