// SPDX-License-Identifier: Apache-2.0
#include "api/accounts/accounts_answer.h"
#include "api/accounts/authorization_request.h"
#include "api/accounts/second_factor.h"
#include "api/gateway/json_body.h"
#include "api/rows.h"
#include "auth/factors/totp.h"
#include "auth/login_client.h"

namespace hearth::api {
namespace {

using base::ErrorCode;
using base::fail;

json::array handler() {
  return {"homeassistant", nullptr};
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

http::Response too_many_codes(std::string_view flow_id) {
  return http::Response::json(base::to_json(json::object{{"type", "abort"},
                                                         {"flow_id", flow_id},
                                                         {"handler", handler()},
                                                         {"reason", "too_many_retry"},
                                                         {"description_placeholders", nullptr}}));
}

http::Response entry(std::string_view flow_id, std::string_view code) {
  return http::Response::json(base::to_json(json::object{{"version", 1},
                                                         {"type", "create_entry"},
                                                         {"flow_id", flow_id},
                                                         {"handler", handler()},
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
  std::string username, password;                  // else
  std::string code;
};

base::Result<Step> parse_step(const Call& call, std::string_view flow_id) {
  const auto body = parse_json_body(call.request.body);
  if (!body) return std::unexpected(body.error());
  const auto client_id = text_field(*body, "client_id");
  if (!client_id) return std::unexpected(client_id.error());
  auto flow = call.gate.flows.find(flow_id);
  if (!flow || flow->client_id != *client_id) return std::unexpected(no_flow());
  Step step{std::move(*flow), call.gate.flows.passed(flow_id), {}, {}, {}};
  const auto read = [&](std::string_view name, std::string& into) -> base::Result<void> {
    auto text = text_field(*body, name);
    if (!text) return std::unexpected(std::move(text.error()));
    into = std::move(*text);
    return {};
  };
  auto good = step.passed ? read("code", step.code) : read("username", step.username);
  if (good && !step.passed) good = read("password", step.password);
  if (!good) return std::unexpected(std::move(good.error()));
  return step;
}

base::Result<http::Response> list_providers(const Call&) {
  static constexpr std::string_view kProviders =
      R"({"providers":[{"name":"Hearth Local","id":null,"type":"homeassistant"}],"preselect_remember_me":true})";
  return http::Response::json(std::string(kProviders));
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
  if (!wanted || *wanted != json::value(handler())) {
    return fail(ErrorCode::invalid, R"(handler: expected ["homeassistant",null].)");
  }
  const auto code_challenge = optional_text_field(*body, "code_challenge");
  if (!code_challenge) return std::unexpected(code_challenge.error());
  const auto method = optional_text_field(*body, "code_challenge_method");
  if (!method) return std::unexpected(method.error());
  auto challenge = parse_challenge(*code_challenge, *method);
  if (!challenge) return std::unexpected(challenge.error());
  return password_form(call.gate.flows.begin({std::move(*client_id), std::move(*redirect_uri), std::move(*challenge)}));
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
    responder.send(entry(flow_id, gate.codes.issue({user.id, user.password_version, flow.client_id, flow.redirect_uri,
                                                    flow.challenge})));
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

  void after_code(const auth::LoginFlows::Passed& passed, const auth::LoginResult& result) {
    if (result) return finish(*result);
    if (result.error().error.code != ErrorCode::unauthorized) return responder.send(login_error(result.error()));
    if (!gate.flows.count_wrong_code(flow_id)) return responder.send(too_many_codes(flow_id));
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
