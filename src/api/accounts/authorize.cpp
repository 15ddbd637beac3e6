// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <functional>
#include <optional>

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

// The value that the user's browser has from an earlier page, else a fresh one.
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

// One form that was sent, until its answer.
struct PageLogin {
  auth::Gate& gate;
  http::Responder responder;
  const AuthorizationRequest request;
  const std::string home;   // its name
  const std::string token;  // of the form
  const std::string username;
  std::string flow_id;  // of who has shown the password; else empty

  LoginPage page(std::string_view problem) const { return {home, request, token, problem, username}; }

  void send(http::Response response) { responder.send(with_cookie(std::move(response), token)); }

  void begin_again(std::string_view problem) { send(login_page(page(problem), 400)); }

  // The factor that the flow owes, if it is one of this request.
  std::optional<auth::LoginFlows::Passed> passed() const {
    const auto flow = gate.flows.find(flow_id);
    const bool own = flow && flow->client_id == request.client_id && flow->redirect_uri == request.redirect_uri &&
                     flow->challenge == request.challenge;
    return own ? gate.flows.passed(flow_id) : std::nullopt;
  }

  void finish(const auth::User& user) {
    responder.send(redirect(request, gate.codes.issue({user.id, user.password_version, request.client_id,
                                                       request.redirect_uri, request.challenge})));
  }

  // The page again, with what was wrong.
  void refuse(const auth::LoginFailure& failure, const std::function<http::Response(const LoginPage&, int)>& again) {
    const http::Response plain = login_error(failure);
    const bool wrong = failure.error.code == base::ErrorCode::unauthorized;
    http::Response response = again(page(failure.error.message), wrong ? 200 : plain.status);
    if (!wrong) response.headers += plain.headers;
    send(std::move(response));
  }

  void after_password(const auth::LoginResult& result) {
    if (!result) return refuse(result.error(), login_page);
    const auto owed = gate.owed_factor(*result);
    if (!owed) return finish(*result);
    flow_id = gate.flows.begin({request.client_id, request.redirect_uri, request.challenge});
    gate.flows.pass(flow_id, *owed);
    send(code_page(page({}), flow_id, *owed));
  }

  void after_code(const auth::LoginFlows::Passed& owed, const auth::LoginResult& result) {
    if (result) return gate.flows.end(flow_id) ? finish(*result) : begin_again("This login has ended. Log in again.");
    if (result.error().error.code == base::ErrorCode::unauthorized && !gate.flows.count_wrong_code(flow_id)) {
      return begin_again("Too many wrong codes. Log in again.");
    }
    refuse(result.error(), [&](const LoginPage& shown, int status) { return code_page(shown, flow_id, owed, status); });
  }
};

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
  auto login = std::make_shared<PageLogin>(PageLogin{call.gate, std::move(responder), std::move(*request),
                                                     std::move(home), std::move(token), std::move(username),
                                                     std::string(form->field("login").value_or(""))});
  if (login->flow_id.empty()) {
    return call.gate.log_in(call.request.client, login->username, std::string(form->field("password").value_or("")),
                            [login](const auth::LoginResult& result) { login->after_password(result); });
  }
  const auto passed = login->passed();
  if (!passed) return login->begin_again("This took too long. Log in again.");
  call.gate.check_second_factor(
      call.request.client, *passed, std::string(form->field("code").value_or("")),
      [login, passed = *passed](const auth::LoginResult& result) { login->after_code(passed, result); });
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
