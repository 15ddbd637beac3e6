// SPDX-License-Identifier: Apache-2.0
// Questions and actions of companion apps beside their own sensors.
#include <fmt/format.h>

#include "api/parts.h"
#include "api/phones/phone_call.h"
#include "api/system/configuration.h"
#include "api/templates/rendering.h"
#include "base/json/json_fields.h"
#include "core/values/entity_id.h"
#include "phones/phones.h"

namespace hearth::api {
namespace {

using base::ErrorCode;

constexpr std::size_t kMostTemplates = 50;  // of a message
// Events about notifications, which everybody's phone may fire: automations wait for them.
constexpr std::string_view kOfNotifications[] = {"mobile_app_notification_action", "mobile_app_notification_cleared",
                                                 "mobile_app_notification_received", "notification_action"};
constexpr std::string_view kTagScanned = "tag_scanned";

// The call of a service, which answers when it has ended.
void call_for_phone(const PhoneCall& call, core::ServiceRequest request, bool respond) {
  if (auto may = call.home.may_call(request.domain, request.service); !may) return call.fail(may.error());
  // Calls of these by people are recorded where they are made, with the caller.
  const auto services = call.home.services();
  if (const auto domain = services->find(request.domain); domain != services->end()) {
    const auto service = domain->second->find(request.service);
    if (service != domain->second->end() && service->second->description.administrator)
      return call.fail({ErrorCode::forbidden, "An app cannot call a service that is for administrators."});
  }
  request.context = call.context();
  call.home.call(std::move(request), [call, respond](const base::Result<core::CallOutcome>& outcome) {
    if (!outcome) return call.fail(outcome.error());
    call.answer(respond ? outcome->response : json::value(json::object()));
  });
}

json::value render_for_phone(const PhoneCall& call, const json::object& asked) {
  const json::value& source = base::value_at(asked, "template");
  if (!source.is_string()) return json::object{{"error", "template: expected a text"}};
  hearth::templates::Variables variables;
  if (const json::value& given = base::value_at(asked, "variables"); given.is_object()) {
    for (const auto& [name, value] : given.get_object())
      variables.emplace_back(name, hearth::templates::Value::from_json(value));
  }
  const TemplateTime charged(*call.owner->usage, call.gate);
  const auto compiled = hearth::templates::Template::compile(std::string(source.get_string()), {});
  if (!compiled) return json::object{{"error", compiled.error().message}};
  hearth::templates::Environment environment{.home = &call.home, .clock = &call.home.clock()};
  environment.zone = hearth::templates::Zone::of(call.home.config()->time_zone);
  environment.imports = call.parts.imports();
  const auto rendered = compiled->render(environment, variables);
  if (!rendered) return json::object{{"error", rendered.error().message}};
  return json::value(*rendered);
}

}  // namespace

void phone_config(const PhoneCall& call) {
  const json::object all = configuration(call.home);
  json::object body;
  for (const char* const key : {"latitude", "longitude", "elevation", "unit_system", "location_name", "time_zone",
                                "components", "version", "currency", "country", "language"})
    body[key] = all.at(key);
  body["theme_color"] = "#1976d2";
  body["hass_device_id"] = call.parts.phones->device_of(*call.phone);
  body["entities"] = call.parts.phones->sensors_of(*call.phone);
  body["cloudhook_url"] = nullptr;
  body["remote_ui_url"] = nullptr;
  call.answer(body);
}

void phone_zones(const PhoneCall& call) {
  json::array zones;
  call.home.states().for_each([&](const core::State& state) {
    if (state.domain() == "zone") zones.push_back(base::parse_json(state.json()).value_or(json::value()));
  });
  call.answer(zones);
}

void phone_event(const PhoneCall& call) {
  const std::string type = base::text_at(call.data(), "event_type", phones::Phone::kMaxText);
  if (type.empty()) return call.fail({ErrorCode::invalid, "event_type: expected a text"});
  const json::value& given = base::value_at(call.data(), "event_data");
  if (!given.is_null() && !given.is_object()) return call.fail({ErrorCode::invalid, "event_data: expected an object"});
  std::string data = given.is_null() ? "{}" : base::to_json(given);
  if (std::ranges::find(kOfNotifications, type) != std::end(kOfNotifications)) {
    const auto fired = call.parts.phones->fire(type, std::move(data), core::FiredBy::client, call.context());
    if (!fired) return call.fail(fired.error());
  } else if (const auto fired = call.home.fire(type, std::move(data), core::Origin::remote, call.context()); !fired) {
    return call.fail(fired.error());
  }
  call.answer(json::object());
}

void phone_service(const PhoneCall& call) {
  core::ServiceRequest request;
  request.domain = core::lower_case(base::short_text_at(call.data(), "domain"));
  request.service = core::lower_case(base::short_text_at(call.data(), "service"));
  if (const json::value& given = base::value_at(call.data(), "service_data"); given.is_object())
    request.data = given.get_object();
  else if (!given.is_null())
    return call.fail({ErrorCode::invalid, "service_data: expected an object"});
  call_for_phone(call, std::move(request), false);
}

void phone_templates(const PhoneCall& call) {
  if (auto may = call.home.rights().may(core::Scope::templates); !may) return call.fail(may.error());
  if (call.owner->usage->template_wait(call.gate.use_limits, call.gate.clock()).count() > 0)
    return call.fail({ErrorCode::unavailable, "The templates of this app take too long (template_time)."});
  if (call.data().size() > kMostTemplates)
    return call.fail({ErrorCode::invalid, fmt::format("data: expected at most {} templates", kMostTemplates)});
  const bool posted = post_rendering(call.parts, RenderingQueue::answers, [call] {
    json::object answers;
    for (const auto& [name, asked] : call.data()) {
      answers[name] = asked.is_object() ? render_for_phone(call, asked.get_object())
                                        : json::value(json::object{{"error", "expected an object with a template"}});
    }
    call.answer(answers);
  });
  if (!posted) call.fail({ErrorCode::unavailable, "Too many templates wait to be rendered. Try again soon."});
}

void phone_camera(const PhoneCall& call) {
  const std::string id = base::short_text_at(call.data(), "camera_entity_id");
  const core::StatePtr camera = call.home.find(id);
  if (!camera || camera->domain() != "camera") return call.fail({ErrorCode::not_found, "There is no such camera."});
  const json::object attributes = camera->attributes();
  const std::string picture = base::text_at(attributes, "entity_picture");
  call.answer({{"mjpeg_path", picture.empty() ? json::value() : json::value(picture)}, {"hls_path", nullptr}});
}

void phone_tag(const PhoneCall& call) {
  const std::string tag = base::text_at(call.data(), "tag_id", phones::Phone::kMaxText);
  if (tag.empty()) return call.fail({ErrorCode::invalid, "tag_id: expected a text"});
  if (auto may = call.home.rights().may_control(); !may) return call.fail(may.error());
  json::object data{{"tag_id", tag}, {"device_id", call.parts.phones->device_of(*call.phone)}};
  const auto fired = call.parts.phones->fire(kTagScanned, base::to_json(data), core::FiredBy::hub, call.context());
  if (!fired) return call.fail(fired.error());
  call.answer(json::object());
}

void phone_conversation(const PhoneCall& call) {
  core::ServiceRequest request{.domain = "conversation", .service = "process", .data = {}, .context = {}};
  for (const char* const key : {"text", "language", "conversation_id"})
    if (const json::value& given = base::value_at(call.data(), key); given.is_string()) request.data[key] = given;
  request.return_response = true;
  call_for_phone(call, std::move(request), true);
}

}  // namespace hearth::api
