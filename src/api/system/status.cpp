// SPDX-License-Identifier: Apache-2.0
#include "api/handlers.h"

namespace hearth::api {

base::Result<http::Response> status::get(const Call&) {
  return http::Response::message(200, "API running.");
}

}  // namespace hearth::api
