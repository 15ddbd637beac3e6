// SPDX-License-Identifier: Apache-2.0
#include "api/rows.h"
#include "base/text/timestamp.h"
#include "core/values/integration_status.h"

namespace hearth::api {
namespace {

json::value null_if_empty(const std::string& text) {
  return text.empty() ? json::value() : json::value(text);
}

json::object described(const core::IntegrationStatus& status) {
  return {{"name", status.name},
          {"state", core::to_string(status.state)},
          {"since", base::to_string(status.since)},
          {"error", null_if_empty(status.error)},
          {"retry_at", status.retry_at ? json::value(base::to_string(*status.retry_at)) : json::value()},
          {"attempts", status.attempts},
          {"failures", status.failures},
          {"last_failure", null_if_empty(status.last_failure)}};
}

base::Result<http::Response> list_integrations(const Call& call) {
  json::array list;
  for (const auto& status : call.home.integrations()) list.push_back(described(status));
  return http::Response::json(base::to_json(json::value(std::move(list))));
}

constexpr Answer kIntegrations[] = {
    {200, "How each integration does, in the order of configuration.yaml.", "Integrations"}};

}  // namespace

constexpr Endpoint kIntegrationEndpointRows[] = {
    {http::Verb::get, "/api/integrations", Access::user, list_integrations, Durable::no, "How the integrations do",
     kIntegrations},
};
constexpr Endpoints kIntegrationEndpoints = kIntegrationEndpointRows;

}  // namespace hearth::api
