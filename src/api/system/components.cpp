// SPDX-License-Identifier: Apache-2.0
#include "api/handlers.h"

namespace hearth::api {

base::Result<http::Response> components::list(const Call& call) {
  const auto config = call.home.config();
  return http::Response::json(base::to_json(json::array(config->components.begin(), config->components.end())));
}

}  // namespace hearth::api
