// SPDX-License-Identifier: Apache-2.0
// How a portal calls services at its sites, and what is wrong with them.
#include <fmt/format.h>

#include <array>

#include "base/random_id.h"
#include "fleet/portal.h"

namespace hearth::fleet {
namespace {

using namespace std::chrono_literals;
using base::ErrorCode;
using base::Result;

using Ids = std::map<std::string, std::string>;  // a portal's by those of the site

// The same with the site's ids in the place of the portal's.
json::value with_ids_there(const json::value& value, std::string_view site, const core::RegistryData& data) {
  if (const auto* const list = value.if_array()) {
    json::array made;
    for (const json::value& each : *list) made.push_back(with_ids_there(each, site, data));
    return made;
  }
  const auto id_there = [&](std::string_view text) -> std::optional<std::string> {
    const auto* const entity = data.entities.find(text);
    return entity && core::site_of(*entity) == site ? std::optional(RegistryMirror::id_there(*entity)) : std::nullopt;
  };
  if (const auto* const object = value.if_object()) {
    json::object made;
    for (const auto& [key, each] : *object)
      made[id_there(key).value_or(std::string(key))] = with_ids_there(each, site, data);
    return made;
  }
  if (const auto* const text = value.if_string()) {
    if (auto id = id_there(std::string_view(*text))) return json::value(*id);
  }
  return value;
}

json::value with_ids_here(json::value response, const Ids& ids) {
  if (!response.is_object()) return response;
  json::object made;
  for (auto& [key, value] : response.get_object()) {
    const auto found = ids.find(std::string(key));
    made[found == ids.end() ? std::string(key) : found->second] = std::move(value);
  }
  return made;
}

// The caller's error here for a failure there.
base::Error failure_here(const std::string& site, base::Error error) {
  switch (error.code) {
    case ErrorCode::unavailable:
    case ErrorCode::unreachable:
      return {ErrorCode::unreachable, fmt::format("The site {} does not answer: {}", site, error.message)};
    case ErrorCode::not_found:
    case ErrorCode::unsupported:
    case ErrorCode::conflict:
      error.code = ErrorCode::invalid;
      break;
    default:
      break;
  }
  error.message = fmt::format("{}: {}", site, error.message);
  return error;
}

}  // namespace

void Portal::call(const core::ServiceRequest& request, const std::vector<std::string>& entity_ids,
                  core::ServiceReply reply) {
  const auto data = hub_.registry.snapshot();
  std::map<std::string, Ids, std::less<>> by_site;
  for (const std::string& id : entity_ids) {
    const auto* const entity = data->entities.find(id);
    if (entity) by_site[std::string(core::site_of(*entity))].emplace(RegistryMirror::id_there(*entity), id);
  }
  if (by_site.empty()) return reply(json::value());
  const core::ServiceReply each =
      by_site.size() == 1 ? std::move(reply) : core::join_replies(by_site.size(), std::move(reply));
  for (auto& [site, ids] : by_site) {
    if (is_silent(site)) {
      each(base::fail(ErrorCode::unreachable, fmt::format("The site {} does not answer: it is silent.", site)));
      continue;
    }
    SiteCall call;
    call.key = base::make_random_id();
    if (request.context.user_id) call.user = request.context.user_id->str();
    call.role = request.rights.controls_anything() ? core::Role::user : core::Role::reader;
    if (const core::PresentedPin* const presented = request.rights.presented_pin()) call.pin = presented->pin;
    call.context = request.context;
    call.wait = request.wait;
    call.within = request.wait + kCallPatience;
    call.domain = request.domain;
    call.service = request.service;
    for (const auto& [there, here] : ids) call.entity_ids.push_back(there);
    for (const auto& [key, value] : request.data) {
      if (!core::ServiceTarget::is_key(key)) call.data[key] = with_ids_there(value, site, *data);
    }
    call.return_response = request.return_response;
    const base::Duration patience = call.within;
    link_->ask(site, encode_request(std::move(call)), patience,
               [this, name = site, known = std::move(ids), each](Result<std::string> text) {
                 answered(name, known, each, std::move(text));
               });
  }
}

void Portal::answered(const std::string& site, Ids ids, const core::ServiceReply& reply, Result<std::string> text) {
  auto answer = text ? decode_answer(*text) : Result<SiteAnswer>(std::unexpected(std::move(text.error())));
  if (!answer) return reply_on_bus(reply, std::unexpected(failure_here(site, std::move(answer.error()))));
  // The caller finds the changed states here before it has the answer.
  const bool posted = fold_.post([this, site, ids = std::move(ids), reply, answer = std::move(*answer)]() mutable {
    if (const auto found = sites_.find(site); found != sites_.end()) found->second.mirror.receive(answer.changed);
    reply_on_bus(reply, with_ids_here(std::move(answer.response), ids));
  });
  if (!posted) reply_on_bus(reply, base::fail(ErrorCode::unavailable, "This portal has too much to do."));
}

void Portal::reply_on_bus(const core::ServiceReply& reply, Result<json::value> response) {
  static_cast<void>(hub_.bus.post(core::IfFull::pass, core::EventBus::kSmallTask,
                                  [reply, response = std::move(response)]() mutable { reply(std::move(response)); }));
}

std::vector<core::Issue> Portal::issues() const {
  using Severity = core::Issue::Severity;
  std::vector<core::Issue> found;
  std::string failure;
  std::vector<SiteStatus> statuses;
  {
    base::MutexLock lock(mutex_);
    failure = failure_;
    statuses = statuses_;
  }
  if (!failure.empty())
    found.push_back({"hearth", "fleet_failing", "fleet_failing", Severity::error, {{"error", failure}}});
  for (const std::string& weakness : link_->weaknesses())
    found.push_back({"hearth", "fleet_weak_" + weakness, "fleet_weak", Severity::warning, {{"weakness", weakness}}});
  for (const SiteStatus& status : statuses) {
    if (!status.reachable)
      found.push_back(
          {"hearth", "site_silent_" + status.site, "site_silent", Severity::warning, {{"site", status.name}}});
    if (!status.problem.empty())
      found.push_back({"hearth",
                       "site_wrong_" + status.site,
                       "site_wrong",
                       Severity::warning,
                       {{"site", status.name}, {"error", status.problem}}});
    if (std::abs(status.clock_off) > 60)
      found.push_back({"hearth",
                       "site_clock_" + status.site,
                       "site_clock",
                       Severity::warning,
                       {{"site", status.name}, {"seconds", std::to_string(status.clock_off)}}});
  }
  return found;
}

}  // namespace hearth::fleet
