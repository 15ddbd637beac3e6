// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/calls/instance_provider.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "domains/entities/kinds.h"
#include "integrations/home_assistant/calls/refusal.h"

namespace hearth::integrations::home_assistant {
namespace {

using base::ErrorCode;

constexpr std::size_t kMaxNamed = 10;  // entities in a message

std::string_view domain_of(std::string_view entity_id) {
  return entity_id.substr(0, entity_id.find('.'));
}

std::string names_of(const std::vector<std::string>& ids) {
  const auto shown = ids.begin() + static_cast<std::ptrdiff_t>(std::min(ids.size(), kMaxNamed));
  return fmt::format("{}{}", fmt::join(ids.begin(), shown, ", "), ids.size() > kMaxNamed ? " …" : "");
}

// Services of this hub for entities of any domain.
bool is_for_all_domains(std::string_view domain) {
  return domain == "platform" || domain == "homeassistant";
}

// The service there. Covers and the like have names of their own for on and off, which homeassistant.turn_on leaves
// out there.
std::pair<std::string, std::string> service_there(const core::ServiceRequest& request, std::string_view entity_id) {
  if (!is_for_all_domains(request.domain)) return {request.domain, request.service};
  const std::string_view domain = domain_of(entity_id);
  const domains::Kind* const kind = domains::find_kind(domain);
  const std::string_view own = !kind                           ? std::string_view()
                               : request.service == "turn_on"  ? kind->on
                               : request.service == "turn_off" ? kind->off
                                                               : std::string_view();
  if (!own.empty() && own != request.service) return {std::string(domain), std::string(own)};
  return {"homeassistant", request.service};
}

}  // namespace

core::Selection allowed_of(const Options& options) {
  const auto names = [](const std::set<std::string>& from) { return core::Selection::Names(from.begin(), from.end()); };
  return {.all = options.control_all,
          .entities = names(options.control_entities),
          .domains = names(options.control_domains),
          .areas = names(options.control_areas),
          .labels = names(options.control_labels)};
}

json::object call_command(std::string_view domain, std::string_view service, json::object data, json::object target,
                          bool return_response) {
  json::object command{
      {"type", "call_service"}, {"domain", domain}, {"service", service}, {"service_data", std::move(data)}};
  if (!target.empty()) command["target"] = std::move(target);
  if (return_response) command["return_response"] = true;
  return command;
}

InstanceProvider::InstanceProvider(const CallsHome& home, CallSender& sender, Delegation& delegation)
    : home_(home),
      sender_(sender),
      delegation_(delegation),
      allowed_(allowed_of(home.options)),
      provides_(home.hub.services.providers().add(std::string(home.ids.provider()), *this)) {}

base::Duration InstanceProvider::longest(const core::ServiceRequest& request) const {
  return request.return_response ? CallSender::kResponseLimit + std::chrono::seconds(30) : std::chrono::seconds(60);
}

void InstanceProvider::call(const core::ServiceRequest& request, const std::vector<std::string>& entity_ids,
                            core::ServiceReply reply) {
  if (!sender_.connected()) return reply(std::unexpected(unreachable_error(home_.name())));
  auto called = callable(request, entity_ids);
  if (!called) return reply(std::unexpected(std::move(called.error())));
  std::vector<Part> parts;
  for (std::string& id : *called) {
    auto [domain, service] = service_there(request, id);
    auto part =
        std::ranges::find_if(parts, [&](const Part& each) { return each.domain == domain && each.service == service; });
    if (part == parts.end()) part = parts.insert(parts.end(), {std::move(domain), std::move(service)});
    part->entity_ids.push_back(std::move(id));
  }
  const core::ServiceReply each =
      parts.size() == 1 ? std::move(reply) : core::join_replies(parts.size(), std::move(reply));
  for (Part& part : parts) send(request, std::move(part), each);
}

base::Result<std::vector<std::string>> InstanceProvider::callable(const core::ServiceRequest& request,
                                                                  const std::vector<std::string>& entity_ids) const {
  const auto registry = home_.hub.registry.snapshot();
  std::vector<std::string> called, forbidden, gone;
  for (const std::string& id : entity_ids) {
    if (!allowed_.names(id, *registry))
      forbidden.push_back(id);
    else if (home_.ids.entity_there(id).empty())
      gone.push_back(id);
    else
      called.push_back(id);
  }
  const std::string service = fmt::format("{}.{}", request.domain, request.service);
  if (called.empty() && !forbidden.empty()) {
    return base::fail(ErrorCode::forbidden,
                      fmt::format("The section home_assistant does not let {} be controlled at {}.",
                                  names_of(forbidden), home_.name()));
  }
  if (called.empty()) {
    base::Error error{ErrorCode::not_found, fmt::format("{} has no {} any more.", home_.name(), names_of(gone))};
    error.said = std::make_shared<const base::SaidElsewhere>(base::SaidElsewhere{.code = "not_found"});
    return std::unexpected(std::move(error));
  }
  if (!forbidden.empty()) {
    base::log_warning("services", "{} leaves out {}: the section home_assistant does not let it be controlled", service,
                      names_of(forbidden));
  }
  if (!gone.empty())
    base::log_warning("services", "{} leaves out {}: {} has it no more", service, names_of(gone), home_.name());
  const auto known = home_.hub.services.find(request.domain, request.service);
  // The changes that a service of there makes are not known, also if it only answers with data.
  if (known && !known->description.provider.empty()) {
    for (const std::string& id : called) {
      if (!request.rights.controls(id, *registry))
        return base::fail(ErrorCode::forbidden, fmt::format("This user may not control {}.", id));
    }
  }
  // Services for any domain leave this to who knows the entity.
  if (!known || known->description.target_domains.empty()) {
    for (const std::string& id : called) {
      const std::string own = service_there(request, id).second;
      if (auto opens = home_.hub.services.check_pins(own, {id}, request.rights); !opens)
        return std::unexpected(std::move(opens.error()));
    }
  }
  return called;
}

void InstanceProvider::send(const core::ServiceRequest& request, Part part, core::ServiceReply reply) {
  json::object given = request.data;
  if (is_for_all_domains(request.domain) && part.domain != "homeassistant") {
    // Each entity's own service gets of the data what it knows.
    const auto own = home_.hub.services.find(part.domain, part.service);
    for (const auto& [key, value] : request.data)
      if (!own || !own->description.find(key)) given.erase(key);
  }
  json::value data = home_.ids.to_there(json::value(std::move(given)));
  std::vector<std::string> there;
  for (const std::string& id : part.entity_ids) there.emplace_back(home_.ids.entity_there(id));
  json::object target{{"entity_id", json::array(there.begin(), there.end())}};
  CallSender::Call call{.command = call_command(part.domain, part.service, std::move(data.get_object()),
                                                std::move(target), request.return_response),
                        .context = request.context,
                        .entities_there = std::move(there),
                        .wants_data = request.return_response,
                        .done = {}};
  std::vector<std::string> expected;
  for (std::string& id : part.entity_ids)
    if (reports(request, id)) expected.push_back(std::move(id));
  // The provider lives as long as the sender, which calls it.
  call.done = [this, expected = std::move(expected), context = request.context, wants = request.return_response,
               reply = std::move(reply)](base::Result<json::object> result, const CallSender::Entities& reported) {
    if (!result) return reply(std::unexpected(std::move(result.error())));
    for (const std::string& id : expected) {
      const std::string_view id_there = home_.ids.entity_there(id);
      if (!id_there.empty() && !reported.contains(id_there)) home_.hub.services.expect_report(context, id);
    }
    reply(wants ? home_.ids.to_here(base::value_at(*result, "response")) : json::value());
  };
  sender_.send(std::move(call));
}

bool InstanceProvider::reports(const core::ServiceRequest& request, const std::string& entity_id) const {
  if (request.service == "update_entity") return false;
  const auto known = home_.hub.services.find(request.domain, request.service);
  if (known && known->description.only_asks()) return false;
  const core::StatePtr state = home_.hub.states.find(entity_id);
  if (!state || state->value() == core::kUnavailable) return false;
  // Nothing comes of what is so already.
  const std::string_view value = state->value();
  return !request.data.empty() ||
         !((request.service == "turn_on" && value == "on") || (request.service == "turn_off" && value == "off"));
}

}  // namespace hearth::integrations::home_assistant
