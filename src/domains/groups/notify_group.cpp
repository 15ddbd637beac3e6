// SPDX-License-Identifier: Apache-2.0
#include "domains/groups/notify_group.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/log/log.h"
#include "core/values/entity_id.h"

namespace hearth::domains {
namespace {

constexpr std::string_view kNotifyDomain = "notify", kNotified = "service";

constexpr core::Field kSaid[] = {
    {"message", "What to say.", "The washing is done.", core::field::Text{}, true},
    {"title", "What stands above it.", "Laundry", core::field::Text{}},
    {"target", "Whom a member is to tell, if it knows several.", core::Example::Json{R"(["ann"])"}},
    {"data", "What else the members know.", core::Example::Json{R"({"tag":"laundry"})"}, core::field::Object{}},
};

// The caller's data wins over the member's.
void add_defaults(json::object& said, const json::object& defaults) {
  for (const auto& [key, value] : defaults) {
    json::value* const present = said.if_contains(key);
    if (!present)
      said[key] = value;
    else if (present->is_object() && value.is_object())
      add_defaults(present->get_object(), value.get_object());
  }
}

// The calls of all members, and what became of them.
struct Saying {
  core::ServiceReply reply;
  std::size_t open = 0, failed = 0, all = 0;
  base::Error last = {};
};

}  // namespace

std::string NotifyGroup::service_name() const {
  return core::slugify(item_.fields.at("name").get_string());
}

base::Result<void> NotifyGroup::add(EntityTable&) {
  const std::string name = service_name();
  if (hub_.services.has_own(kNotifyDomain, name))
    return base::fail(base::ErrorCode::conflict, fmt::format("There is a service notify.{} already.", name));
  core::ServiceDescription description;
  description.domain = kNotifyDomain;
  description.service = name;
  description.name = std::string(item_.fields.at("name").get_string());
  description.description = "Says it to all members of the group.";
  description.fields.assign(std::begin(kSaid), std::end(kSaid));
  description.has_target = false;
  description.stands_for = item_.id;
  registration_ = hub_.services.add(
      std::move(description),
      [this](const core::ServiceCall& call, core::ServiceReply reply) { send(call, std::move(reply)); });
  return {};
}

// The id, and so the service, stays the same.
void NotifyGroup::apply(const core::Item& item, EntityTable&) {
  item_ = item;
}

std::optional<core::ServiceRequest> NotifyGroup::request_of(const json::object& member,
                                                            const core::ServiceCall& call) const {
  const std::string name(member.at(kNotified).get_string());
  json::object data;
  for (const auto& [key, value] : call.data())
    if (!value.is_null()) data[key] = value;
  if (const json::value* const defaults = member.if_contains("data")) add_defaults(data, defaults->get_object());
  core::ServiceRequest request{.domain = std::string(kNotifyDomain),
                               .service = name,
                               .data = {},
                               .context = call.context(),
                               .rights = call.request().rights,
                               .if_full = core::IfFull::pass};
  auto service = hub_.services.find(kNotifyDomain, name);
  if (!service) {
    const std::string entity_id = fmt::format("{}.{}", kNotifyDomain, name);
    request.service = "send_message";
    service = hub_.services.find(kNotifyDomain, request.service);
    if (!service || !hub_.states.find(entity_id)) {
      base::log_warning("services", "notify.{} leaves out {}: there is neither such a service nor such an entity",
                        service_name(), entity_id);
      return {};
    }
    request.data["entity_id"] = json::string(entity_id);
  }
  for (const auto& [key, value] : data)
    if (service->description.hands_on || service->description.find(key)) request.data[key] = value;
  return request;
}

void NotifyGroup::send(const core::ServiceCall& call, core::ServiceReply reply) {
  const std::string name = service_name();
  const base::Id context = call.context().id;
  if (!under_way_->insert(context).second) {
    return reply(base::fail(base::ErrorCode::invalid,
                            fmt::format("notify.{} is a member of itself, perhaps by another group.", name)));
  }
  std::vector<core::ServiceRequest> requests;
  for (const json::value& member : item_.fields.at(kServices).get_array())
    if (auto request = request_of(member.get_object(), call)) requests.push_back(std::move(*request));
  const auto saying = std::make_shared<Saying>(Saying{.reply = std::move(reply), .open = requests.size() + 1});
  saying->all = requests.size();
  const auto ended = [saying, name, under_way = under_way_, context] {
    if (--saying->open > 0) return;
    under_way->erase(context);
    if (saying->failed > 0 && saying->failed == saying->all) return saying->reply(std::unexpected(saying->last));
    saying->reply(json::value());
  };
  for (core::ServiceRequest& request : requests) {
    const std::string member = request.service;
    hub_.services.call(std::move(request), [saying, name, member,
                                            ended](const base::Result<core::CallOutcome>& outcome) {
      if (!outcome) {
        ++saying->failed;
        saying->last = outcome.error();
        base::log_warning("services", "a member of notify.{} failed, {}: {}", name, member, outcome.error().message);
      }
      ended();
    });
  }
  ended();
}

}  // namespace hearth::domains
