// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include "api/gateway/saved_answer.h"
#include "api/rows.h"
#include "api/services/described.h"

namespace hearth::api {
namespace {

using base::ErrorCode;
using base::fail;

base::Result<base::Duration> wait_time(const http::Target& target) {
  const auto text = target.query("wait");
  if (!text) return std::chrono::seconds(2);
  double seconds = -1;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), seconds);
  if (error != std::errc() || end != text->data() + text->size() || !(seconds >= 0 && seconds <= 10)) {
    return fail(ErrorCode::invalid, "wait: expected a number of seconds from 0 to 10.");
  }
  return std::chrono::duration_cast<base::Duration>(std::chrono::duration<double>(seconds));
}

base::Result<json::object> service_data(std::string_view body) {
  if (body.empty()) return json::object();
  auto parsed = base::parse_json(body);
  if (!parsed) return fail(ErrorCode::invalid, "Service data should be valid JSON: " + parsed.error().message + ".");
  if (!parsed->is_object()) return fail(ErrorCode::invalid, "Service data should be a JSON object.");
  return std::move(parsed->get_object());
}

base::Result<core::ServiceRequest> service_request(const Call& call) {
  core::ServiceRequest request;
  request.domain = core::lower_case(call.path(2));
  request.service = core::lower_case(call.path(3));
  if (auto may = call.home.may_call(request.domain, request.service); !may) return std::unexpected(may.error());
  const auto wait = wait_time(call.request.target);
  if (!wait) return std::unexpected(wait.error());
  request.wait = *wait;
  auto data = service_data(call.request.body);
  if (!data) return std::unexpected(data.error());
  request.data = std::move(*data);
  request.return_response = call.request.target.has_query("return_response");
  request.context = call.context();
  return request;
}

http::Response answer(const core::CallOutcome& outcome, bool with_response) {
  std::string body = with_response ? R"({"changed_states":[)" : "[";
  bool first = true;
  for (const auto& state : outcome.changed) {
    if (!std::exchange(first, false)) body += ',';
    body += state->json();
  }
  body += ']';
  if (with_response) {
    body += R"(,"service_response":)";
    base::write_json(body, outcome.response);
    body += '}';
  }
  return http::Response::json(std::move(body));
}

base::Result<http::Response> list_services(const Call& call) {
  const auto services = call.home.services();
  json::array domains;
  for (const auto& [domain, by_name] : *services) {
    json::object descriptions;
    for (const auto& [name, service] : *by_name) descriptions[name] = described(call.home, service->description);
    domains.push_back(json::object{{"domain", domain}, {"services", std::move(descriptions)}});
  }
  return http::Response::json(base::to_json(domains));
}

// Fails with invalid, forbidden, not_found.
void post_service_call(const Call& call, http::Responder responder) {
  auto request = service_request(call);
  if (!request) return responder.send(http::Response::error(request.error()));
  const bool with_response = request->return_response;
  auto shared = std::make_shared<http::Responder>(std::move(responder));
  call.home.call(std::move(*request), [shared, with_response, parts = call.parts,
                                       durable = call.durable](const base::Result<core::CallOutcome>& outcome) {
    using Response = base::Result<http::Response>;
    send_when_saved(parts, durable, std::move(*shared),
                    outcome ? Response(answer(*outcome, with_response)) : Response(std::unexpected(outcome.error())));
  });
}

constexpr Answer kServices[] = {{200, "Every service with its fields.", "Services"}};
constexpr Answer kChangedStates[] = {
    {200, "The states that the call changed; with return_response an object of these and the response.", "CallResult"}};
constexpr Parameter kServiceCall[] = {
    {"return_response", "By its presence: answer with what the service has to say, too.",
     R"({"$ref": "#/components/schemas/Line"})"},
    {"wait", "Seconds to wait, at most, for the devices to report.",
     R"({"type": "number", "minimum": 0, "maximum": 10, "default": 2})"}};
constexpr Body kServiceData{"ServiceData"};

}  // namespace

constexpr Endpoint kServiceEndpointRows[] = {
    {http::Verb::get, "/api/services", Access::user, list_services, Durable::no, "All services", kServices},
    {http::Verb::post, "/api/services/{domain}/{service}", Access::call, post_service_call, Durable::registry,
     "Call a service", kChangedStates, kServiceCall, &kServiceData, true},
};
constexpr Endpoints kServiceEndpoints = kServiceEndpointRows;

}  // namespace hearth::api
