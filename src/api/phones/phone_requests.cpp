// SPDX-License-Identifier: Apache-2.0
#include "api/phones/phone_requests.h"

#include <algorithm>
#include <array>

#include "api/parts.h"
#include "api/phones/phone_call.h"
#include "base/json/json_fields.h"
#include "phones/phones.h"

namespace hearth::api {
namespace {

using base::ErrorCode;

std::string_view phone_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::unauthorized:
      return "encryption_required";
    case ErrorCode::conflict:
      return "encryption_already_enabled";
    case ErrorCode::not_found:
      return "not_found";
    case ErrorCode::forbidden:
      return "forbidden";
    case ErrorCode::full:
      return "full";
    case ErrorCode::unavailable:
      return "unavailable";
    default:
      return "invalid_format";
  }
}

struct Row {
  std::string_view type;
  void (*answer)(const PhoneCall& call);
};
constexpr std::array kRows{Row{"get_config", phone_config},
                           Row{"get_zones", phone_zones},
                           Row{"fire_event", phone_event},
                           Row{"call_service", phone_service},
                           Row{"render_template", phone_templates},
                           Row{"stream_camera", phone_camera},
                           Row{"scan_tag", phone_tag},
                           Row{"conversation_process", phone_conversation}};

http::Response error_answer(const base::Error& error) {
  const int status = error.code == ErrorCode::unavailable ? 503 : error.code == ErrorCode::forbidden ? 403 : 400;
  return http::Response::json(
      base::to_json(json::object{
          {"success", false}, {"error", json::object{{"code", phone_code(error.code)}, {"message", error.message}}}}),
      status);
}

}  // namespace

void PhoneCall::answer(const json::value& body, int status) const {
  responder->send(http::Response::json(phones::phone_answer(message, phone->secret, body), status));
}

void PhoneCall::fail(const base::Error& error) const {
  responder->send(error_answer(error));
}

core::Context PhoneCall::context() const {
  return core::Context::create(home.clock().coarse_now(), owner->user->id);
}

void answer_phone(const Call& call, http::Responder responder, phones::PhonePtr phone, auth::IdentityPtr owner) {
  call.gate.authenticator.note_use(*owner, call.request.client);
  if (const auto wait = auth::Usage::take_request(owner->usage, call.gate.use_limits, call.gate.clock());
      wait.count() > 0)
    return responder.send(too_many_requests("Too many messages of this app (requests_per_second).", wait));
  auto message = phones::read_phone_message(call.request.body, phone->secret);
  if (!message) return responder.send(error_answer(message.error()));
  PhoneCall asked{.home = call.parts.phones->view(rights_of(*owner)),
                  .gate = call.gate,
                  .parts = call.parts,
                  .phone = std::move(phone),
                  .owner = std::move(owner),
                  .message = std::move(*message),
                  .responder = std::make_shared<http::Responder>(std::move(responder))};
  const std::string& type = asked.message.type;
  if (phones::Phones::knows(type)) {
    call.parts.phones->receive(asked.phone, type, asked.message.data, asked.context(),
                               [asked](const base::Result<phones::Phones::Answer>& done) {
                                 done ? asked.answer(done->body, done->status) : asked.fail(done.error());
                               });
    return;
  }
  const auto row = std::ranges::find(kRows, type, &Row::type);
  if (row == kRows.end()) return asked.fail({ErrorCode::invalid, "type: unknown"});
  if (!asked.message.data.is_object()) return asked.fail({ErrorCode::invalid, "data: expected an object"});
  row->answer(asked);
}

}  // namespace hearth::api
