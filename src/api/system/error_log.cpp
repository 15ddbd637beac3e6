// SPDX-License-Identifier: Apache-2.0
#include "api/handlers.h"
#include "api/system/system_log.h"

namespace hearth::api {

base::Result<http::Response> error_log::get(const Call&) {
  http::Response response;
  response.content_type = "text/plain";
  response.text = log_text(base::recent_log().records());
  return response;
}

}  // namespace hearth::api
