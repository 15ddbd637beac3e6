// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "api/accounts/accounts_answer.h"
#include "api/accounts/authorization_request.h"
#include "api/accounts/second_factor.h"
#include "api/gateway/json_body.h"
#include "api/rows.h"
#include "auth/factors/passkey.h"
#include "auth/factors/totp.h"
#include "auth/login_client.h"

namespace hearth::api {
namespace {

using base::ErrorCode;
using base::fail;

json::array handler() {
  return {"homeassistant", nullptr};
}

json::array passkey_handler() {
  return {"passkey", nullptr};
}

json::object text_input(std::string_view name) {
  return {{"type", "string"}, {"name", name}, {"required", true}};
}

http::Response form(std::string_view flow_id, std::string_view step, json::array fields, std::string_view problem = {},
                    json::value placeholders = nullptr) {
  json::object errors;
  if (!problem.empty()) errors["base"] = problem;
  return http::Response::json(base::to_json(json::object{{"type", "form"},
                                                         {"flow_id", flow_id},
                                                         {"handler", handler()},
                                                         {"step_id", step},
                                                         {"data_schema", std::move(fields)},
                                                         {"errors", std::move(errors)},
                                                         {"description_placeholders", std::move(placeholders)},
                                                         {"last_step", nullptr},
                                                         {"preview", nullptr}}));
}

http::Response password_form(std::string_view flow_id, std::string_view problem = {}) {
  return form(flow_id, "init", {text_input("username"), text_input("password")}, problem);
}

// `home`: its name.
http::Response code_form(std::string_view flow_id, const auth::LoginFlows::Passed& passed, std::string_view home,
                         std::string_view problem = {}) {
  json::object placeholders{{"mfa_module_name", kTotpName}, {"mfa_module_id", kTotpModule}};
  if (!passed.secret.empty()) {
    placeholders["code"] = auth::to_base32(passed.secret);
    placeholders["url"] = auth::otpauth_url(passed.secret, home, passed.name);
  }
  return form(flow_id, passed.secret.empty() ? "mfa" : "mfa_setup", {text_input("code")}, problem,
              std::move(placeholders));
}

http::Response aborted(std::string_view flow_id, json::array handler, std::string_view reason) {
  return http::Response::json(base::to_json(json::object{{"type", "abort"},
                                                         {"flow_id", flow_id},
                                                         {"handler", std::move(handler)},
                                                         {"reason", reason},
                                                         {"description_placeholders", nullptr}}));
}

// `options`: as navigator.credentials.get takes them (Web Authentication §5.5), bytes in base64url.
http::Response passkey_form(std::string_view flow_id, const auth::RelyingParty& party, std::string_view challenge) {
  json::array fields;
  for (const std::string_view name : {"id", "client_data", "authenticator_data", "signature"}) {
    fields.push_back(text_input(name));
  }
  return http::Response::json(base::to_json(json::object{{"type", "form"},
                                                         {"flow_id", flow_id},
                                                         {"handler", passkey_handler()},
                                                         {"step_id", "passkey"},
                                                         {"data_schema", std::move(fields)},
                                                         {"errors", json::object()},
                                                         {"options",
                                                          {{"challenge", auth::to_base64url(challenge)},
                                                           {"rpId", party.id},
                                                           {"timeout", 60'000},
                                                           {"userVerification", "required"},
                                                           {"allowCredentials", json::array()}}},
                                                         {"description_placeholders", nullptr},
                                                         {"last_step", nullptr},
                                                         {"preview", nullptr}}));
}

http::Response entry(std::string_view flow_id, json::array handler, std::string_view code) {
  return http::Response::json(base::to_json(json::object{{"version", 1},
                                                         {"type", "create_entry"},
                                                         {"flow_id", flow_id},
                                                         {"handler", std::move(handler)},
                                                         {"result", code},
                                                         {"description", nullptr},
                                                         {"description_placeholders", nullptr}}));
}

base::Error no_flow() {
  return {ErrorCode::not_found, "There is no such login, or it took too long."};
}

struct Step {
  auth::LoginFlows::Flow flow;
  std::optional<auth::LoginFlows::Passed> passed;  // where a code is due
  std::string code;
  std::string key_id;  // where a passkey is
  auth::PasskeyAnswer answer;
  std::string username, password;  // else
};

base::Result<Step> parse_step(const Call& call, std::string_view flow_id) {
  const auto body = parse_json_body(call.request.body);
  if (!body) return std::unexpected(body.error());
  const auto client_id = text_field(*body, "client_id");
  if (!client_id) return std::unexpected(client_id.error());
  auto flow = call.gate.flows.find(flow_id);
  if (!flow || flow->client_id != *client_id) return std::unexpected(no_flow());
  Step step{std::move(*flow), call.gate.flows.passed(flow_id), {}, {}, {}, {}, {}};
  base::Result<void> good;
  const auto read = [&](std::string_view name, std::string& into) {
    auto text = good ? text_field(*body, name) : base::Result<std::string>();
    if (!text) good = std::unexpected(std::move(text.error()));
    if (good) into = std::move(*text);
  };
  const auto read_bytes = [&](std::string_view name, std::string& into) {
    read(name, into);
    auto bytes = good ? auth::from_base64url(into) : base::Result<std::string>();
    if (!bytes) good = fail(ErrorCode::invalid, fmt::format("{}: {}.", name, bytes.error().message));
    if (good) into = std::move(*bytes);
  };
  if (step.flow.by_passkey) {
    read("id", step.key_id);
    read_bytes("client_data", step.answer.client_data);
    read_bytes("authenticator_data", step.answer.authenticator_data);
    read_bytes("signature", step.answer.signature);
  } else if (step.passed) {
    read("code", step.code);
  } else {
    read("username", step.username);
    read("password", step.password);
  }
  if (!good) return std::unexpected(std::move(good.error()));
  return step;
}

base::Result<http::Response> list_providers(const Call& call) {
  // Passkeys are no provider in this list: clients of this family would ask for them in text fields.
  return http::Response::json(base::to_json(json::object{
      {"providers", json::array{json::object{{"name", "Hearth Local"}, {"id", nullptr}, {"type", "homeassistant"}}}},
      {"preselect_remember_me", true},
      {"passkeys", call.gate.accounts.any_passkeys() && auth::passkeys_available()}}));
}

// Of the client's own page. Fails with invalid.
base::Result<auth::RelyingParty> party_of(const Call& call, std::string_view client_id) {
  const auto page = auth::check_redirect_uri(client_id, client_id);
  if (!page) return std::unexpected(page.error());
  return auth::relying_party(page->source, call.home.config()->external_url);
}

// Fails with invalid.
base::Result<http::Response> begin_login(const Call& call) {
  const auto body = parse_json_body(call.request.body);
  if (!body) return std::unexpected(body.error());
  auto client_id = text_field(*body, "client_id");
  if (!client_id) return std::unexpected(client_id.error());
  auto redirect_uri = text_field(*body, "redirect_uri");
  if (!redirect_uri) return std::unexpected(redirect_uri.error());
  if (auto good = auth::check_redirect_uri(*redirect_uri, *client_id); !good) return std::unexpected(good.error());
  const json::value* wanted = body->if_contains("handler");
  const bool by_passkey = wanted && *wanted == json::value(passkey_handler());
  if (!by_passkey && (!wanted || *wanted != json::value(handler()))) {
    return fail(ErrorCode::invalid, R"(handler: expected ["homeassistant",null] or ["passkey",null].)");
  }
  const auto code_challenge = optional_text_field(*body, "code_challenge");
  if (!code_challenge) return std::unexpected(code_challenge.error());
  const auto method = optional_text_field(*body, "code_challenge_method");
  if (!method) return std::unexpected(method.error());
  auto challenge = parse_challenge(*code_challenge, *method);
  if (!challenge) return std::unexpected(challenge.error());
  auth::LoginFlows& flows = call.gate.flows;
  if (!by_passkey) {
    return password_form(flows.begin({std::move(*client_id), std::move(*redirect_uri), std::move(*challenge)}));
  }
  const auto party = party_of(call, *client_id);
  if (!party) return std::unexpected(party.error());
  if (!auth::passkeys_available()) {
    return fail(ErrorCode::unavailable, "This hub has no libfido2, which passkeys need.");
  }
  const std::string flow_id =
      flows.begin({std::move(*client_id), std::move(*redirect_uri), std::move(*challenge), true});
  return passkey_form(flow_id, *party, flows.challenge(flow_id).value_or(""));
}

// One step of a login, until its answer.
struct FlowLogin {
  auth::Gate& gate;
  http::Responder responder;
  const std::string flow_id;
  const auth::LoginFlows::Flow flow;
  const std::string home;  // its name

  void finish(const auth::User& user) {
    if (!gate.flows.end(flow_id)) return responder.send(http::Response::error(no_flow()));
    send_code(user);
  }

  void send_code(const auth::User& user) {
    responder.send(
        entry(flow_id, flow.by_passkey ? passkey_handler() : handler(),
              gate.codes.issue({user.id, user.password_version, flow.client_id, flow.redirect_uri, flow.challenge})));
  }

  void after_password(const auth::LoginResult& result) {
    if (!result && result.error().error.code == ErrorCode::unauthorized) {
      return responder.send(password_form(flow_id, "invalid_auth"));
    }
    if (!result) return responder.send(login_error(result.error()));
    const auto passed = gate.owed_factor(*result);
    if (!passed) return finish(*result);
    if (!gate.flows.pass(flow_id, *passed)) return responder.send(http::Response::error(no_flow()));
    responder.send(code_form(flow_id, *passed, home));
  }

  // The flow has ended already: a challenge is good once.
  void after_passkey(const auth::LoginResult& result) {
    if (result) return send_code(*result);
    if (result.error().error.code != ErrorCode::unauthorized) return responder.send(login_error(result.error()));
    responder.send(aborted(flow_id, passkey_handler(), "invalid_passkey"));
  }

  void after_code(const auth::LoginFlows::Passed& passed, const auth::LoginResult& result) {
    if (result) return finish(*result);
    if (result.error().error.code != ErrorCode::unauthorized) return responder.send(login_error(result.error()));
    if (!gate.flows.count_wrong_code(flow_id)) return responder.send(aborted(flow_id, handler(), "too_many_retry"));
    responder.send(code_form(flow_id, passed, home, "invalid_code"));
  }
};

// Fails with invalid, not_found.
void continue_login(const Call& call, http::Responder responder) {
  std::string flow_id(call.path(2));
  auto step = parse_step(call, flow_id);
  if (!step) return responder.send(http::Response::error(step.error()));
  auto login = std::make_shared<FlowLogin>(FlowLogin{call.gate, std::move(responder), std::move(flow_id),
                                                     std::move(step->flow), call.home.config()->location_name});
  if (login->flow.by_passkey) {
    auto challenge = call.gate.flows.challenge(login->flow_id);
    auto party = party_of(call, login->flow.client_id);
    if (!challenge || !party || !call.gate.flows.end(login->flow_id)) {
      return login->responder.send(http::Response::error(no_flow()));
    }
    return call.gate.log_in_by_passkey(call.request.client, std::move(step->key_id),
                                       {std::move(*party), std::move(*challenge)}, std::move(step->answer),
                                       [login](const auth::LoginResult& result) { login->after_passkey(result); });
  }
  if (!step->passed) {
    return call.gate.log_in(call.request.client, std::move(step->username), std::move(step->password),
                            [login](const auth::LoginResult& result) { login->after_password(result); });
  }
  call.gate.check_second_factor(
      call.request.client, *step->passed, std::move(step->code),
      [login, passed = *step->passed](const auth::LoginResult& result) { login->after_code(passed, result); });
}

// Fails with not_found.
base::Result<http::Response> abort_login(const Call& call) {
  if (!call.gate.flows.end(call.path(2))) return std::unexpected(no_flow());
  return http::Response::message(200, "Flow aborted.");
}

constexpr Answer kProviders[] = {{200, "How one can log in.", "Providers"}};
constexpr Answer kLoginForm[] = {{200, "What to ask the user for.", "LoginStep"}};
constexpr Answer kLoginStep[] = {{200, "The code, or the form again with what was wrong.", "LoginStep"}};
constexpr Body kLoginStart{"LoginStart", true};
constexpr Body kLoginInput{"LoginInput", true};

}  // namespace

constexpr Endpoint kLoginFlowEndpointRows[] = {
    {http::Verb::get, "/auth/providers", Access::open, list_providers, Durable::no, "Ways to log in", kProviders},
    {http::Verb::post,
     "/auth/login_flow",
     Access::open,
     begin_login,
     Durable::no,
     "Begin a login",
     kLoginForm,
     {},
     &kLoginStart},
    {http::Verb::post,
     "/auth/login_flow/{flow_id}",
     Access::open,
     continue_login,
     Durable::no,
     "Log in",
     kLoginStep,
     {},
     &kLoginInput,
     true},
    {http::Verb::delete_,
     "/auth/login_flow/{flow_id}",
     Access::open,
     abort_login,
     Durable::no,
     "Abort a login",
     kMessage,
     {},
     nullptr,
     true},
};
constexpr Endpoints kLoginFlowEndpoints = kLoginFlowEndpointRows;

}  // namespace hearth::api
