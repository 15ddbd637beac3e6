// SPDX-License-Identifier: Apache-2.0
#include "api/rows.h"

namespace hearth::api {
namespace {

base::Result<http::Response> list_components(const Call& call) {
  const auto config = call.home.config();
  return http::Response::json(base::to_json(json::array(config->components.begin(), config->components.end())));
}

}  // namespace

constexpr Endpoint kComponentEndpointRows[] = {
    {http::Verb::get, "/api/components", Access::user, list_components, Durable::no, "Running components", kNames},
};
constexpr Endpoints kComponentEndpoints = kComponentEndpointRows;

}  // namespace hearth::api
