// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/calls/instance_calls.h"

#include <fmt/format.h>

#include "base/json/json_fields.h"

namespace hearth::integrations::home_assistant {
namespace {

constexpr std::size_t kMaxTargets = 1'000;  // entities of a direct call whose changes are known as its

std::vector<std::string> entities_of(const json::object& target) {
  std::vector<std::string> ids;
  const json::value& named = base::value_at(target, "entity_id");
  if (named.is_string()) ids.emplace_back(named.get_string());
  if (named.is_array()) {
    for (const json::value& each : named.get_array())
      if (each.is_string() && ids.size() < kMaxTargets) ids.emplace_back(each.get_string());
  }
  return ids;
}

}  // namespace

InstanceCalls::InstanceCalls(CallsHome home, MirroredServices& services)
    : home_(std::move(home)),
      sender_(home_),
      delegation_(home_, sender_),
      provider_(home_, sender_, delegation_),
      events_(home_),
      services_(
          services, home_.bus, home_.options.name,
          [this](const core::ServiceCall& call, core::ServiceReply reply) { call_service(call, std::move(reply)); }) {
  home_.contexts.use(home_.ids);
}

void InstanceCalls::take(const Opened& opened) {
  delegation_.lost();
  services_.lost();
  if (home_.rights_missing) home_.rights_missing(false);
  home_.contexts.opened(opened.hub);
  sender_.opened();
  events_.opened(opened.hub);
}

void InstanceCalls::take(const Services& services) {
  if (home_.options.services == Options::ServicesHere::mirror) services_.take(services.services);
}

void InstanceCalls::take(const Picture& picture) {
  if (picture.running) take(Running{});
}

void InstanceCalls::take(const Running&) {
  delegation_.running();
  services_.running();
}

void InstanceCalls::take(const OtherEvent& event) {
  events_.take(event);
}

void InstanceCalls::lost() {
  sender_.lost();
  delegation_.lost();
  services_.lost();
  events_.lost();
}

void InstanceCalls::call_service(const core::ServiceCall& call, core::ServiceReply reply) {
  const core::ServiceRequest& request = call.request();
  const auto service = home_.hub.services.find(request.domain, request.service);
  if (!call.entity_ids().empty()) {
    return reply(base::fail(base::ErrorCode::invalid,
                            fmt::format("{}.{} is a service of {}, which does not have {}.", request.domain,
                                        request.service, home_.name(), call.entity_ids().front())));
  }
  // Its target names nothing.
  if (service && service->description.has_target) return reply(json::value());
  Direct direct{.domain = request.domain,
                .service = request.service,
                .data = call.data(),
                .context = request.context,
                .return_response = request.return_response};
  if (const json::object* const target = base::value_at(direct.data, "target").if_object()) {
    direct.target = *target;
    direct.data.erase("target");
  }
  this->call(std::move(direct), std::move(reply));
}

void InstanceCalls::call(Direct direct, core::ServiceReply reply) {
  const core::Selection allowed = allowed_of(home_.options);
  if (!allowed.all && !allowed.domains.contains(direct.domain)) {
    return reply(base::fail(base::ErrorCode::forbidden,
                            fmt::format("The section home_assistant does not let {}.{} be called at {}.", direct.domain,
                                        direct.service, home_.name())));
  }
  json::value data = home_.ids.to_there(json::value(std::move(direct.data)));
  json::value target = home_.ids.to_there(json::value(std::move(direct.target)));
  std::vector<std::string> entities = entities_of(target.get_object());
  if (entities.empty()) entities = entities_of(data.get_object());
  sender_.send({.command = call_command(direct.domain, direct.service, std::move(data.get_object()),
                                        std::move(target.get_object()), direct.return_response),
                .context = direct.context,
                .entities_there = std::move(entities),
                .wants_data = direct.return_response,
                .done = [this, wants = direct.return_response, reply = std::move(reply)](
                            base::Result<json::object> result, const CallSender::Entities&) {
                  if (!result) return reply(std::unexpected(std::move(result.error())));
                  reply(wants ? home_.ids.to_here(base::value_at(*result, "response")) : json::value());
                }});
}

}  // namespace hearth::integrations::home_assistant
