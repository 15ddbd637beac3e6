// SPDX-License-Identifier: Apache-2.0
#include "api/rows.h"
#include "api/system/system_log.h"

namespace hearth::api {
namespace {

base::Result<http::Response> get_error_log(const Call&) {
  http::Response response;
  response.content_type = "text/plain";
  response.text = log_text(base::recent_log().records());
  return response;
}

constexpr Answer kLog[] = {{200, "The last lines of the log, oldest first.", "Text", "text/plain"}};

}  // namespace

constexpr Endpoint kErrorLogEndpointRows[] = {
    {http::Verb::get, "/api/error_log", Access::admin, get_error_log, Durable::no, "The last lines of the log", kLog},
};
constexpr Endpoints kErrorLogEndpoints = kErrorLogEndpointRows;

}  // namespace hearth::api
