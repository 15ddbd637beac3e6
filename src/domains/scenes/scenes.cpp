// SPDX-License-Identifier: Apache-2.0
#include "domains/scenes/scenes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/log/log.h"
#include "base/log/log_scope.h"
#include "base/text/utf8.h"
#include "core/values/entity_id.h"
#include "domains/entities/domain_services.h"
#include "domains/entities/kinds.h"
#include "domains/entities/reply_all.h"

namespace hearth::domains {
namespace {

using base::ErrorCode;

constexpr std::string_view kScenes = "scene";
base::Result<std::vector<DesiredState>> parse_desired_states(const json::object& entities) {
  std::vector<DesiredState> desired_states;
  if (entities.size() > Scenes::kMaxEntities) {
    return base::fail(ErrorCode::invalid, fmt::format("entities: expected at most {} of them", Scenes::kMaxEntities));
  }
  for (const auto& [id, wanted] : entities) {
    auto desired = DesiredState::parse(id, wanted);
    if (!desired) return base::fail(ErrorCode::invalid, "entities: " + desired.error().message);
    desired_states.push_back(std::move(*desired));
  }
  return desired_states;
}

std::optional<double> transition_of(const json::object& data) {
  const json::value* const seconds = data.if_contains("transition");
  return seconds ? std::optional(seconds->to_number<double>()) : std::nullopt;
}

// One of the domain's services; `targets`: whether it takes entities of the domain.
core::ServiceDescription described(std::string_view service, bool targets) {
  const auto action = std::ranges::find(kScene.services, service, &Action::service);
  core::ServiceDescription made = describe(kScene, *action);
  made.has_target = targets;
  return made;
}

}  // namespace

// A created scene: its entity, and the device that activates it.
class Scenes::Created final : public ThingDevice {
 public:
  Created(Scenes& scenes, const core::Item& item) : scenes_(scenes), id_(item.id) { apply(item); }

  // Fails as EntityTable::add.
  base::Result<void> add() {
    const auto registry = scenes_.hub_.registry.snapshot();
    const core::RegisteredEntity* const known = registry->find_entity(kScenes, kScene.domain, id_);
    const core::StatePtr last = known ? scenes_.hub_.states.find(known->entity_id) : nullptr;
    EntityInfo info{.integration = std::string(kScenes), .unique_id = id_, .object_id = id_, .name = id_};
    auto thing = std::make_unique<Thing>(kScene, std::move(info), Abilities(), this);
    thing->report(last ? restored(kScene, {}, *last) : Report());
    thing->report({.attributes = {{"entity_id", entity_ids()}}});
    const auto added = scenes_.entities_.add(std::move(thing));
    if (!added) return std::unexpected(added.error());
    thing_ = *added;
    return {};
  }
  std::string_view entity_id() const { return thing_->entity_id(); }

  void apply(const core::Item& item) {
    desired_.clear();
    for (const auto& [id, wanted] : item.fields) {
      if (auto desired = DesiredState::parse(id, wanted))
        desired_.push_back(std::move(*desired));
      else
        base::log_warning("domains", "the scene {} leaves out {}", item.id, desired.error().message);
    }
    if (thing_) thing_->report({.attributes = {{"entity_id", entity_ids()}}});
  }

  base::Result<void> check(const Action&, const json::object&) const override {
    return scenes_.check_pins(desired_, thing_->caller());
  }

  void act(const Action&, const json::object& data) override {
    core::ServiceRequest as;
    as.context = thing_->command_context();
    as.rights = thing_->caller();
    scenes_.apply(scenes_.controlled(desired_, as.rights), transition_of(data), as,
                  [id = id_](const base::Result<json::value>& done) {
                    if (!done) base::log_warning("domains", "the scene {}: {}", id, done.error().message);
                  });
  }

 private:
  json::array entity_ids() const {
    json::array ids;
    for (const DesiredState& desired : desired_) ids.emplace_back(desired.entity_id);
    return ids;
  }

