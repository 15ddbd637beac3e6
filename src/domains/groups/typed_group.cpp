// SPDX-License-Identifier: Apache-2.0
#include "domains/groups/typed_group.h"

#include <algorithm>
#include <utility>

#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "base/log/log_scope.h"
#include "core/registry/helper_types.h"
#include "core/values/entity_id.h"
#include "domains/groups/light_group.h"
#include "domains/groups/notify_group.h"
#include "domains/groups/thing_group.h"

namespace hearth::domains {
namespace {

constexpr std::string_view kType = "group_type", kEffect = "effect";

std::string object_id_of(const json::object& fields) {
  std::string id = core::slugify(base::text_view_at(fields, "name"));
  return id.empty() ? "group" : id;
}

EntityInfo info_of_group(const core::Item& item) {
  return {.integration = item.collection,
          .unique_id = item.id,
          .object_id = object_id_of(item.fields),
          .name = std::string(base::text_view_at(item.fields, "name")),
          .device_class = std::string(base::text_view_at(item.fields, "device_class")),
          .icon = std::string(base::text_view_at(item.fields, "icon")),
          .available = false};
}

}  // namespace

bool GroupMember::is_valid() const {
  return state && state->value() != core::kUnknown && state->value() != core::kUnavailable;
}

std::optional<double> GroupMember::number(std::string_view attribute) const {
  const json::value* const value = find(attribute);
  return value && value->is_number() ? std::optional(value->to_number<double>()) : std::nullopt;
}

std::string_view GroupMember::text(std::string_view attribute) const {
  const json::value* const value = find(attribute);
  return value && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

unsigned GroupMember::features() const {
  const double bits = number("supported_features").value_or(0);
  return bits >= 0 && bits < 1e9 ? static_cast<unsigned>(bits) : 0;
}

TypedGroup::~TypedGroup() {
  if (entities_) entities_->groups().remove(*this);
}

base::Result<void> TypedGroup::add(EntityTable& entities) {
  members_ = members_of_typed_group(item_.fields);
  const auto registry = hub_.registry.snapshot();
  const core::RegisteredEntity* const known =
      registry->find_entity(item_.collection, base::text_view_at(item_.fields, kType), item_.id);
  const core::StatePtr last = known ? hub_.states.find(known->entity_id) : nullptr;
  see(members_);
  auto entity = make(info_of_group(item_), last.get());
  show(nullptr);  // so that the first state that anybody sees is the right one
  auto added = entities.add(std::move(entity));
  if (!added) return std::unexpected(added.error());
  entity_ = *added;
  entities_ = &entities;
  entities.groups().add(*this);
  look(members_);  // until all know which groups hold each other
  return {};
}

void TypedGroup::apply(const core::Item& item, EntityTable& entities) {
  if (item.revision == item_.revision) return;
  item_ = item;
  members_ = members_of_typed_group(item_.fields);
  entities.describe(*entity_, info_of_group(item_));
  entities.groups().changed();
  look(members_);
}

bool TypedGroup::can_become(const core::Item& item) const {
  return base::text_view_at(item.fields, kType) == base::text_view_at(item_.fields, kType);
}

void TypedGroup::regroup() {
  std::vector<std::string> counted = entities_->groups().counted(*this);
  if (!std::ranges::equal(counted, seen_, {}, {}, &GroupMember::entity_id)) look(std::move(counted));
}

void TypedGroup::look(std::vector<std::string> counted) {
  // First: what changes from now on is told, what has changed is in the table.
  listening_ = hub_.entity_listeners.listen(
      counted, [this](const core::StateChange& change, const core::Event& event) { follow(change, event); });
  see(std::move(counted));
  show(nullptr);
}

void TypedGroup::see(std::vector<std::string> counted) {
  const auto table = hub_.states.snapshot();
  seen_.clear();
  places_.clear();
  for (std::string& id : counted) {
    places_.emplace(id, seen_.size());
    core::StatePtr state = table->find(id);
    seen_.push_back(seen_of(std::move(id), std::move(state)));
  }
}

GroupMember TypedGroup::seen_of(std::string entity_id, core::StatePtr state) const {
  GroupMember member{.entity_id = std::move(entity_id), .state = std::move(state)};
  if (!member.state || wanted().empty()) return member;
  const json::object all = member.state->attributes();
  for (const std::string_view name : wanted())
    if (const json::value* const value = all.if_contains(name); value && !value->is_null())
      member.attributes[name] = *value;
  return member;
}

void TypedGroup::follow(const core::StateChange& change, const core::Event& event) {
  const auto place = places_.find(change.entity_id());
  if (place == places_.end()) return;
  GroupMember& member = seen_[place->second];
  member = seen_of(std::move(member.entity_id), change.new_state);
  const bool same = change.old_state && change.new_state && change.old_state->value() == change.new_state->value();
  if (!same && (is_available() != entity_->available() || has_turned())) return show(&event.context);
  // Once for all that change in a batch.
  if (std::exchange(due_, event.context)) return;
  static_cast<void>(hub_.bus.post(core::IfFull::pass, core::EventBus::kSmallTask, [self = std::weak_ptr(self_)] {
    const auto group = self.lock();
    if (!group) return;
    const auto cause = std::exchange((*group)->due_, std::nullopt);
    if (cause) (*group)->show(&*cause);
  }));
}

bool TypedGroup::is_available() const {
  return std::ranges::any_of(
      seen_, [](const GroupMember& each) { return each.state && each.state->value() != core::kUnavailable; });
}

bool TypedGroup::is_set(std::string_view field) const {
  const json::value* const value = item_.fields.if_contains(field);
  return value && value->is_bool() && value->get_bool();
}

json::value TypedGroup::entity_ids() const {
  return json::array(members_.begin(), members_.end());
}

std::vector<TypedGroup::Part> TypedGroup::parts_of(std::string_view service, const json::object& data) const {
  std::vector<Part> parts;
  const base::LogScope of_group({.entity = entity_id()});
  const auto registry = hub_.registry.snapshot();
  for (const std::string& id : entities_->groups().leaves(*this)) {
    if (!entity_->caller().controls(id, *registry)) continue;
    const Entity* const member = entities_->find(id);
    const std::string_view domain = std::string_view(id).substr(0, id.find('.'));
    const auto own = hub_.services.find(domain, service);
    // Of one that lives elsewhere its provider knows what it can.
    const core::RegisteredEntity* const entry = member ? nullptr : registry->entities.find(id);
    const bool elsewhere = entry && !core::provider_of(*entry).empty();
    if (!(elsewhere || (member && member->available())) || !own) {
      base::log_debug("services", "{} leaves out {}: {}", entity_id(), id,
                      own ? "it cannot be reached" : "its domain has no such service");
      continue;
    }
    json::object fitting;
    for (const auto& [key, value] : data)
      if (own->description.find(key)) fitting[key] = value;
    auto able = elsewhere ? base::Result<void>() : member->can(service, fitting);
    if (!able && fitting.contains(kEffect)) {  // which only some lamps have: the others do the rest
      fitting.erase(kEffect);
      able = member->can(service, fitting);
    }
    if (!able) {
      base::log_info("services", "{} leaves out {}: {}", entity_id(), id, able.error().message);
      continue;
    }
    const auto same =
        std::ranges::find_if(parts, [&](const Part& part) { return part.domain == domain && part.data == fitting; });
    if (same == parts.end())
      parts.push_back({std::string(domain), std::move(fitting), {json::string(id)}});
    else
      same->entity_ids.emplace_back(id);
  }
  return parts;
}

base::Result<void> TypedGroup::accepted(std::string_view service, const json::object& data) const {
  if (!entities_) return {};
  const auto registry = hub_.registry.snapshot();
  for (const std::string& id : entities_->groups().leaves(*this)) {
    const Entity* const member = entities_->find(id);
    if (!member || !member->available() || member->domain() != entity_->domain()) continue;
    if (!entity_->caller().controls(id, *registry)) continue;
    auto able = member->can(service, data);
    if (!able && able.error().code == base::ErrorCode::invalid) return able;
  }
  return {};
}

void TypedGroup::forward(std::string_view service, const json::object& data) {
  const core::Context context = entity_->command_context();
  std::vector<Part> parts = parts_of(service, data);
  if (parts.empty()) return show(&context);
  const auto under_way = std::make_shared<std::size_t>(parts.size());
  for (Part& part : parts) {
    part.data["entity_id"] = std::move(part.entity_ids);
    core::ServiceRequest request{.domain = std::move(part.domain),
                                 .service = std::string(service),
                                 .data = std::move(part.data),
                                 .context = context,
                                 .rights = entity_->caller(),
                                 .if_full = core::IfFull::pass};
    hub_.services.call(std::move(request), [self = std::weak_ptr(self_), under_way,
                                            context](const base::Result<core::CallOutcome>& outcome) {
      const auto group = self.lock();
      if (!outcome && group) {
        const base::LogScope own({(*group)->entity_id(), context.id});
        base::log_warning("services", "a member of {} failed at the command: {}", (*group)->entity_id(),
                          outcome.error().message);
      }
      if (--*under_way == 0 && group) (*group)->show(&context);
    });
  }
}

std::unique_ptr<Helper> make_typed_group(core::Hub& hub, const core::Item& item, bool editable) {
  const std::string_view type =
      item.collection == "group" ? base::text_view_at(item.fields, kType) : std::string_view();
  if (type.empty()) return nullptr;
  if (item.fields.contains(NotifyGroup::kServices)) return std::make_unique<NotifyGroup>(hub, item, editable);
  if (type == Light::kDomain) return std::make_unique<LightGroup>(hub, item, editable);
  return std::make_unique<ThingGroup>(hub, item, editable, *find_group_form(type));
}

std::string id_of_typed_group(const json::object& fields) {
  const std::string_view type = base::text_view_at(fields, kType);
  return type.empty() ? std::string() : std::string(type) + "." + object_id_of(fields);
}

std::vector<std::string> members_of_typed_group(const json::object& fields) {
  const json::value* const list = fields.if_contains("entities");
  return list && !base::text_view_at(fields, kType).empty() ? core::member_ids(*list) : std::vector<std::string>();
}

}  // namespace hearth::domains
