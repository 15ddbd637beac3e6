// SPDX-License-Identifier: Apache-2.0
// GET, HEAD, POST and PUT /api/webhook/{webhook_id}.
#include "api/handlers.h"

namespace hearth::api {
namespace {

http::Response response(const core::WebhookAnswer& answer) {
  http::Response made;
  made.text = answer.body;
  made.content_type = answer.body.empty() ? "" : answer.content_type;
  return made;
}

}  // namespace

void webhook::receive(const Call& call, http::Responder responder) {
  auto shared = std::make_shared<http::Responder>(std::move(responder));
  call.home.call_webhook({.id = std::string(call.path(2)),
                          .method = call.request.method_text,
                          .query = call.request.target.query(),
                          .content_type = call.request.headers.content_type,
                          .body = call.request.body,
                          .address = call.request.client.to_string()},
                         [shared](const base::Result<core::WebhookAnswer>& answer) {
                           shared->send(answer ? response(*answer) : http::Response::error(answer.error()));
                         });
}

}  // namespace hearth::api
