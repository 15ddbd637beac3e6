// SPDX-License-Identifier: Apache-2.0
#include "api/accounts/accounts_answer.h"
#include "api/accounts/authorization_request.h"
#include "api/gateway/json_body.h"
#include "api/rows.h"
#include "auth/login_client.h"

namespace hearth::api {
namespace {

using base::ErrorCode;
using base::fail;

json::array handler() {
  return {"homeassistant", nullptr};
}

http::Response form(std::string_view flow_id, bool wrong_password) {
  json::object errors;
  if (wrong_password) errors["base"] = "invalid_auth";
  const auto field = [](std::string_view name) {
    return json::object{{"type", "string"}, {"name", name}, {"required", true}};
  };
  return http::Response::json(base::to_json(json::object{{"type", "form"},
                                                         {"flow_id", flow_id},
                                                         {"handler", handler()},
                                                         {"step_id", "init"},
                                                         {"data_schema", {field("username"), field("password")}},
                                                         {"errors", std::move(errors)},
                                                         {"description_placeholders", nullptr},
                                                         {"last_step", nullptr},
                                                         {"preview", nullptr}}));
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
  std::string username;
  std::string password;
};

base::Result<Step> parse_step(const Call& call, std::string_view flow_id) {
  const auto body = parse_json_body(call.request.body);
  if (!body) return std::unexpected(body.error());
  const auto client_id = text_field(*body, "client_id");
  if (!client_id) return std::unexpected(client_id.error());
  auto username = text_field(*body, "username");
  if (!username) return std::unexpected(username.error());
  auto password = text_field(*body, "password");
  if (!password) return std::unexpected(password.error());
  auto flow = call.gate.flows.find(flow_id);
  if (!flow || flow->client_id != *client_id) return std::unexpected(no_flow());
  return Step{std::move(*flow), std::move(*username), std::move(*password)};
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
  return form(call.gate.flows.begin({std::move(*client_id), std::move(*redirect_uri), std::move(*challenge)}), false);
}

// Fails with invalid, not_found.
void continue_login(const Call& call, http::Responder responder) {
  std::string flow_id(call.path(2));
  auto step = parse_step(call, flow_id);
  if (!step) return responder.send(http::Response::error(step.error()));
  auto shared = std::make_shared<http::Responder>(std::move(responder));
  call.gate.log_in(call.request.client, std::move(step->username), std::move(step->password),
                   [shared, &gate = call.gate, flow_id = std::move(flow_id),
                    flow = std::move(step->flow)](auth::LoginResult result) {
                     if (!result && result.error().error.code == ErrorCode::unauthorized) {
                       return shared->send(form(flow_id, true));
                     }
                     if (!result) return shared->send(login_error(result.error()));
                     if (!gate.flows.end(flow_id)) return shared->send(http::Response::error(no_flow()));
                     shared->send(entry(flow_id, gate.codes.issue({result->id, result->password_version, flow.client_id,
                                                                   flow.redirect_uri, flow.challenge})));
                   });
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
