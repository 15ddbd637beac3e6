// SPDX-License-Identifier: Apache-2.0
// GET, HEAD, POST and PUT /api/webhook/{webhook_id}.
#include "api/handlers.h"

namespace hearth::api {

base::Result<http::Response> webhook::receive(const Call& call) {
  auto waits = call.home.call_webhook({.id = std::string(call.path(2)),
                                       .method = call.request.method_text,
                                       .query = call.request.target.query(),
                                       .content_type = call.request.headers.content_type,
                                       .body = call.request.body,
                                       .address = call.request.client.to_string()});
  if (!waits) return std::unexpected(std::move(waits.error()));
  http::Response empty;
  empty.content_type = {};
  return empty;
}

}  // namespace hearth::api
