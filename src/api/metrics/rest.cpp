// SPDX-License-Identifier: Apache-2.0
#include "api/metrics/entity_metrics.h"
#include "api/metrics/hub_metrics.h"
#include "api/parts.h"
#include "api/rows.h"
#include "core/hub.h"

namespace hearth::api {
namespace {

base::Result<http::Response> get_metrics(const Call& call) {
  MetricText text;
  add_hub_metrics(text, call);
  const EntityMetrics* const entities = call.parts.entity_metrics;
  if (entities) add_entity_metrics(text, *call.home.administered().states.snapshot(), *entities);
  http::Response response = http::Response::json(text.text());
  response.content_type = MetricText::kContentType;
  return response;
}

constexpr Answer kMetrics[] = {{200, "Metrics in Prometheus' text format.", "Text", "text/plain"}};

}  // namespace

constexpr Endpoint kMetricsEndpointRows[] = {
    {http::Verb::get, "/api/prometheus", Access::metrics, get_metrics, Durable::no, "Metrics for monitoring", kMetrics},
};
constexpr Endpoints kMetricsEndpoints = kMetricsEndpointRows;

}  // namespace hearth::api
