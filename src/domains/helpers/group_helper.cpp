// SPDX-License-Identifier: Apache-2.0
#include "domains/helpers/group_helper.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/utf8.h"
#include "core/registry/collection_type.h"
#include "core/registry/helper_types.h"
#include "core/values/entity_id.h"
#include "domains/entities/domain_services.h"
#include "domains/entities/group_state.h"
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace {

using base::ErrorCode;

constexpr std::string_view kGroups = "group";

std::vector<std::string> listed(const json::object& data, std::string_view key) {
  const json::value* const list = data.if_contains(key);
  return list ? core::member_ids(*list) : std::vector<std::string>();
}

// The item's fields after group.set.
json::object after_set(json::object fields, const json::object& data) {
  for (const char* const key : {"name", "icon", "all"})
    if (const json::value* const value = data.if_contains(key)) fields[key] = *value;
  std::vector<std::string> members = listed(data, "entities");
  if (!data.contains("entities")) members = listed(fields, "entities");
  for (std::string& id : listed(data, "add_entities"))
    if (std::ranges::find(members, id) == members.end()) members.push_back(std::move(id));
  const std::vector<std::string> gone = listed(data, "remove_entities");
  json::array entities;
  for (const std::string& id : members)
    if (std::ranges::find(gone, id) == gone.end()) entities.emplace_back(id);
  fields["entities"] = std::move(entities);
  return fields;
}

const core::CollectionType& group_type() {
  return *core::find_collection_type(kGroups);
}

}  // namespace

GroupHelper::~GroupHelper() {
  if (index_) index_->remove(*this);
}

Report GroupHelper::first(const Kind&, const core::State*) {
  counted_ = members_ = listed(item_.fields, "entities");
  return report();
}

void GroupHelper::added_to_home(EntityTable& entities) {
  index_ = &entities.groups();
  index_->add(*this);
  listen();  // until all know which groups hold each other
}

void GroupHelper::show() {
  counted_ = members_ = listed(item_.fields, "entities");
  index_->changed();
  listen();
  thing_->report(report());
}

void GroupHelper::regroup() {
  std::vector<std::string> counted = index_->counted(*this);
  if (counted == counted_) return;
  counted_ = std::move(counted);
  listen();
  thing_->report(report());
}

void GroupHelper::listen() {
  listening_ = hub_.entity_listeners.listen(
      counted_, [this](const core::StateChange&, const core::Event& event) { follow(event.context); });
}

Report GroupHelper::report() {
  std::vector<core::StatePtr> states;
  const auto table = hub_.states.snapshot();
  for (const std::string& id : counted_) states.push_back(table->find(id));
  const json::value* const all = item_.fields.if_contains("all");
  const bool wants_all = all && all->get_bool();
  shown_ = group_state(states, wants_all);
  json::array ids;
  for (const std::string& id : members_) ids.emplace_back(id);
  return {.value = shown_,
          .attributes = {{"entity_id", std::move(ids)},
                         {"all", wants_all ? json::value(true) : json::value()},
                         {"editable", editable_}}};
}

void GroupHelper::follow(const core::Context& context) {
  if (!thing_) return;
  const std::string before = shown_;
  Report now = report();
  if (shown_ != before) thing_->report(std::move(now), &context);
}

void GroupHelper::act(const Action&, const json::object& data) {
  item_.fields = after_set(item_.fields, data);
  show();
}

GroupServices::GroupServices(core::Hub& hub, EntityTable& entities) : hub_(hub), entities_(entities) {
  for (const Action& action : kGroup.services) {
    core::ServiceDescription description = describe(kGroup, action);
    description.has_target = false;
    const bool sets = action.service == "set";
    registrations_.push_back(hub.services.add(
        std::move(description), [this, sets](const core::ServiceCall& call, const core::ServiceReply& reply) {
          if (auto done = sets ? set(call) : remove(call); !done) return reply(std::unexpected(done.error()));
          // After what listens to the collection has followed.
          static_cast<void>(
              hub_.bus.post(core::IfFull::pass, core::EventBus::kSmallTask, [reply] { reply(json::value()); }));
        }));
  }
}

base::Result<void> GroupServices::set(const core::ServiceCall& call) {
  const std::string id(call.data().at("object_id").get_string());
  if (!core::is_slug(id))
    return base::fail(ErrorCode::invalid, "object_id: expected small letters, digits and underscores");
  const auto registry = hub_.registry.snapshot();
  const core::Item* const made = registry->find_item(kGroups, id);
  const core::RegisteredEntity* const known = registry->find_entity(kGroups, kGroups, id);
  Entity* const entity = known ? entities_.find(known->entity_id) : nullptr;
  if (made && made->fields.contains("group_type"))
    return base::fail(ErrorCode::invalid,
                      fmt::format("object_id: {} is a group of one type, which group/update changes", id));
  json::object fields = made ? made->fields : json::object{{"name", id}};
  auto checked = group_type().fields_of(after_set(std::move(fields), call.data()));
  if (!checked) return std::unexpected(checked.error());
  if (made) {
    auto done = hub_.registry.update_item(std::string(kGroups), id, std::move(*checked), {}, call.context(),
                                          core::IfFull::pass);
    if (!done) return std::unexpected(done.error());
    return {};
  }
  if (entity) {
    auto& thing = static_cast<Thing&>(*entity);
    entity->command(call.context(), [&] { thing.obey({&kGroup.services.front(), call.data()}); });
    return {};
  }
  auto done =
      hub_.registry.create_item(std::string(kGroups), id, std::move(*checked), call.context(), core::IfFull::pass);
  if (!done) return std::unexpected(done.error());
  return {};
}

base::Result<void> GroupServices::remove(const core::ServiceCall& call) {
  const std::string id(call.data().at("object_id").get_string());
  const auto registry = hub_.registry.snapshot();
  const core::Item* const made = registry->find_item(kGroups, id);
  if (!made || made->fields.contains("group_type")) {
    const bool known = registry->find_entity(kGroups, kGroups, id) != nullptr;
    const std::string group = "group." + base::utf8_excerpt(id);
    return base::fail(ErrorCode::invalid,
                      known ? fmt::format("object_id: {} stands in a file, and is removed there", group)
                            : fmt::format("object_id: there is no {}", group));
  }
  auto done = hub_.registry.delete_items(std::string(kGroups), {&id, 1}, call.context(), core::IfFull::pass);
  if (!done) return std::unexpected(done.error());
  return {};
}

}  // namespace hearth::domains
