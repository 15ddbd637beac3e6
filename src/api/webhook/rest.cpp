// SPDX-License-Identifier: Apache-2.0
// GET, HEAD, POST and PUT /api/webhook/{webhook_id}.
#include "api/rows.h"

namespace hearth::api {
namespace {

// Fails with unavailable.
base::Result<http::Response> receive_webhook(const Call& call) {
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

constexpr Answer kWebhook[] = {{200, "Received, or unknown: nobody can tell which ids there are.", ""}};
constexpr Body kAnything{.schema = "Anything", .content_type = "*/*"};

}  // namespace

constexpr Endpoint kWebhookEndpointRows[] = {
    {http::Verb::get, "/api/webhook/{webhook_id}", Access::webhook, receive_webhook, Durable::no, "Call a webhook",
     kWebhook},
    {http::Verb::post,
     "/api/webhook/{webhook_id}",
     Access::webhook,
     receive_webhook,
     Durable::no,
     "Call a webhook with data",
     kWebhook,
     {},
     &kAnything},
    {http::Verb::put,
     "/api/webhook/{webhook_id}",
     Access::webhook,
     receive_webhook,
     Durable::no,
     "Call a webhook with data",
     kWebhook,
     {},
     &kAnything},
};
constexpr Endpoints kWebhookEndpoints = kWebhookEndpointRows;

}  // namespace hearth::api
