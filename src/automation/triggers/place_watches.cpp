// SPDX-License-Identifier: Apache-2.0
#include "automation/triggers/place_watches.h"

#include <algorithm>

#include "automation/values/state_values.h"
#include "core/notification.h"
#include "domains/people/zones.h"
#include "template/home/state_value.h"

namespace hearth::automation {
namespace {

using templates::Value;

// The trigger with the entity in the place of its reference.
std::shared_ptr<const Trigger> of_entity(const Trigger& trigger, const std::string& entity_id) {
  const auto& kind = std::get<DeviceTrigger>(trigger.kind);
  auto made = std::make_shared<Trigger>(trigger);
  made->kind = kind.of_entity->kind;
  if (auto* const state = std::get_if<StateTrigger>(&made->kind)) state->entity_ids = {entity_id};
  if (auto* const numeric = std::get_if<NumericTrigger>(&made->kind)) numeric->entity_ids = {entity_id};
  if (auto* const zone = std::get_if<ZoneTrigger>(&made->kind)) zone->entity_ids = {entity_id};
  return made;
}

}  // namespace

ZoneWatch::ZoneWatch(const Trigger& trigger, Home& home, Fire fire, std::optional<std::uint64_t> since)
    : trigger_(trigger), kind_(std::get<ZoneTrigger>(trigger.kind)), home_(home), fire_(std::move(fire)) {
  listening_ = home.hub.entity_listeners.listen_since(
      since.value_or(home.hub.bus.last_sequence()), kind_.entity_ids,
      [this](const core::StateChange& change, const core::Event& event) { on_change(change, event); });
}

void ZoneWatch::on_change(const core::StateChange& change, const core::Event& event) const {
  const Moment moment = home_.at(event);
  const core::StatePtr zone = moment.find(kind_.zone);
  if (!zone || !change.new_state) return;
  const auto now = is_in_zone(*change.new_state, *zone);
  if (!now) return;
  // Where it was is not known: nobody has come or gone.
  const auto former = change.old_state ? is_in_zone(*change.old_state, *zone) : std::optional(false);
  if (!former || (kind_.enter ? *former || !*now : !*former || *now)) return;
  fire_({trigger_value(trigger_, {{"entity_id", Value(change.entity_id())},
                                  {"from_state", templates::state_value(change.old_state)},
                                  {"to_state", templates::state_value(change.new_state)},
                                  {"zone", templates::state_value(zone)},
                                  {"event", kind_.enter ? "enter" : "leave"}}),
         std::string(change.entity_id()) + (kind_.enter ? " entering " : " leaving ") + kind_.zone, event.context,
         change.new_state},
        moment);
}

NotificationWatch::NotificationWatch(const Trigger& trigger, Home& home, Fire fire)
    : trigger_(trigger), kind_(std::get<NotificationTrigger>(trigger.kind)), home_(home), fire_(std::move(fire)) {
  const auto registry = home.hub.registry.snapshot();
  for (const core::Item* const item : registry->items_of(core::kNotifications))
    known_.insert_or_assign(item->id, item->fields);
  updates_ =
      home.hub.bus.listen(core::event_type::kCollectionUpdated, [this](const core::Event& event) { on_update(event); });
}

void NotificationWatch::on_update(const core::Event& event) {
  const core::RegistryChange* const change = event.registry_change.get();
  if (!change || change->collection != core::kNotifications) return;
  const auto registry = home_.hub.registry.snapshot();
  const core::Item* const item = registry->find_item(core::kNotifications, change->id);
  const auto known = known_.find(change->id);
  if (!item && known == known_.end()) return;
  if (!item) return fire(change->id, "removed", known_.extract(known).mapped(), event.context);
  const bool was_there = known != known_.end();
  known_.insert_or_assign(change->id, item->fields);
  fire(change->id, was_there ? "updated" : "added", item->fields, event.context);
}

void NotificationWatch::fire(const std::string& id, std::string_view update, json::object fields,
                             const core::Context& cause) const {
  if (kind_.of_none || (!kind_.id.empty() && kind_.id != id)) return;
  if (!kind_.updates.empty() && std::ranges::find(kind_.updates, update) == kind_.updates.end()) return;
  fields["notification_id"] = json::string(id);
  fire_({trigger_value(trigger_, {{"update_type", Value(update)},
                                  {"notification", Value::from_json(json::value(std::move(fields)))}}),
         "a notification was " + std::string(update), cause},
        home_.now());
}

DeviceWatch::DeviceWatch(const Trigger& trigger, Home& home, templates::Variables variables, std::string place,
                         Fire fire, std::optional<std::uint64_t> since)
    : of_entity_(of_entity(trigger, home.now().entity_id_of(std::get<DeviceTrigger>(trigger.kind).entity))),
      watch_(TriggerWatch::create(*of_entity_, home, std::move(variables), std::move(place), std::move(fire), since)) {}

}  // namespace hearth::automation