  Scenes& scenes_;
  std::string id_;
  std::vector<DesiredState> desired_;
  Thing* thing_ = nullptr;
};

Scenes::Scenes(core::Hub& hub, EntityTable& entities) : hub_(hub), entities_(entities) {
  add_apply();
  add_create();
  add_delete();
  start_ = hub.bus.listen(core::event_type::kPlatformStart, [this](const core::Event&) { follow(); });
  updates_ = hub.bus.listen(core::event_type::kCollectionUpdated, [this](const core::Event& event) {
    if (event.registry_change && event.registry_change->collection == kScenes) follow();
  });
}

Scenes::~Scenes() = default;

void Scenes::follow() {
  const auto registry = hub_.registry.snapshot();
  std::erase_if(created_, [&](const auto& scene) {
    if (registry->find_item(kScenes, scene.first)) return false;
    entities_.remove(scene.second->entity_id());
    return true;
  });
  for (const core::Item* const item : registry->items_of(kScenes)) {
    if (const auto known = created_.find(item->id); known != created_.end()) {
      known->second->apply(*item);
      continue;
    }
    auto scene = std::make_unique<Created>(*this, *item);
    if (auto added = scene->add())
      created_.emplace(item->id, std::move(scene));
    else
      base::log_warning("domains", "the scene {} is left out: {}", item->id, added.error().message);
  }
}

std::vector<DesiredState> Scenes::spread(const std::vector<DesiredState>& desired_states) const {
  std::vector<DesiredState> all;
  const auto find = [this](std::string_view id) { return hub_.states.find(id); };
  for (const DesiredState& desired : desired_states)
    std::ranges::move(domains::spread(desired, find), std::back_inserter(all));
  return all;
}

std::vector<DesiredState> Scenes::controlled(const std::vector<DesiredState>& desired_states,
                                             const core::Rights& caller) const {
  std::vector<DesiredState> all = spread(desired_states);
  const auto registry = hub_.registry.snapshot();
  std::erase_if(all, [&](const DesiredState& desired) { return !caller.controls(desired.entity_id, *registry); });
  return all;
}

void Scenes::apply(const std::vector<DesiredState>& desired_states, std::optional<double> transition,
                   const core::ServiceRequest& as, core::ServiceReply reply) {
  struct Planned {
    const DesiredState* desired;
    DesiredCall call;
  };
  std::vector<Planned> planned;
  const std::vector<DesiredState> all = spread(desired_states);
  for (const DesiredState& desired : all) {
    const core::StatePtr now = hub_.states.find(desired.entity_id);
    if (!now || now->value() == core::kUnavailable) {
      const base::LogScope own({.entity = desired.entity_id});
      base::log_warning("services", "a scene leaves out {}: it is {}", desired.entity_id,
                        now ? "unavailable" : "absent");
      continue;
    }
    auto calls = calls_for(desired, *now, transition);
    if (!calls) return reply(std::unexpected(calls.error()));
    for (DesiredCall& call : *calls) planned.push_back({&desired, std::move(call)});
  }
  if (planned.empty()) return reply(json::value());
  if (auto opens = check_pins(desired_states, as.rights); !opens) return reply(std::unexpected(opens.error()));

  const auto joined = std::make_shared<ReplyAll>(planned.size(), std::move(reply));
  for (Planned& each : planned) {
    core::ServiceRequest request;
    request.domain = each.desired->entity_id.substr(0, each.desired->entity_id.find('.'));
    request.service = each.call.service;
    request.data = std::move(each.call.data);
    request.data["entity_id"] = each.desired->entity_id;
    request.context = as.context;
    request.rights = as.rights;
    // The original call waits for all devices at once.
    request.wait = base::Duration(0);
    hub_.services.expect_report(as.context, each.desired->entity_id);
    hub_.services.call(std::move(request),
                       [joined](base::Result<core::CallOutcome> outcome) { joined->add(std::move(outcome)); });
  }
}

base::Result<void> Scenes::check_pins(const std::vector<DesiredState>& desired_states,
                                      const core::Rights& caller) const {
  if (!caller.presented_pin()) return {};
  for (const DesiredState& desired : spread(desired_states)) {
    const core::StatePtr now = hub_.states.find(desired.entity_id);
    const auto calls = now ? calls_for(desired, *now, {}) : base::Result<std::vector<DesiredCall>>();
    if (!calls) continue;
    for (const DesiredCall& call : *calls) {
      auto opens = hub_.services.check_pins(call.service, {desired.entity_id}, caller);
      if (!opens) return opens;
    }
  }
  return {};
}

base::Result<DesiredState> Scenes::present(const std::string& entity_id) const {
  const core::StatePtr now = hub_.states.find(entity_id);
  if (!now) return base::fail(ErrorCode::not_found, base::utf8_excerpt(entity_id) + ": it is absent");
  return DesiredState::of(*now);
}

void Scenes::add_apply() {
  registrations_.push_back(
      hub_.services.add(described("apply", false), [this](const core::ServiceCall& call, core::ServiceReply reply) {
        const auto desired_states = parse_desired_states(call.data().at("entities").as_object());
        if (!desired_states) return reply(std::unexpected(desired_states.error()));
        apply(*desired_states, transition_of(call.data()), call.request(), std::move(reply));
      }));
}

void Scenes::add_create() {
  const auto create = [this](const core::ServiceCall& call) -> base::Result<void> {
    const json::object& data = call.data();
    const std::string id = core::lower_case(data.at("scene_id").get_string());
    if (!core::is_slug(id)) {
      return base::fail(ErrorCode::invalid, fmt::format("scene_id: expected letters, digits and underscores, got {}",
                                                        base::utf8_excerpt(id)));
    }
    const json::value* const named = data.if_contains("entities");
    const json::value* const snapshot = data.if_contains("snapshot_entities");
    json::object states;
    const auto take = [&](const base::Result<DesiredState>& desired) {
      if (desired)
        states[desired->entity_id] = desired->to_json();
      else
        base::log_warning("services", "scene.create leaves out {}", desired.error().message);
    };
    if (named)
      for (const auto& [entity_id, wanted] : named->as_object()) take(DesiredState::parse(entity_id, wanted));
    if (snapshot)
      for (const json::value& name : snapshot->as_array()) take(present(core::lower_case(name.get_string())));
    if ((!named && !snapshot) || states.size() > kMaxEntities) {
      return base::fail(ErrorCode::invalid,
                        fmt::format("entities, snapshot_entities: expected 1 to {} entities.", kMaxEntities));
    }
    if (states.empty()) {
      base::log_warning("services", "scene.create makes no scene {}: no entity is left", id);
      return {};
    }
    const std::string collection(kScenes);
    const auto registry = hub_.registry.snapshot();
    const bool known = registry->find_item(collection, id) != nullptr;
    const core::RegisteredEntity* const other = registry->entities.find("scene." + id);
    if (!known && other && other->integration != kScenes)
      return base::fail(ErrorCode::invalid, fmt::format("scene_id: scene.{} belongs to {}.", id, other->integration));
    const auto done = known ? hub_.registry.update_item(collection, id, std::move(states), {}, call.context())
                            : hub_.registry.create_item(collection, id, std::move(states), call.context());
    if (!done) return std::unexpected(done.error());
    follow();
    return {};
  };
  registrations_.push_back(hub_.services.add(described("create", false),
                                             [create](const core::ServiceCall& call, const core::ServiceReply& reply) {
                                               if (auto done = create(call); !done)
                                                 return reply(std::unexpected(done.error()));
                                               reply(json::value());
                                             }));
}

void Scenes::add_delete() {
  registrations_.push_back(hub_.services.add(
      described("delete", true), [this](const core::ServiceCall& call, const core::ServiceReply& reply) {
        std::vector<std::string> ids;
        for (const std::string& entity_id : call.entity_ids()) {
          const auto found =
              std::ranges::find_if(created_, [&](const auto& scene) { return scene.second->entity_id() == entity_id; });
          if (found == created_.end()) {
            return reply(
                base::fail(ErrorCode::invalid, fmt::format("entity_id: {} was not made by scene.create.", entity_id)));
          }
          ids.push_back(found->first);
        }
        auto done = hub_.registry.delete_items(std::string(kScenes), ids, call.context());
        if (!done) return reply(std::unexpected(done.error()));
        follow();
        reply(json::value());
      }));
}

}  // namespace hearth::domains
