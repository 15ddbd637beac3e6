// SPDX-License-Identifier: Apache-2.0
// POST /api/mobile_app/registrations.
#include "api/gateway/json_body.h"
#include "api/rows.h"
#include "base/json/json_fields.h"
#include "phones/phones.h"

namespace hearth::api {
namespace {

// Fails with invalid, full, throttled, unavailable.
void register_phone(const Call& call, http::Responder responder) {
  const auto sent = parse_json_body(call.request.body);
  if (!sent) return responder.send(http::Response::error(sent.error()));
  auto registration = phones::read_registration(*sent, false);
  if (!registration) return responder.send(http::Response::error(registration.error()));
  if (!call.parts.phones)
    return responder.send(http::Response::error({base::ErrorCode::unavailable, "Phones cannot register here."}));
  const bool sealed = base::flag_at(*sent, "supports_encryption");
  const auto shared = std::make_shared<http::Responder>(std::move(responder));
  call.parts.phones->add(
      {.webhook_id = phones::make_phone_secret(),
       .user_id = std::string(call.caller->user->id.str()),
       .token_id = call.caller->token_id,
       .secret = sealed ? phones::make_phone_secret() : std::string(),
       .registration = std::move(*registration)},
      [shared](const base::Result<phones::PhonePtr>& added) {
        if (!added) return shared->send(http::Response::error(added.error()));
        const std::string& secret = (*added)->secret;
        shared->send(http::Response::json(
            base::to_json(json::object{{"webhook_id", (*added)->webhook_id},
                                       {"secret", secret.empty() ? json::value() : json::value(secret)},
                                       {"cloudhook_url", nullptr},
                                       {"remote_ui_url", nullptr}}),
            201));
      });
}

constexpr Answer kRegistered[] = {{201, "The address of the app's messages, and their key.", "PhoneRegistered"}};
constexpr Body kRegistration{"PhoneRegistration", true};

}  // namespace

constexpr Endpoint kPhoneEndpointRows[] = {
    {http::Verb::post,
     "/api/mobile_app/registrations",
     Access::account,
     register_phone,
     Durable::no,
     "Register a companion app",
     kRegistered,
     {},
     &kRegistration},
};
constexpr Endpoints kPhoneEndpoints = kPhoneEndpointRows;

}  // namespace hearth::api
