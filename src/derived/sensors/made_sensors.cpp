// SPDX-License-Identifier: Apache-2.0
#include "derived/sensors/made_sensors.h"

#include <algorithm>

#include "automation/home/home.h"
#include "base/log/log.h"

namespace hearth::derived {
namespace {

// True if what the one has shown so far says nothing of the other, such as the sum over another source.
bool means_another(const Platform& platform, const Plan& former, const json::object& former_fields, const Plan& wanted,
                   const json::object& fields) {
  if (former.sources != wanted.sources) return true;
  return std::ranges::any_of(platform.meaning, [&](std::string_view key) {
    const json::value *const before = former_fields.if_contains(key), *const now = fields.if_contains(key);
    return before && now ? *before != *now : before != now;
  });
}

}  // namespace

void MadeSensors::start() {
  if (std::exchange(started_, true)) return;
  for (const Platform& platform : platforms()) follow(platform);
  updates_ = environment_.home.hub.bus.listen(core::event_type::kCollectionUpdated, [this](const core::Event& event) {
    if (event.by_client || !event.registry_change) return;
    if (const Platform* const platform = find_platform(event.registry_change->collection)) follow(*platform);
  });
}

void MadeSensors::stop() {
  updates_ = {};
  for (const auto& [key, made] : made_) made.unit->withdraw();
  made_.clear();
}

void MadeSensors::for_each(const std::function<void(Unit& unit)>& act) const {
  for (const auto& [key, made] : made_) act(*made.unit);
}

void MadeSensors::follow(const Platform& platform) {
  const auto registry = environment_.home.hub.registry.snapshot();
  std::erase_if(made_, [&](const auto& each) {
    const auto& [of, id] = each.first;
    if (of != platform.name || registry->find_item(of, id)) return false;
    const std::vector<std::string> entity_ids = each.second.unit->entity_ids();
    each.second.unit->withdraw();
    forget(entity_ids);
    return true;
  });
  for (const core::Item* const item : registry->items_of(platform.name)) {
    Made& made = made_[{item->collection, item->id}];
    if (!made.unit || made.fields != item->fields) put(platform, *item, made);
  }
  changed_();
}

void MadeSensors::put(const Platform& platform, const core::Item& item, Made& made) {
  const auto plan = plan_of(platform, item);
  std::vector<std::string> left;
  if (made.unit) {
    plan->anew = means_another(platform, made.unit->plan(), made.fields, *plan, item.fields);
    left = made.unit->entity_ids();
    made.unit->withdraw();
  }
  made.unit = Unit::create(plan, environment_);
  made.fields = item.fields;
  made.error = plan->error;
  if (const auto started = made.unit->start(); !started) made.error = plan->place + ": " + started.error().message;
  if (!made.error.empty()) base::log_warning("derived", "{}", made.error);
  const std::vector<std::string> present = made.unit->entity_ids();
  std::erase_if(left, [&](const std::string& id) { return std::ranges::find(present, id) != present.end(); });
  forget(left);
}

void MadeSensors::forget(const std::vector<std::string>& entity_ids) const {
  core::Hub& hub = environment_.home.hub;
  for (const std::string& id : entity_ids) {
    const auto context = core::Context::create(hub.clock.now());
    const auto registry = hub.registry.snapshot();
    if (const core::RegisteredEntity* const known = registry->entities.find(id)) hub.registry.forget_entity(known->id);
    // A client may have removed the state before.
    static_cast<void>(hub.states.remove(id, context));
  }
}

std::vector<configured::Fault> MadeSensors::faults() const {
  std::vector<configured::Fault> faults;
  for (const auto& [key, made] : made_) {
    if (made.error.empty()) continue;
    const auto ids = made.unit->entity_ids();
    faults.push_back(
        {made.unit->plan().id(), ids.empty() ? std::string() : ids.front(), made.unit->plan().name, made.error});
  }
  return faults;
}

}  // namespace hearth::derived
