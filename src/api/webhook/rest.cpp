// SPDX-License-Identifier: Apache-2.0
// GET, HEAD, POST and PUT /api/webhook/{webhook_id}.
#include "api/phones/phone_requests.h"
#include "api/rows.h"
#include "phones/phones.h"

namespace hearth::api {
namespace {

// The phone whose address this is, with who owns it; null if there is none, or its token has ended.
struct OwnedPhone {
  phones::PhonePtr phone;
  auth::IdentityPtr owner;
};
OwnedPhone find_phone(const Call& call) {
  if (!call.parts.phones || call.request.method != http::Verb::post) return {};
  auto phone = call.parts.phones->find(call.path(2));
  auto owner = phone ? call.gate.authenticator.find(phone->token_id) : nullptr;
  return owner ? OwnedPhone{std::move(phone), std::move(owner)} : OwnedPhone{};
}

// Fails with unavailable.
void receive_webhook(const Call& call, http::Responder responder) {
  if (OwnedPhone found = find_phone(call); found.phone)
    return answer_phone(call, std::move(responder), std::move(found.phone), std::move(found.owner));
  auto waits = call.home.call_webhook({.id = std::string(call.path(2)),
                                       .method = call.request.method_text,
                                       .query = call.request.target.query(),
                                       .content_type = call.request.headers.content_type,
                                       .body = call.request.body,
                                       .address = call.request.client.to_string()});
  if (!waits) return responder.send(http::Response::error(waits.error()));
  http::Response empty;
  empty.content_type = {};
  responder.send(std::move(empty));
}

constexpr Answer kWebhook[] = {{200, "Received, or unknown: nobody can tell which ids there are.", ""}};
// A companion app's is answered, with JSON.
constexpr Answer kPosted[] = {
    {200, "Received, or unknown: nobody can tell which ids there are. A companion app gets JSON.", ""}};
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
     kPosted,
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
